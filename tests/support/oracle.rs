//! The Go program in `tests/oracle`, which runs the libraries that Argo CD is made of.
//!
//! Without Go the tests that ask it say so and pass; `PLIMSOLL_REQUIRE_GO=1` makes them fail instead. With Go, an oracle
//! that does not build fails them always.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

/// The longest answer that is read. The oracle itself ends when a question takes too much memory.
const ANSWER_BYTES: u64 = 64 << 20;

/// A running oracle.
pub struct Oracle {
    process: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// What the oracle says to a question.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// The library's result.
    Ok(Value),
    /// The library refuses the input.
    Error(String),
    /// The library itself failed.
    Panic(String),
}

impl Oracle {
    /// Starts the oracle; `None` where there is no Go and none is required.
    pub fn start() -> Option<Oracle> {
        static PROGRAM: OnceLock<Built> = OnceLock::new();
        let program = match PROGRAM.get_or_init(build) {
            Built::Program(program) => program,
            Built::Failed(why) => panic!("the oracle does not build: {why}"),
            Built::NoGo if std::env::var_os("PLIMSOLL_REQUIRE_GO").is_some() => panic!("go not found"),
            Built::NoGo => {
                println!("skipped: go not found");
                return None;
            }
        };
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was just built");
        let questions = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("the output is piped"));
        Some(Oracle { process, questions, answers })
    }

    /// Asks one question.
    pub fn ask(&mut self, operation: &str, args: Value) -> Answer {
        let questions = self.questions.as_mut().expect("the input is piped");
        writeln!(questions, "{}", json!({"op": operation, "args": args})).expect("the oracle reads");
        let mut line = String::new();
        self.answers.by_ref().take(ANSWER_BYTES).read_line(&mut line).expect("the oracle answers");
        let mut answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no answer to {operation}: {args}"));
        let text = |answer: &Value, key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(error) = text(&answer, "error") {
            return Answer::Error(error);
        }
        if let Some(panic) = text(&answer, "panic") {
            return Answer::Panic(panic);
        }
        Answer::Ok(answer["ok"].take())
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        self.questions.take();
        let _ = self.process.wait();
    }
}

enum Built {
    Program(PathBuf),
    Failed(String),
    NoGo,
}

fn build() -> Built {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    // One program per test binary, since two of them may build at the same time.
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!("oracle-", env!("CARGO_CRATE_NAME")));
    let built = Command::new("go").args(["build", "-o"]).arg(&program).arg(".").current_dir(source).output();
    match built {
        Ok(output) if output.status.success() => Built::Program(program),
        Ok(output) => Built::Failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Built::NoGo,
        Err(error) => Built::Failed(error.to_string()),
    }
}
