package main

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/gosimple/slug"
	"sigs.k8s.io/yaml"
)

type templateRun struct {
	Name    string         `json:"name"`
	Text    string         `json:"text"`
	Options []string       `json:"options"`
	Data    map[string]any `json:"data"`
	// Dotted places in the data that are maps of text to text.
	StringMaps []string `json:"stringMaps"`
}

type templateResult struct {
	Text string `json:"text"`
	// Whether the text is not UTF-8.
	Binary bool   `json:"binary,omitempty"`
	Stage  string `json:"stage,omitempty"`
	Error  string `json:"error,omitempty"`
}

func init() {
	functions := sprig.GenericFuncMap()
	for _, name := range []string{"env", "expandenv", "getHostByName"} {
		delete(functions, name)
	}
	// Slow or hungry functions whose results nobody compares: of the same type, but without work.
	for _, name := range []string{
		"bcrypt", "buildCustomCert", "decryptAES", "derivePassword", "encryptAES", "genCA", "genCAWithKey", "genPrivateKey",
		"genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "htpasswd", "randAlpha",
		"randAlphaNum", "randAscii", "randBytes", "randInt", "randNumeric",
	} {
		kind := reflect.TypeOf(functions[name])
		functions[name] = reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value {
			results := make([]reflect.Value, kind.NumOut())
			for at := range results {
				results[at] = reflect.Zero(kind.Out(at))
			}
			return results
		}).Interface()
	}
	functions["normalize"] = normalize
	functions["slugify"] = slugify
	functions["toYaml"] = func(value any) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["fromYaml"] = func(text string) (map[string]any, error) {
		value := map[string]any{}
		err := yaml.Unmarshal([]byte(text), &value)
		return value, err
	}
	functions["fromYamlArray"] = func(text string) ([]any, error) {
		value := []any{}
		err := yaml.Unmarshal([]byte(text), &value)
		return value, err
	}

	register("gotemplate", func(run templateRun) (any, error) {
		for _, place := range run.StringMaps {
			makeStringMap(run.Data, strings.Split(place, "."))
		}
		tmpl := template.New(run.Name).Funcs(functions)
		for _, option := range run.Options {
			tmpl = tmpl.Option(option)
		}
		tmpl = tmpl.Funcs(template.FuncMap{"tpl": tpl(tmpl)})
		tmpl, err := tmpl.Parse(run.Text)
		if err != nil {
			return templateResult{Stage: "parse", Error: err.Error()}, nil
		}
		var out strings.Builder
		if err := tmpl.Execute(&out, run.Data); err != nil {
			return templateResult{Stage: "exec", Error: err.Error()}, nil
		}
		text := out.String()
		return templateResult{Text: text, Binary: strings.ToValidUTF8(text, "") != text}, nil
	})
	register("slugify", func(args []any) (any, error) { return slugify(args...), nil })
	register("normalize", func(text string) (any, error) { return normalize(text), nil })
}

func makeStringMap(data map[string]any, place []string) {
	if len(place) > 1 {
		if inner, ok := data[place[0]].(map[string]any); ok {
			makeStringMap(inner, place[1:])
		}
		return
	}
	if inner, ok := data[place[0]].(map[string]any); ok {
		texts := map[string]string{}
		for key, value := range inner {
			texts[key] = fmt.Sprint(value)
		}
		data[place[0]] = texts
	}
}

var notInNames = regexp.MustCompile("[^-a-z0-9.]")

func normalize(name string) string {
	name = notInNames.ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), 253)], "-.")
}

func slugify(args ...any) string {
	limit, smart, name := 50, true, ""
	for at, arg := range args {
		switch at {
		case len(args) - 1:
			name = arg.(string)
		case 0:
			limit = arg.(int)
		case 1:
			smart = arg.(bool)
		}
	}
	slug.MaxLength, slug.EnableSmartTruncate = limit, smart
	return slug.Make(normalize(name))
}

func tpl(outer *template.Template) func(string, any) (string, error) {
	depth := 0
	return func(text string, data any) (string, error) {
		depth++
		defer func() { depth-- }()
		if depth > 3 {
			return "", fmt.Errorf("maximum recursion depth 3 exceeded in tpl function")
		}
		tmpl, err := outer.Clone()
		if err != nil {
			return "", fmt.Errorf("cannot clone template: %w", err)
		}
		if tmpl, err = tmpl.New(outer.Name()).Parse(text); err != nil {
			return "", fmt.Errorf("cannot parse template %q: %w", text, err)
		}
		var out strings.Builder
		if err := tmpl.Execute(&out, data); err != nil {
			return "", fmt.Errorf("error during tpl function execution for %q: %w", text, err)
		}
		return strings.ReplaceAll(out.String(), "<no value>", ""), nil
	}
}
