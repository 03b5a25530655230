//! Colour, if wanted. Text is measured and padded before it is painted, so colour never moves a column.

/// What a piece of text is; decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Plain,
    Heading,
    Faint,
    Bad,
    Good,
    Caution,
    Value,
}

/// All that a painter puts into a text.
pub(crate) const SEQUENCES: [&str; 7] =
    ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];

/// Paints text, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    pub colour: bool,
}

impl Painter {
    pub(crate) fn paint(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Plain => "",
            Role::Heading => "1",
            Role::Faint => "2",
            Role::Bad => "1;31",
            Role::Good => "32",
            Role::Caution => "33",
            Role::Value => "36",
        };
        if !self.colour || code.is_empty() || text.trim().is_empty() {
            return text.to_string();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
