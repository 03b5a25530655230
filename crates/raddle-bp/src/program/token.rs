//! The words of the language.

use super::Span;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Name(String),
    Number(String),
    Keyword(Keyword),
    /// A sign such as `:=`, by its first spelling.
    Sign(&'static str),
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Name(text) | TokenKind::Number(text) => {
                // Generated names may be pages long.
                let short: String = text.chars().take(60).collect();
                write!(f, "`{short}{}`", if short.len() < text.len() { "..." } else { "" })
            }
            TokenKind::Keyword(keyword) => write!(f, "`{}`", keyword.text()),
            TokenKind::Sign(text) => write!(f, "`{text}`"),
            TokenKind::End => write!(f, "the end of the text"),
        }
    }
}

/// All signs that are two or three characters long come before their prefixes. The second is the parser's name for it.
pub(crate) const SIGNS: [(&str, &str); 26] = [
    ("==>", "=>"),
    ("=>", "=>"),
    (":=", ":="),
    ("==", "="),
    ("!=", "!="),
    ("<>", "!="),
    ("&&", "&"),
    ("||", "|"),
    ("=", "="),
    ("!", "!"),
    ("~", "!"),
    ("&", "&"),
    ("|", "|"),
    ("^", "^"),
    ("?", "?"),
    (":", ":"),
    (";", ";"),
    (",", ","),
    ("'", "'"),
    ("*", "*"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("<", "<"),
    (">", ">"),
];

macro_rules! keywords {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// Words that are no names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Keyword { $($variant),* }

        impl Keyword {
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text),* }
            }

            pub(crate) fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$variant),)* _ => None }
            }
        }
    };
}

keywords! {
    Decl "decl", Void "void", Bool "bool", Begin "begin", End "end", Enforce "enforce", Skip "skip", Goto "goto",
    Return "return", Constrain "constrain", If "if", Then "then", Elsif "elsif", Else "else", Fi "fi",
    While "while", Do "do", Od "od", Assert "assert", Assume "assume", Dead "dead", Print "print",
    StartThread "start_thread", EndThread "end_thread", ThreadEnd "thread_end", AtomicBegin "atomic_begin",
    AtomicEnd "atomic_end", Schoose "schoose", ShortTrue "T", ShortFalse "F", True "true", False "false",
}
