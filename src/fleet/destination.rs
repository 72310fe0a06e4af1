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

/// The server that a destination means among these clusters; an empty text is no name or server.
///
/// # Errors
/// [`DestinationProblem`] when that is not exactly one.
pub fn resolve(name: &str, server: &str, clusters: &[Cluster<'_>]) -> Result<String, DestinationProblem> {
    let servers = clusters.iter().map(|cluster| (cluster.name, cluster.server.trim_end_matches('/')));
    match (name.is_empty(), server.is_empty()) {
        (false, false) => Err(DestinationProblem::Both),
        (true, true) => Err(DestinationProblem::Neither),
        (true, false) => {
            let server = server.trim_end_matches('/');
            let is_known = server == LOCAL_SERVER || servers.map(|(_, known)| known).any(|known| known == server);
            if is_known { Ok(server.to_owned()) } else { Err(DestinationProblem::Unknown) }
        }
        (false, true) => {
            let mut named = servers.filter(|(known, _)| *known == name).map(|(_, server)| server);
            match (named.next(), named.next()) {
                (Some(server), None) => Ok(server.to_owned()),
                (Some(_), Some(_)) => Err(DestinationProblem::Ambiguous),
                (None, _) if name == LOCAL_NAME => Ok(LOCAL_SERVER.to_owned()),
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
        assert_eq!(resolve("one", "", &CLUSTERS).as_deref(), Ok("https://1"));
        assert_eq!(resolve("", "https://2/", &CLUSTERS).as_deref(), Ok("https://2"));
    }

    #[test]
    fn the_local_cluster_needs_no_secret() {
        assert_eq!(resolve(LOCAL_NAME, "", &[]).as_deref(), Ok(LOCAL_SERVER));
        assert_eq!(resolve("", LOCAL_SERVER, &[]).as_deref(), Ok(LOCAL_SERVER));
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
