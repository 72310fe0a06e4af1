#!/usr/bin/env bash
# Runs the hook of .pre-commit-hooks.yaml with the real pre-commit: it finds a fault, and passes on a clean repository.
# Needs pre-commit, git and cargo; builds the program once in release mode, so it is no part of `cargo test`.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
command -v pre-commit >/dev/null || { echo 'skipped: pre-commit is not installed (pip install pre-commit)'; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/cache
git clone -q "$top" "$work/plimsoll"
git init -q -b main "$work/fleet"
cd "$work/fleet"
cat >.pre-commit-config.yaml <<YAML
repos:
  - repo: $work/plimsoll
    rev: $(git -C "$work/plimsoll" rev-parse HEAD)
    hooks: [{id: plimsoll}]
YAML
mkdir -p apps charts/shop
echo 'name: shop' >charts/shop/Chart.yaml
app() {
    cat >apps/shop.yaml <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
spec:
  project: default
  source:
    repoURL: https://git.example.com/acme/fleet.git
    path: $1
  destination:
    name: in-cluster
YAML
    git add .
}

app charts/shpo
if output=$(pre-commit run --color never 2>&1); then
    echo "the hook passes on a fault: $output" >&2
    exit 1
fi
grep -q 'dangling-source-path' <<<"$output" || { echo "the hook fails for another reason: $output" >&2; exit 1; }
app charts/shop
pre-commit run --color never
echo 'the hook finds a fault, and passes on a clean repository'
