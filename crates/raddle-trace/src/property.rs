//! The properties that can be checked, spelt as on the command line.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// One property; the report has one row for each.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// No assertion fails and no error function is reached.
    Assert,
    /// No two unordered accesses to the same bytes, one of them a plain one and one of them a write.
    Race,
    /// No state in which threads are blocked for ever, by each other or by a wait that no thread can end.
    Deadlock,
    /// No null, dangling or out-of-bounds access, no invalid free, no use of an uninitialised value.
    Memsafety,
    /// No signed overflow, division by zero or shift out of range.
    Overflow,
    /// No misuse of locks and threads, such as unlocking what is not held.
    Locks,
    /// No heap object is lost at the end of the process.
    Leak,
    /// No fair infinite run.
    Termination,
    /// A formula of linear temporal logic holds on every run.
    Ltl(String),
    /// A C expression over globals holds after each visible operation.
    Invariant(String),
    /// The target of a thread transition system is not covered.
    Target,
}

impl Property {
    /// What `check` judges when no property is named.
    pub fn default_set() -> Vec<Property> {
        vec![
            Property::Assert,
            Property::Race,
            Property::Deadlock,
            Property::Memsafety,
            Property::Overflow,
            Property::Locks,
        ]
    }

    /// The word before `=`: `assert`, `race`, ..., `ltl`, `invariant`.
    pub fn word(&self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Memsafety => "memsafety",
            Property::Overflow => "overflow",
            Property::Locks => "locks",
            Property::Leak => "leak",
            Property::Termination => "termination",
            Property::Ltl(_) => "ltl",
            Property::Invariant(_) => "invariant",
            Property::Target => "target",
        }
    }

    /// One sentence for a reader who does not know the word.
    pub fn describe(&self) -> &'static str {
        match self {
            Property::Assert => "no assertion fails",
            Property::Race => "no data race",
            Property::Deadlock => "no deadlock",
            Property::Memsafety => "no memory error",
            Property::Overflow => "no arithmetic overflow",
            Property::Locks => "no misuse of locks or threads",
            Property::Leak => "no heap object is unreachable at exit",
            Property::Termination => "every fair run terminates",
            Property::Ltl(_) => "the temporal formula holds on every run",
            Property::Invariant(_) => "the invariant holds in every state",
            Property::Target => "the target is not covered",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Ltl(formula) => write!(f, "ltl={formula}"),
            Property::Invariant(expression) => write!(f, "invariant={expression}"),
            plain => f.write_str(plain.word()),
        }
    }
}

/// Why a property's spelling was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyParseError(String);

impl fmt::Display for PropertyParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PropertyParseError {}

impl FromStr for Property {
    type Err = PropertyParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let with_argument = |word: &str, argument: &str, what: &str| {
            if argument.trim().is_empty() {
                Err(PropertyParseError(format!("`{word}=` needs {what} after the equals sign")))
            } else {
                Ok(argument.to_string())
            }
        };
        match text.split_once('=') {
            Some(("ltl", formula)) => with_argument("ltl", formula, "a formula").map(Property::Ltl),
            Some(("invariant", e)) => with_argument("invariant", e, "an expression").map(Property::Invariant),
            _ => match text {
                "assert" => Ok(Property::Assert),
                "race" => Ok(Property::Race),
                "deadlock" => Ok(Property::Deadlock),
                "memsafety" => Ok(Property::Memsafety),
                "overflow" => Ok(Property::Overflow),
                "locks" => Ok(Property::Locks),
                "leak" => Ok(Property::Leak),
                "termination" => Ok(Property::Termination),
                "target" => Ok(Property::Target),
                _ => Err(PropertyParseError(format!(
                    "`{text}` is not a property; known are assert, race, deadlock, memsafety, overflow, locks, leak, \
                     termination, invariant=EXPR, ltl=FORMULA, and target (of a .tts); several are given one by one"
                ))),
            },
        }
    }
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Property {
    fn schema_name() -> Cow<'static, str> {
        "Property".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A property, spelt as on the command line.",
            "pattern": "^(assert|race|deadlock|memsafety|overflow|locks|leak|termination|target|ltl=.*|invariant=.*)",
        })
    }
}

impl<'de> Deserialize<'de> for Property {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_round_trips() {
        let mut all = Property::default_set();
        all.extend([
            Property::Leak,
            Property::Termination,
            Property::Target,
            Property::Ltl("G (p -> F q)".into()),
            Property::Invariant("a == b".into()),
        ]);
        for property in all {
            assert_eq!(property.to_string().parse(), Ok(property));
        }
    }

    #[test]
    fn refusals_name_the_choices() {
        assert!("races".parse::<Property>().unwrap_err().to_string().contains("deadlock"));
        assert!("ltl=".parse::<Property>().is_err());
        assert!("ltl".parse::<Property>().is_err());
    }
}
