package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation"
)

func selected(selector labels.Selector, sets []labels.Set) []bool {
	results := make([]bool, len(sets))
	for i, set := range sets {
		results[i] = selector.Matches(set)
	}
	return results
}

func init() {
	register("label_selector", func(args struct {
		Selector *metav1.LabelSelector `json:"selector"`
		Labels   []labels.Set          `json:"labels"`
	}) (any, error) {
		selector, err := metav1.LabelSelectorAsSelector(args.Selector)
		if err != nil {
			return nil, err
		}
		return selected(selector, args.Labels), nil
	})
	register("label_requirement", func(args struct {
		Key      string       `json:"key"`
		Operator string       `json:"operator"`
		Values   []string     `json:"values"`
		Labels   []labels.Set `json:"labels"`
	}) (any, error) {
		requirement, err := labels.NewRequirement(args.Key, selection.Operator(args.Operator), args.Values)
		if err != nil {
			return nil, err
		}
		return selected(labels.NewSelector().Add(*requirement), args.Labels), nil
	})
	register("label_parse", func(args struct {
		Selector string       `json:"selector"`
		Labels   []labels.Set `json:"labels"`
	}) (any, error) {
		selector, err := labels.Parse(args.Selector)
		if err != nil {
			return nil, err
		}
		return selected(selector, args.Labels), nil
	})
	register("label_valid", func(args struct {
		Keys   []string `json:"keys"`
		Values []string `json:"values"`
	}) (any, error) {
		valid := map[string][]bool{"keys": {}, "values": {}}
		for _, key := range args.Keys {
			valid["keys"] = append(valid["keys"], len(validation.IsQualifiedName(key)) == 0)
		}
		for _, value := range args.Values {
			valid["values"] = append(valid["values"], len(validation.IsValidLabelValue(value)) == 0)
		}
		return valid, nil
	})
}
