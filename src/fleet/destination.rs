//! Destinations: the cluster that `name` or `server` means.
//!
//! Mirrors Argo CD 3.6, `util/argo`, `GetDestinationCluster`, and `util/db/cluster.go`.

/// The server of the cluster that Argo CD itself runs in; always known.
pub const LOCAL_SERVER: &str = "https://kubernetes.default.svc";

/// The name of that cluster, unless its Secret says otherwise.
pub const LOCAL_NAME: &str = "in-cluster";

/// A cluster that Argo CD knows by a Secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cluster<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its API server.
    pub server: &'a str,
}

/// Why a destination means no cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DestinationProblem {
    /// It has a name and a server.
    Both,
    /// It has neither.
    Neither,
    /// No cluster is called so, or has this server.
    Unknown,
    /// Several clusters are called so.
    Ambiguous,
}

/// The cluster that a destination means among these; an empty text is no name or server.
///
/// # Errors
/// [`DestinationProblem`] when that is not exactly one.
pub fn resolve<'a>(
    name: &'a str,
    server: &'a str,
    clusters: &[Cluster<'a>],
) -> Result<Cluster<'a>, DestinationProblem> {
    let trimmed = |cluster: &Cluster<'a>| Cluster { server: cluster.server.trim_end_matches('/'), ..*cluster };
    let local = Cluster { name: LOCAL_NAME, server: LOCAL_SERVER };
    let mut known = clusters.iter().map(trimmed);
    match (name.is_empty(), server.is_empty()) {
        (false, false) => Err(DestinationProblem::Both),
        (true, true) => Err(DestinationProblem::Neither),
        (true, false) => {
            let server = server.trim_end_matches('/');
            let found = known.find(|known| known.server == server);
            found.or(Some(local).filter(|local| local.server == server)).ok_or(DestinationProblem::Unknown)
        }
        (false, true) => {
            let mut named = known.filter(|known| known.name == name);
            match (named.next(), named.next()) {
                (Some(cluster), None) => Ok(cluster),
                (Some(_), Some(_)) => Err(DestinationProblem::Ambiguous),
                (None, _) if name == LOCAL_NAME => Ok(local),
                (None, _) => Err(DestinationProblem::Unknown),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUSTERS: [Cluster<'_>; 3] = [
        Cluster { name: "one", server: "https://1/" },
        Cluster { name: "two", server: "https://2" },
        Cluster { name: "two", server: "https://3" },
    ];

    #[test]
    fn a_name_or_a_server_means_a_cluster() {
        assert_eq!(resolve("one", "", &CLUSTERS), Ok(Cluster { name: "one", server: "https://1" }));
        assert_eq!(resolve("", "https://2/", &CLUSTERS), Ok(Cluster { name: "two", server: "https://2" }));
    }

    #[test]
    fn the_local_cluster_needs_no_secret() {
        let local = Cluster { name: LOCAL_NAME, server: LOCAL_SERVER };
        assert_eq!(resolve(LOCAL_NAME, "", &[]), Ok(local));
        assert_eq!(resolve("", LOCAL_SERVER, &[]), Ok(local));
    }

    #[test]
    fn anything_else_is_a_problem() {
        assert_eq!(resolve("one", "https://1", &CLUSTERS), Err(DestinationProblem::Both));
        assert_eq!(resolve("", "", &CLUSTERS), Err(DestinationProblem::Neither));
        assert_eq!(resolve("two", "", &CLUSTERS), Err(DestinationProblem::Ambiguous));
        assert_eq!(resolve("three", "", &CLUSTERS), Err(DestinationProblem::Unknown));
        assert_eq!(resolve("", "https://4", &CLUSTERS), Err(DestinationProblem::Unknown));
    }
}
