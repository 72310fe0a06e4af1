package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/gobwas/glob"
)

type globArgs struct {
	Pattern    string   `json:"pattern"`
	Separators string   `json:"separators"`
	Texts      []string `json:"texts"`
}

// What became of one text.
const (
	noMatch = iota
	match
	badPattern
	panicked
)

func each(texts []string, matches func(string) (bool, error)) []int {
	results := make([]int, len(texts))
	for i, text := range texts {
		results[i] = one(text, matches)
	}
	return results
}

func one(text string, matches func(string) (bool, error)) (result int) {
	defer func() {
		if recover() != nil {
			result = panicked
		}
	}()
	matched, err := matches(text)
	switch {
	case err != nil:
		return badPattern
	case matched:
		return match
	}
	return noMatch
}

func init() {
	register("path_match", func(args globArgs) (any, error) {
		return each(args.Texts, func(text string) (bool, error) { return path.Match(args.Pattern, text) }), nil
	})
	register("doublestar_match", func(args globArgs) (any, error) {
		return each(args.Texts, func(text string) (bool, error) { return doublestar.Match(args.Pattern, text) }), nil
	})
	register("gobwas", func(args globArgs) (any, error) {
		compiled, err := glob.Compile(args.Pattern, []rune(args.Separators)...)
		if err != nil {
			return nil, err
		}
		return each(args.Texts, func(text string) (bool, error) { return compiled.Match(text), nil }), nil
	})
	register("doublestar_glob", func(args struct {
		Pattern string   `json:"pattern"`
		Files   []string `json:"files"`
	}) (any, error) {
		root, err := tree(args.Files)
		if err != nil {
			return nil, err
		}
		found, err := doublestar.FilepathGlob(filepath.Join(root, args.Pattern))
		if err != nil {
			return nil, err
		}
		inside := []string{}
		for _, name := range found {
			if relative, err := filepath.Rel(root, name); err == nil && relative != ".." && !strings.HasPrefix(relative, "../") {
				inside = append(inside, relative)
			}
		}
		return inside, nil
	})
}

// Empty files are laid out once for each listing.
var trees = map[string]string{}

func tree(files []string) (string, error) {
	key := strings.Join(files, "\x00")
	if root, ok := trees[key]; ok {
		return root, nil
	}
	root, err := os.MkdirTemp("", "tree")
	if err != nil {
		return "", err
	}
	atExit = append(atExit, func() { _ = os.RemoveAll(root) })
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	for _, file := range files {
		name := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			return "", err
		}
	}
	trees[key] = root
	return root, nil
}
