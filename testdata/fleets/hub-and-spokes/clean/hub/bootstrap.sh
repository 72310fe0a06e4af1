#!/bin/sh
# Installs Argo CD on the hub cluster, once. From then on it reconciles itself (Application hub-argocd).
set -eu
cd "$(dirname "$0")"

# Twice: the first run creates the CRDs that the second one needs.
for round in 1 2; do
  kustomize build --enable-helm workloads/argocd/envs/hub |
    kubectl apply --server-side --force-conflicts -f - || [ "$round" = 1 ]
  kubectl wait --for=condition=Established --timeout=60s crd/applications.argoproj.io crd/appprojects.argoproj.io
done

kubectl apply -f root-app-of-apps.yaml
