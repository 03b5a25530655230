//! The words of a shell command, by the rules of POSIX for quoting, and by no others: the `command` of a compilation
//! database is "as it would be given to a shell", but nothing in it is expanded or run.

/// Splits a command into words. `Err` says what a shell would wait for.
pub fn split(command: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(letter) => word.push(letter),
                        None => return Err("a ' without its end"),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        // Inside, a backslash quotes only what would be special there.
                        Some('\\') => match letters.next() {
                            Some('\n') => {}
                            Some(letter @ ('$' | '`' | '"' | '\\')) => word.push(letter),
                            Some(letter) => word.extend(['\\', letter]),
                            None => return Err("a \" without its end"),
                        },
                        Some(letter) => word.push(letter),
                        None => return Err("a \" without its end"),
                    }
                }
            }
            '\\' => match letters.next() {
                Some('\n') => {}
                Some(letter) => word.get_or_insert_default().push(letter),
                None => return Err("a \\ at its end"),
            },
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quoting_as_in_a_shell() {
        for (command, expected) in [
            ("", &[][..]),
            ("  cc  -c\ta.c\n", &["cc", "-c", "a.c"]),
            (r#"-DS=\"a\ b\" 'c d'"#, &["-DS=\"a b\"", "c d"]),
            (r#""-DS=\"x y\"""#, &["-DS=\"x y\""]),
            (r#"'-DS="x y"'"#, &["-DS=\"x y\""]),
            (r#"-D"A B"=1'2'"#, &["-DA B=12"]),
            (r#""a\nb" a\nb"#, &["a\\nb", "anb"]),
            (r#""" '' x"#, &["", "", "x"]),
            ("a\\\nb \"c\\\nd\"", &["ab", "cd"]),
            (r"$HOME `x` $(y) * ~ ; | &", &["$HOME", "`x`", "$(y)", "*", "~", ";", "|", "&"]),
        ] {
            assert_eq!(split(command).unwrap(), expected, "{command}");
        }
    }

    #[test]
    fn an_open_quote_is_refused() {
        for command in ["'", "\"", "a\\", "\"a\\", "x 'y"] {
            assert!(split(command).is_err(), "{command}");
        }
    }
}
