package main

import (
	"os"
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type kustomizeArgs struct {
	Files  map[string]string `json:"files"`
	Target string            `json:"target"`
}

func init() {
	register("kustomize.build", kustomizeBuild)
}

// kustomizeBuild gives the objects that the kustomization in a folder of a tree builds.
func kustomizeBuild(args kustomizeArgs) (any, error) {
	// Kustomize warns of deprecated fields.
	warnings := os.Stderr
	defer func() { os.Stderr = warnings }()
	os.Stderr = nil
	files := filesys.MakeFsInMemory()
	for name, text := range args.Files {
		if err := files.WriteFile(path.Join("/", name), []byte(text)); err != nil {
			return nil, err
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, path.Join("/", args.Target))
	if err != nil {
		return nil, err
	}
	objects := []map[string]any{}
	for _, object := range built.Resources() {
		value, err := object.Map()
		if err != nil {
			return nil, err
		}
		objects = append(objects, value)
	}
	return objects, nil
}
