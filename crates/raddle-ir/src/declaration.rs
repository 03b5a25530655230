//! What a library model declares of itself: facts that its body does not show.
//!
//! In C a declaration is an attribute `annotate("raddle: WORDS")` of the function; `models/kernel.h` has a macro for
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
        ] {
            let declaration: Declaration = text.parse().expect(text);
            assert_eq!(declaration.to_string(), text);
        }
        for text in ["", "ordered", "ordered x", "acts after", "retakes 1 f", "joins 1", "retakes 300 like f"]
        {
            assert_eq!(text.parse::<Declaration>(), Err(NotADeclaration), "{text}");
        }
    }
}
