// Oracle answers what the Go libraries inside Argo CD make of an input, so that tests can compare.
//
// Each line of the input is {"op": NAME, "args": {…}}; each line of the output is {"ok": RESULT}, {"error": TEXT} or, when the
// library panicked, {"panic": TEXT}. One file per library adds its operations to the table. The versions in go.mod are those of
// Argo CD 3.5.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type operation func(args json.RawMessage) (any, error)

var operations = map[string]operation{}

// What must be removed in the end.
var atExit []func()

// register adds an operation whose arguments are decoded into A.
func register[A any](name string, run func(A) (any, error)) {
	operations[name] = func(raw json.RawMessage) (any, error) {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, err
		}
		return run(args)
	}
}

func answer(line []byte) (reply map[string]any) {
	defer func() {
		if cause := recover(); cause != nil {
			reply = map[string]any{"panic": fmt.Sprint(cause)}
		}
	}()
	var request struct {
		Op   string          `json:"op"`
		Args json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(line, &request); err != nil {
		return map[string]any{"error": err.Error()}
	}
	run, ok := operations[request.Op]
	if !ok {
		return map[string]any{"error": "no such operation: " + request.Op}
	}
	result, err := run(request.Args)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"ok": result}
}

func main() {
	limitMemory()
	defer func() {
		for _, clean := range atExit {
			clean()
		}
	}()
	lines := bufio.NewReader(os.Stdin)
	replies := json.NewEncoder(os.Stdout)
	replies.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			before := allocated()
			reply := answer(line)
			giveUpBeyond(before)
			if err := replies.Encode(reply); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
