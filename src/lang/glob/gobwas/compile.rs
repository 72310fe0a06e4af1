//! From nodes to a matcher, with the library's shortcuts. Mirrors gobwas/glob 0.2.3, `compiler/compiler.go`.
//!
//! The library splits a list of matchers at the longest one of fixed length (the last, if several), then splits both
//! sides again, and so on. Walking the list from left to right visits the same tree, so that only what the split
//! decides is kept: which matchers are searched for, where an empty find must be made up for, and which neighbours
//! become one.

use super::matcher::{Matcher, Step};
use super::parse::Node;

/// The matcher for a sequence of nodes.
pub fn compile(nodes: &[Node], separators: &[char]) -> Matcher {
    if nodes.is_empty() {
        return Matcher::Nothing;
    }
    join(glue(nodes.iter().map(|node| compile_node(node, separators)).collect()))
}

fn compile_node(node: &Node, separators: &[char]) -> Matcher {
    match node {
        Node::Text(text) => Matcher::Text(text.clone().into_bytes()),
        Node::Any => Matcher::Any(separators.to_vec()),
        Node::Super => Matcher::Any(Vec::new()),
        Node::Single => Matcher::Single(separators.to_vec()),
        Node::List { characters, negated: false } if characters.len() == 1 => {
            Matcher::Text(characters[0].to_string().into_bytes())
        }
        Node::List { characters, negated } => Matcher::List { characters: characters.clone(), negated: *negated },
        Node::Range { low, high, negated } => Matcher::Range { low: *low, high: *high, negated: *negated },
        Node::AnyOf(alternatives) => match factor(alternatives) {
            Some(factored) => compile(&factored, separators),
            None if alternatives.len() == 1 => compile_node(&alternatives[0], separators),
            None => Matcher::AnyOf(alternatives.iter().map(|node| compile_node(node, separators)).collect()),
        },
        Node::Sequence(nodes) => compile(nodes, separators),
        Node::Nothing => Matcher::Nothing,
    }
}

/// Takes out what all alternatives begin or end with.
fn factor(alternatives: &[Node]) -> Option<Vec<Node>> {
    let sequences: Option<Vec<&[Node]>> = alternatives
        .iter()
        .map(|node| if let Node::Sequence(nodes) = node { Some(nodes.as_slice()) } else { None })
        .collect();
    let sequences = sequences?;
    let shortest = *sequences.iter().min_by_key(|nodes| nodes.len())?;
    if sequences.len() < 2 || shortest.is_empty() {
        return None;
    }
    let same = |at: &dyn Fn(usize) -> usize| {
        sequences.iter().all(|nodes| nodes[at(nodes.len())] == shortest[at(shortest.len())])
    };
    let other = sequences.iter().find(|nodes| !std::ptr::eq(**nodes, shortest))?;
    // From both ends at once, until the shortest is used up. A node that both sides reach goes to the left, if the
    // first of the other alternatives has it, too.
    let (mut left, mut right) = (0, 0);
    let (mut left_open, mut right_open) = (true, true);
    for step in 0..shortest.len() {
        let from_right = shortest.len() - 1 - step;
        if left + right >= shortest.len() || !(left_open || right_open) {
            break;
        }
        let taken = from_right <= step && left_open && other[step] == shortest[step];
        left_open = left_open && same(&|_| step);
        right_open = right_open && !taken && same(&|length| length - 1 - step);
        left += usize::from(left_open);
        right += usize::from(right_open);
    }
    if left + right == 0 {
        return None;
    }
    let mut rests: Vec<Node> = Vec::new();
    for nodes in &sequences {
        let rest = &nodes[left..nodes.len() - right];
        let rest = if rest.is_empty() { Node::Nothing } else { Node::Sequence(rest.to_vec()) };
        if !rests.contains(&rest) {
            rests.push(rest);
        }
    }
    let mut factored = Vec::new();
    if left > 0 {
        factored.push(Node::Sequence(shortest[..left].to_vec()));
    }
    match rests.as_slice() {
        [Node::Nothing] => {}
        [_] => factored.append(&mut rests),
        _ => factored.push(Node::AnyOf(rests)),
    }
    if right > 0 {
        factored.push(Node::Sequence(shortest[shortest.len() - right..].to_vec()));
    }
    Some(factored)
}

/// Joins neighbours, the longest run first, until none are left that could be joined.
fn glue(mut matchers: Vec<Matcher>) -> Vec<Matcher> {
    let mut links: Vec<Link> = matchers.iter().map(Link::new).collect();
    while let Some(Run { start, end, length }) = longest_run(&links) {
        let run: Vec<Matcher> = matchers.splice(start..end, [Matcher::Nothing]).collect();
        matchers[start] = match length {
            Some(length) => Matcher::Row { length, parts: run },
            None => one_of_wild(&run),
        };
        links.splice(start..end, [Link::new(&matchers[start])]);
    }
    matchers
}

/// What decides whether a matcher can be joined with its neighbours.
struct Link {
    stops: Option<Vec<char>>,
    length: Option<usize>,
}

impl Link {
    fn new(matcher: &Matcher) -> Link {
        Link { stops: stops_of(matcher).map(<[char]>::to_vec), length: matcher.fixed_length() }
    }
}

/// Neighbours that can be joined: wildcards with the same separators, or else matchers with a fixed length, whose sum
/// is `length`.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    length: Option<usize>,
}

/// The run that the library prefers. It looks at the longest from every place on, and one is better than that before it
/// if it joins more, or if both have a length and its own is greater.
fn longest_run(links: &[Link]) -> Option<Run> {
    let mut runs = vec![Run { start: 0, end: 0, length: None }; links.len()];
    let (mut wild_end, mut fixed_end, mut length) = (0, 0, 0);
    for (start, link) in links.iter().enumerate().rev() {
        if link.stops.is_none() || links.get(start + 1).is_none_or(|next| next.stops != link.stops) {
            wild_end = start + 1;
        }
        match link.length {
            Some(own) if fixed_end > start => length += own,
            Some(own) => (fixed_end, length) = (start + 1, own),
            None => (fixed_end, length) = (start, 0),
        }
        runs[start] = if wild_end >= fixed_end {
            Run { start, end: wild_end, length: None }
        } else {
            Run { start, end: fixed_end, length: Some(length) }
        };
    }
    let is_better = |best: Run, run: Run| {
        let is_longer = best.length.zip(run.length).is_some_and(|(best, run)| run > best);
        is_longer || best.end - best.start < run.end - run.start
    };
    runs.into_iter()
        .filter(|run| run.end - run.start > 1)
        .reduce(|best, run| if is_better(best, run) { run } else { best })
}

/// The characters that a wildcard stops at. A negated list counts as one: `[!ab][!ab]` is taken for two `?` that stop
/// at "ab".
fn stops_of(matcher: &Matcher) -> Option<&[char]> {
    match matcher {
        Matcher::Any(stops) | Matcher::Single(stops) | Matcher::List { characters: stops, negated: true } => {
            Some(stops)
        }
        _ => None,
    }
}

/// One wildcard for a run of them.
fn one_of_wild(matchers: &[Matcher]) -> Matcher {
    let least = matchers.iter().filter(|matcher| matcher.fixed_length().is_some()).count();
    let stops = stops_of(&matchers[0]).unwrap_or_default();
    let exact = least == matchers.len();
    match least {
        0 => matchers[0].clone(),
        _ => Matcher::Count { least, exact, without: stops.iter().collect::<String>().into_bytes() },
    }
}

/// The matcher for a list in which nothing is left to glue.
fn join(mut matchers: Vec<Matcher>) -> Matcher {
    if let Some(simple) = simple(&matchers) {
        return simple;
    }
    // A text beside an element that became a prefix or suffix in its brace overlaps with it, when it is split off last.
    let length = |at: usize| matchers.get(at).and_then(Matcher::fixed_length);
    if let [Matcher::Text(prefix), Matcher::Suffix(stops, suffix), ..] = matchers.as_slice()
        && stops.is_empty()
        && length(2) >= length(0)
    {
        let both = Matcher::PrefixSuffix(prefix.clone(), suffix.clone());
        matchers.splice(..2, [both]);
    }
    let last = matchers.len() - 1;
    if let [.., split, Matcher::Prefix(prefix, stops), Matcher::Text(suffix)] = matchers.as_slice()
        && stops.is_empty()
        && split.fixed_length() > matchers[last].fixed_length()
    {
        let both = Matcher::PrefixSuffix(prefix.clone(), suffix.clone());
        matchers.splice(last - 1.., [both]);
    }
    let lengths: Vec<Option<usize>> = matchers.iter().map(Matcher::fixed_length).collect();
    let steps = matchers.into_iter().enumerate().map(|(at, matcher)| {
        let length = lengths[at];
        // How far the part of the list reaches that the split at this matcher leaves to its right.
        let reach = lengths[at + 1..].iter().take_while(|&&other| other < length || other.is_none()).count();
        Step {
            matcher,
            searched: length.is_some() || reach > 0,
            deadline: at + 1 + reach,
            aligned: at > 0 && length.is_some() && lengths[..at].iter().all(|&other| other <= length),
        }
    });
    Matcher::Tree(steps.collect())
}

/// Lists for which the library has one matcher. A wildcard without separators is `**`.
fn simple(matchers: &[Matcher]) -> Option<Matcher> {
    use Matcher::{Any, Contains, Prefix, PrefixSuffix, Suffix, Text};
    let crosses = |stops: &[char]| stops.is_empty();
    Some(match matchers {
        [only] => only.clone(),
        [Any(left), Text(text), Any(right)] if crosses(left) && crosses(right) => Contains(text.clone()),
        [Any(stops), Text(text)] => Suffix(stops.clone(), text.clone()),
        [Text(text), Any(stops)] => Prefix(text.clone(), stops.clone()),
        [Text(prefix), Any(stops), Text(suffix)]
        | [Text(prefix), Suffix(stops, suffix)]
        | [Prefix(prefix, stops), Text(suffix)]
            if crosses(stops) =>
        {
            PrefixSuffix(prefix.clone(), suffix.clone())
        }
        _ => return None,
    })
}
