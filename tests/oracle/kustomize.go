// Command kustomize answers what kustomize builds: one JSON request a line on standard input, one answer a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type request struct {
	Files  map[string]string `json:"files"`
	Target string            `json:"target"`
}

type answer struct {
	Error   string           `json:"error,omitempty"`
	Objects []map[string]any `json:"objects"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := answers.Encode(build(asked)); err != nil {
			panic(err)
		}
	}
}

// build turns a panic into an error: kustomize panics where two objects end up with one name.
func build(asked request) (found answer) {
	defer func() {
		if reason := recover(); reason != nil {
			found = answer{Error: fmt.Sprint(reason)}
		}
	}()
	files := filesys.MakeFsInMemory()
	for name, text := range asked.Files {
		if err := files.WriteFile(path.Join("/", name), []byte(text)); err != nil {
			return answer{Error: err.Error()}
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, path.Join("/", asked.Target))
	if err != nil {
		return answer{Error: err.Error()}
	}
	found.Objects = []map[string]any{}
	for _, object := range built.Resources() {
		value, err := object.Map()
		if err != nil {
			return answer{Error: err.Error()}
		}
		found.Objects = append(found.Objects, value)
	}
	return found
}
