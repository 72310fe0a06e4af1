package main

import (
	"encoding/csv"
	"net/url"
	"regexp"
	"strings"
)

// A repository that Argo CD reaches by ssh.
var ssh = regexp.MustCompile(`^(ssh://)?([^/:]*?)@[^@]+$`)

// The steps by which Argo CD makes the URLs of repositories alike.
func normalized(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if ssh.MatchString(text) && !strings.HasPrefix(text, "ssh://") {
		text = "ssh://" + strings.Replace(text, ":", "/", 1)
	}
	parsed, err := url.Parse(strings.TrimSuffix(text, ".git"))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(parsed.String(), "ssh://")
}

func init() {
	register("git_url", func(args textArgs) (any, error) { return normalized(args.Text), nil })
	register("csv_line", func(args textArgs) (any, error) {
		reader := csv.NewReader(strings.NewReader(args.Text))
		reader.TrimLeadingSpace = true
		return reader.Read()
	})
}
