package main

import (
	"encoding/csv"
	"strings"
)

func init() {
	register("csv_line", func(args textArgs) (any, error) {
		reader := csv.NewReader(strings.NewReader(args.Text))
		reader.TrimLeadingSpace = true
		return reader.Read()
	})
}
