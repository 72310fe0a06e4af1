//! Partial values: strings of known and unknown pieces, each with its span and, where unknown, the reason.

use crate::text::{Span, Spanned};

/// Why something cannot be known offline. The text of each is part of the list of undecided things.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// The repository with this URL is not among the roots.
    Repository(String),
    /// This revision is not the one that is checked out.
    Revision(String),
    /// The cluster's Secret is not in the roots.
    Cluster,
    /// A template of another tool stands here.
    Template,
    /// A value that exists only while the controller runs: a variable, a plugin's answer, a random number.
    Runtime(String),
    /// The path lies in a submodule that is not checked out.
    Submodule,
    /// A file that would decide could not be read.
    Unreadable,
    /// A kustomization changes the value before it reaches the cluster.
    Patched,
}

/// One thing that is not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Unknown {
    /// The reason.
    pub why: Why,
    /// Where the unknown thing is written.
    pub span: Span,
}

/// A part of a [`Text`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// Text that is certain.
    Known(Spanned<String>),
    /// A part of any length that cannot be known.
    Unknown(Unknown),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Known(text) => text.value.len(),
            Piece::Unknown(_) => 0,
        }
    }
}

/// A string that may have unknown parts. No two known pieces stand side by side.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Text {
    pieces: Vec<Piece>,
}

impl Text {
    /// A wholly known text.
    pub fn known_at(value: impl Into<String>, span: Span) -> Text {
        Text { pieces: vec![Piece::Known(Spanned::new(value.into(), span))] }
    }

    /// A wholly unknown text.
    pub fn unknown(why: Why, span: Span) -> Text {
        Text { pieces: vec![Piece::Unknown(Unknown { why, span })] }
    }

    /// The pieces, in order; none for the empty text without a place.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Appends a piece; known text joins a known neighbour when both come from one file.
    pub fn push(&mut self, piece: Piece) {
        if let (Some(Piece::Known(last)), Piece::Known(next)) = (self.pieces.last_mut(), &piece)
            && last.span.file == next.span.file
        {
            last.value.push_str(&next.value);
            last.span = last.span.to(next.span);
            return;
        }
        self.pieces.push(piece);
    }

    /// The whole string and its span, when every piece is known.
    pub fn known(&self) -> Option<Spanned<&str>> {
        match self.pieces.as_slice() {
            [Piece::Known(text)] => Some(Spanned::new(text.value.as_str(), text.span)),
            _ => None,
        }
    }

    /// The whole string, when every piece is known.
    pub fn as_str(&self) -> Option<&str> {
        self.known().map(|text| text.value)
    }

    /// Where the text is written: its first piece's place.
    pub fn span(&self) -> Span {
        match self.pieces.first() {
            Some(Piece::Known(text)) => text.span,
            Some(Piece::Unknown(unknown)) => unknown.span,
            None => Span::default(),
        }
    }

    /// The reasons why the text is not known, in order; empty when it is.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Unknown(unknown) => Some(unknown),
            Piece::Known(_) => None,
        })
    }
}

/// A tree of partial values: what a decoder reads, whether the text came from a file, a template or a patch.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing, written as such; the API server drops it, so decoders treat it as absent.
    Null(Span),
    /// `true` or `false`.
    Bool(Spanned<bool>),
    /// A number that has an exact integer form.
    Int(Spanned<i64>),
    /// Any other number.
    Float(Spanned<f64>),
    /// Text, perhaps with unknown parts.
    Text(Text),
    /// Items in order.
    List(List),
    /// Keys in order; a later entry with an equal key has already replaced the earlier one.
    Map(Map),
    /// A value of unknown shape.
    Unknown(Unknown),
}

/// The items of a list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct List {
    /// In order.
    pub items: Vec<Value>,
    /// The whole list.
    pub span: Span,
}

/// The entries of a map.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Map {
    /// In order; keys are unique.
    pub entries: Vec<(Spanned<String>, Value)>,
    /// The whole map.
    pub span: Span,
}

impl Map {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|(_, value)| value)
    }

    /// The place of a key.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|(name, _)| name.span)
    }
}

impl Value {
    /// Where the value is written.
    pub fn span(&self) -> Span {
        match self {
            Value::Null(span) => *span,
            Value::Bool(value) => value.span,
            Value::Int(value) => value.span,
            Value::Float(value) => value.span,
            Value::Text(text) => text.span(),
            Value::List(list) => list.span,
            Value::Map(map) => map.span,
            Value::Unknown(unknown) => unknown.span,
        }
    }

    /// The value as a map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The value of a key, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The items, when this is a list; none otherwise.
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(list) => &list.items,
            _ => &[],
        }
    }

    /// About how much it holds: one for itself and for everything in it, more for a long text.
    pub fn weight(&self) -> usize {
        match self {
            Value::Text(text) => 1 + text.pieces().iter().map(Piece::len).sum::<usize>() / 64,
            Value::List(list) => 1 + list.items.iter().map(Value::weight).sum::<usize>(),
            Value::Map(map) => 1 + map.entries.iter().map(|(_, value)| value.weight()).sum::<usize>(),
            _ => 1,
        }
    }

    /// The text, when this is one and wholly known.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => text.as_str(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;

    fn known(text: &str, start: u32) -> Piece {
        Piece::Known(Spanned::new(text.into(), Span::new(FileId(0), start, start + text.len() as u32)))
    }

    #[test]
    fn neighbouring_known_pieces_join() {
        let mut text = Text::default();
        text.push(known("ab", 0));
        text.push(known("c", 2));
        assert_eq!(text.as_str(), Some("abc"));
        assert_eq!(text.span().len(), 3);
    }

    #[test]
    fn one_unknown_piece_makes_the_whole_unknown() {
        let mut text = Text::known_at("a-", Span::default());
        text.push(Piece::Unknown(Unknown { why: Why::Cluster, span: Span::default() }));
        assert_eq!(text.as_str(), None);
        assert_eq!(text.unknowns().count(), 1);
    }
}
