//! Why kustomize refuses to build something.

/// Why kustomize refuses to build something, as far as it is noticed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Failure {
    /// A path leads nowhere.
    Missing,
    /// A path is absolute.
    Absolute,
    /// A file lies outside of the folder of the kustomization that names it.
    OutsideFolder,
    /// A folder has no kustomization.
    NoKustomization,
    /// A folder has several kustomizations.
    SeveralKustomizations,
    /// A kustomization says nothing beyond its header.
    Empty,
    /// Something else stands in a kustomization's file, or it is of the wrong version.
    Header,
    /// A file is no YAML.
    Syntax,
    /// A folder is part of its own build.
    Cycle,
    /// A Component is used as a resource.
    ComponentAsResource,
    /// A kustomization is used as a Component.
    ResourceAsComponent,
    /// A file is used as a Component.
    FileAsComponent,
    /// A document of a resource file is no object with a name.
    NoObject,
    /// An object is there already.
    Collision,
    /// A folder stands where a file is needed.
    NoFile,
    /// A patch says nothing.
    EmptyPatch,
    /// A list of operations has no target.
    NoTarget,
    /// Several merge patches share one target.
    SharedTarget,
    /// A merge patch names an object that is not there.
    UnmatchedPatch,
    /// A merge patch names several objects.
    AmbiguousPatch,
    /// An operation leads nowhere in an object, or its test fails.
    MisfitOperation,
    /// An entry of `replicas` names no workload that it can scale.
    UnmatchedReplica,
}
