// Applies the problem matchers of editors/ to the lines on standard input, as VS Code and the runner of GitHub Actions
// do: one regular expression for each line, groups by number, the first matcher that fits. Prints both lists as JSON.
'use strict';
const fs = require('node:fs');
const read = (name) => JSON.parse(fs.readFileSync(`editors/${name}.json`, 'utf8'));
const lines = fs.readFileSync(0, 'utf8').split('\n').filter((line) => line !== '');

function found(matchers, line) {
  for (const { pattern, severity } of matchers) {
    const match = new RegExp(pattern.regexp).exec(line);
    if (!match) continue;
    const group = (name) => match[pattern[name]];
    return {
      path: group('file'), line: Number(group('line')), column: Number(group('column')),
      severity: pattern.severity ? group('severity') : severity, rule: group('code'), message: group('message'),
    };
  }
  return null;
}

const code = [read('tasks').tasks[0].problemMatcher];
const github = read('github').problemMatcher.map((one) => ({ pattern: one.pattern[0], severity: one.severity }));
const all = (matchers) => lines.map((line) => found(matchers, line));
console.log(JSON.stringify({ code: all(code), github: all(github) }));
