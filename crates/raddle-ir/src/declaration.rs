//! What a library model declares of itself: facts that its body does not show; and what a program declares of its functions, to
//! be checked.
//!
//! In C a declaration is an attribute `annotate("raddle: WORDS")` of the function; `raddle-clang/models/kernel.h` has a macro for
//! each. The words are those of the text form, too. What is not declared counts as the worst case, so an omission costs
//! a proof or a reduction; a declaration that is false is noticed where it is used (see each variant), and what a user
//! declares in a file of `--models` is printed as an assumption.

use std::fmt;
use std::str::FromStr;

/// One declaration of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// These results carry no information about another thread, or come with an edge of happens-before; `None`: no
    /// result carries any.
    Ordered(Option<Vec<i32>>),
    /// The same, if waits may end by spurious wake-ups; else every result carries information.
    OrderedWithSpurious(Vec<i32>),
    /// The function is called only in programs that contain one of these functions. Another call is the end of the run:
    /// `unknown`.
    ActsAfter(Vec<String>),
    /// The second section of the function takes the lock that the parameter points to, and blocks whenever a call of the
    /// other function would, with these arguments after the lock.
    Retakes { parameter: u8, like: String, arguments: Vec<u64> },
    /// A join may return before the end of the joined thread, once the function has been called.
    EndsJoins,
    /// The function creates a thread and writes its number to where the first parameter points; the last two parameters
    /// are what the thread runs, and its argument.
    Creates,
    /// The function returns after the end of the thread that the first parameter names, and joins it.
    Joins,
    /// The function takes the lock that the parameter points to. `held`, `kept`, `not` and `refused` are all its results.
    /// With `kept` the thread had an exclusive hold before, and has it still, and no further one. The last
    /// come only from locks that were destroyed or damaged, or of a kind that refuses ([`Declaration::Refuses`]).
    Takes { parameter: u8, hold: Hold, held: Vec<i32>, kept: Vec<i32>, not: Vec<i32>, refused: Vec<i32> },
    /// The function gives back one hold of the lock that the parameter points to, whichever thread has it.
    Gives { parameter: u8 },
    /// The function gives one hold back and takes it again.
    WaitsWith { parameter: u8 },
    /// The function makes the bytes that the parameter points to a free lock, unless it is held. Whether the lock refuses
    /// threads depends on what the parameter `by` points to, if that is not null ([`Declaration::Attributes`]).
    Makes { parameter: u8, by: Option<u8> },
    /// The lock refuses from then on, unless it is held.
    Unmakes { parameter: u8 },
    /// Called with a number that is none of these, locks may be made that refuse a thread.
    Refuses { parameter: u8, unless: Vec<u64> },
    /// What the function stores in the attributes that its first parameter points to makes no lock refuse a thread, unless
    /// [`Declaration::Refuses`] says so; it stores nothing else.
    Attributes,
    /// Of a function of the program itself (`RADDLE_ATOMIC` of `raddle.h`): its calls are atomic. The lint checks it; nothing
    /// relies on it.
    Atomic,
    /// The kind of the lock that the function takes, gives back, makes or unmakes. Locks of different kinds mean different
    /// things by the same bytes.
    OfKind(String),
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hold {
    Shared,
    Exclusive,
    /// Exclusive, and counted: a holder that takes it again has one hold more or waits for ever.
    Nested,
}

impl Hold {
    const WORDS: [(&'static str, Hold); 3] =
        [("shared", Hold::Shared), ("exclusive", Hold::Exclusive), ("nested", Hold::Nested)];

    fn word(self) -> &'static str {
        Hold::WORDS.iter().find(|(_, hold)| *hold == self).map_or("", |(word, _)| word)
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let listed = |f: &mut fmt::Formatter, results: &[i32]| {
            results.iter().try_for_each(|result| write!(f, " {result}"))
        };
        match self {
            Declaration::Ordered(None) => write!(f, "ordered always"),
            Declaration::Ordered(Some(results)) => {
                write!(f, "ordered")?;
                listed(f, results)
            }
            Declaration::OrderedWithSpurious(results) => {
                write!(f, "ordered with spurious wake-ups")?;
                listed(f, results)
            }
            Declaration::ActsAfter(functions) => write!(f, "acts after {}", functions.join(" ")),
            Declaration::Retakes { parameter, like, arguments } => {
                write!(f, "retakes {parameter} like {like}")?;
                arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
            }
            Declaration::EndsJoins => write!(f, "ends joins"),
            Declaration::Creates => write!(f, "creates"),
            Declaration::Joins => write!(f, "joins"),
            Declaration::Takes { parameter, hold, held, kept, not, refused } => {
                write!(f, "takes {parameter} {}", hold.word())?;
                for (word, results) in [("on", held), ("kept", kept), ("not", not), ("refused", refused)] {
                    if !results.is_empty() {
                        write!(f, " {word}")?;
                        listed(f, results)?;
                    }
                }
                Ok(())
            }
            Declaration::Gives { parameter } => write!(f, "gives {parameter}"),
            Declaration::WaitsWith { parameter } => write!(f, "waits with {parameter}"),
            Declaration::Makes { parameter, by: None } => write!(f, "makes {parameter}"),
            Declaration::Makes { parameter, by: Some(by) } => write!(f, "makes {parameter} by {by}"),
            Declaration::Unmakes { parameter } => write!(f, "unmakes {parameter}"),
            Declaration::Refuses { parameter, unless } => {
                write!(f, "refuses unless {parameter} in")?;
                unless.iter().try_for_each(|number| write!(f, " {number}"))
            }
            Declaration::Attributes => write!(f, "sets attributes"),
            Declaration::Atomic => write!(f, "atomic"),
            Declaration::OfKind(kind) => write!(f, "lock of kind {kind}"),
        }
    }
}

/// Words that are no declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotADeclaration;

impl FromStr for Declaration {
    type Err = NotADeclaration;

    fn from_str(text: &str) -> Result<Declaration, NotADeclaration> {
        let words: Vec<&str> = text.split_whitespace().collect();
        fn numbers<T: FromStr>(words: &[&str]) -> Result<Vec<T>, NotADeclaration> {
            words.iter().map(|word| word.parse().map_err(|_| NotADeclaration)).collect()
        }
        fn one(word: &str) -> Result<u8, NotADeclaration> {
            word.parse().map_err(|_| NotADeclaration)
        }
        Ok(match &words[..] {
            ["ordered", "always"] => Declaration::Ordered(None),
            ["ordered", "with", "spurious", "wake-ups", results @ ..] => {
                Declaration::OrderedWithSpurious(numbers(results)?)
            }
            ["ordered", results @ ..] if !results.is_empty() => Declaration::Ordered(Some(numbers(results)?)),
            ["acts", "after", functions @ ..] if !functions.is_empty() => {
                Declaration::ActsAfter(functions.iter().map(|name| name.to_string()).collect())
            }
            ["retakes", parameter, "like", like, arguments @ ..] => Declaration::Retakes {
                parameter: parameter.parse().map_err(|_| NotADeclaration)?,
                like: like.to_string(),
                arguments: numbers(arguments)?,
            },
            ["ends", "joins"] => Declaration::EndsJoins,
            ["creates"] => Declaration::Creates,
            ["joins"] => Declaration::Joins,
            ["takes", parameter, mode, results @ ..] => {
                let hold = Hold::WORDS.iter().find(|(word, _)| word == mode).ok_or(NotADeclaration)?.1;
                let mut lists: [Vec<i32>; 4] = Default::default();
                let mut list = None;
                for word in results {
                    match ["on", "kept", "not", "refused"].iter().position(|key| key == word) {
                        Some(key) => list = Some(key),
                        None => lists[list.ok_or(NotADeclaration)?]
                            .push(word.parse().map_err(|_| NotADeclaration)?),
                    }
                }
                let [held, kept, not, refused] = lists;
                if held.is_empty() {
                    return Err(NotADeclaration);
                }
                Declaration::Takes { parameter: one(parameter)?, hold, held, kept, not, refused }
            }
            ["gives", parameter] => Declaration::Gives { parameter: one(parameter)? },
            ["waits", "with", parameter] => Declaration::WaitsWith { parameter: one(parameter)? },
            ["makes", parameter] => Declaration::Makes { parameter: one(parameter)?, by: None },
            ["makes", parameter, "by", by] => {
                Declaration::Makes { parameter: one(parameter)?, by: Some(one(by)?) }
            }
            ["unmakes", parameter] => Declaration::Unmakes { parameter: one(parameter)? },
            ["refuses", "unless", parameter, "in", unless @ ..] => {
                Declaration::Refuses { parameter: one(parameter)?, unless: numbers(unless)? }
            }
            ["sets", "attributes"] => Declaration::Attributes,
            ["atomic"] => Declaration::Atomic,
            ["lock", "of", "kind", kind] => Declaration::OfKind(kind.to_string()),
            _ => return Err(NotADeclaration),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for text in [
            "ordered always",
            "ordered 0 -1 35",
            "ordered with spurious wake-ups 0",
            "acts after f g",
            "retakes 1 like f 0 7",
            "ends joins",
            "creates",
            "joins",
            "takes 0 nested on 0 not 16 refused 22 35",
            "takes 1 shared on 0",
            "takes 0 shared on 0 kept 35 refused 22",
            "makes 0 by 1",
            "sets attributes",
            "atomic",
            "lock of kind mutex",
            "gives 0",
            "waits with 1",
            "makes 0",
            "unmakes 0",
            "refuses unless 1 in 0 1 3",
        ] {
            let declaration: Declaration = text.parse().expect(text);
            assert_eq!(declaration.to_string(), text);
        }
        for text in [
            "",
            "ordered",
            "ordered x",
            "acts after",
            "retakes 1 f",
            "joins 1",
            "retakes 300 like f",
            "takes 0 nested",
            "takes 0 never on 0",
            "takes 0 nested 0",
            "gives x",
            "refuses unless 1",
        ] {
            assert_eq!(text.parse::<Declaration>(), Err(NotADeclaration), "{text}");
        }
    }
}
