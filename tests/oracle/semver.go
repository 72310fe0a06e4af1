package main

import "github.com/Masterminds/semver/v3"

func init() {
	register("semver_constraint", func(args struct {
		Constraint string   `json:"constraint"`
		Versions   []string `json:"versions"`
	}) (any, error) {
		constraint, err := semver.NewConstraint(args.Constraint)
		if err != nil {
			return nil, err
		}
		results := []int{}
		for _, text := range args.Versions {
			version, err := semver.NewVersion(text)
			switch {
			case err != nil:
				results = append(results, badPattern)
			case constraint.Check(version):
				results = append(results, match)
			default:
				results = append(results, noMatch)
			}
		}
		return results, nil
	})
	register("semver_compare", func(args struct {
		Left  string `json:"left"`
		Right string `json:"right"`
	}) (any, error) {
		left, err := semver.NewVersion(args.Left)
		if err != nil {
			return nil, err
		}
		right, err := semver.NewVersion(args.Right)
		if err != nil {
			return nil, err
		}
		return left.Compare(right), nil
	})
	register("semver_strict", func(args struct {
		Versions []string `json:"versions"`
	}) (any, error) {
		results := []bool{}
		for _, text := range args.Versions {
			_, err := semver.StrictNewVersion(text)
			results = append(results, err == nil)
		}
		return results, nil
	})
}
