//! Random Boolean programs with places that do nothing put in, as tools write them: skips, jumps to the next statement, and
//! now and then a cycle of jumps.

use crate::Random;

/// A program of [`crate::random_boolean_program`] with places that do nothing between its statements.
pub fn with_skips(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x5c1b5);
    // Neighbouring seeds begin alike.
    for _ in 0..8 {
        random.number();
    }
    let mut padded = String::with_capacity(text.len() * 3);
    let mut labels = 0;
    for line in text.lines() {
        let is_statement = !line.ends_with("begin")
            && !["decl ", "enforce "].iter().any(|word| line.starts_with(word))
            && line != "end";
        if !is_statement {
            padded += line;
            padded.push('\n');
            continue;
        }
        padded += &nothing(&mut random, &mut labels);
        // What is labelled may be the skip before a statement; `ASYNC_1` belongs to its call.
        let (before, statement) = line.split_at(behind_labels(line));
        if !before.is_empty() && random.one_in(3) {
            padded += &format!("{before}skip;\n{}{statement}\n", nothing(&mut random, &mut labels));
        } else {
            padded += line;
            padded.push('\n');
        }
    }
    padded
}

/// Where the statement of a line begins that has labels before it.
fn behind_labels(line: &str) -> usize {
    let mut from = 0;
    while let Some((label, _)) = line[from..].split_once(": ")
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !label.starts_with("ASYNC")
    {
        from += label.len() + 2;
    }
    from
}

/// None or some statements that do nothing, with labels of their own.
fn nothing(random: &mut Random, labels: &mut usize) -> String {
    let mut text = String::new();
    while random.one_in(2) {
        let label = format!("S{labels}");
        *labels += 1;
        text += &match random.below(12) {
            0..=5 => "skip;\n".to_owned(),
            6..=8 => format!("goto {label};\n{label}: skip;\n"),
            9 => format!("{label}: print(T);\n"),
            // Backwards and forwards.
            10 => {
                format!("goto {label};\n{label}b: goto {label}c;\n{label}: goto {label}b;\n{label}c: skip;\n")
            }
            _ => {
                format!("goto {label}, {label}c;\n{label}: skip;\n{label}b: goto {label};\n{label}c: skip;\n")
            }
        };
    }
    text
}
