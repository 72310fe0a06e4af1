package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/valyala/fasttemplate"
)

var placeholderOnOneLine = regexp.MustCompile(`{{.*}}`)

func init() {
	register("fasttemplate", func(args struct {
		Template string         `json:"template"`
		Params   map[string]any `json:"params"`
	}) (any, error) {
		if !placeholderOnOneLine.MatchString(args.Template) {
			return args.Template, nil
		}
		template, err := fasttemplate.NewTemplate(args.Template, "{{", "}}")
		if err != nil {
			return nil, err
		}
		return template.ExecuteFuncString(func(w io.Writer, tag string) (int, error) {
			name := strings.TrimSpace(tag)
			if value, ok := args.Params[name].(string); ok && name != "" {
				return io.WriteString(w, value)
			}
			return fmt.Fprintf(w, "{{%s}}", tag)
		}), nil
	})
}
