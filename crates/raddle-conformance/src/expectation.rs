//! The header of a test program, and the `//~` markers on its lines.
//!
//! ```text
//! // what: one sentence
//! // expect: race=violated assert=ok      properties not named are expected to be ok
//! // engines: run random pct              only these
//! // proved: explicit                     of these, rows expected `ok` must be `proved`, not `bounded`
//! // explicit: race=bounded (why)         what the explicit-state engine says instead; `all=...`; `skip (why)`
//! // auto: assert=bounded (why)          what `auto` says instead of what the explicit-state engine proves; `all=...`
//! // says: text                           an assumption, bound, reason or warning contains it; may come again
//! // silent: text                         none contains it; may come again
//! // why: one sentence                    the argument for the verdict; for the reader
//! // options: --data-model ILP32 -DN=3    further options; what is between "" is one word
//! // schedules: 2000                      how many a sampling engine needs
//! // output: text\n                       exactly what it prints, and `exit: N` the code
//! ```

use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// No schedule violates it.
    Ok,
    Violated,
    Unknown,
}

/// `//~ WORD` on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    pub line: u32,
    /// The property's word, or `unsupported`.
    pub word: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectation {
    pub what: String,
    pub rows: BTreeMap<String, Expected>,
    /// Empty: all.
    pub engines: Vec<String>,
    /// What the explicit-state engine says of a property, or of `all`, where it cannot say what is expected.
    pub explicit: BTreeMap<String, String>,
    /// The same of `auto`.
    pub auto: BTreeMap<String, String>,
    /// Texts that the report contains, and texts that it does not.
    pub says: Vec<String>,
    pub silent: Vec<String>,
    /// The explicit-state engine would not end.
    pub explicit_skipped: bool,
    /// The engines from which `ok` means `proved`.
    pub proved: Vec<String>,
    pub options: Vec<String>,
    pub schedules: Option<u64>,
    pub output: Option<String>,
    pub exit: Option<i32>,
    pub markers: Vec<Marker>,
}

impl Expectation {
    pub fn parse(text: &str) -> Result<Expectation, String> {
        let mut out = Expectation::default();
        for (index, line) in text.lines().enumerate() {
            if let Some(at) = line.find("//~") {
                for word in line[at + 3..].split_whitespace() {
                    out.markers.push(Marker { line: index as u32 + 1, word: word.to_lowercase() });
                }
            }
        }
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("// ") else { break };
            let Some((key, value)) = rest.split_once(':') else { continue };
            let value = value.trim();
            match key {
                "what" => out.what = value.to_string(),
                "expect" => {
                    for pair in value.split_whitespace() {
                        let (property, verdict) =
                            pair.split_once('=').ok_or_else(|| format!("`{pair}` is not an expectation"))?;
                        let verdict = match verdict {
                            "ok" => Expected::Ok,
                            "violated" => Expected::Violated,
                            "unknown" => Expected::Unknown,
                            other => return Err(format!("`{other}` is not a verdict to expect")),
                        };
                        out.rows.insert(property.to_string(), verdict);
                    }
                }
                "engines" => out.engines = value.split_whitespace().map(String::from).collect(),
                "explicit" => {
                    let words = value.split(" (").next().unwrap_or_default();
                    out.explicit_skipped = words == "skip";
                    out.explicit = verdicts(words);
                }
                "auto" => out.auto = verdicts(value.split(" (").next().unwrap_or_default()),
                "says" => out.says.push(value.to_string()),
                "silent" => out.silent.push(value.to_string()),
                "proved" => out.proved = value.split_whitespace().map(String::from).collect(),
                "options" => out.options = words(value)?,
                "schedules" => {
                    out.schedules = Some(value.parse().map_err(|_| format!("schedules: {value}"))?)
                }
                "output" => out.output = Some(unescape(value)),
                "exit" => out.exit = Some(value.parse().map_err(|_| format!("exit: {value}"))?),
                _ => {}
            }
        }
        if out.rows.is_empty() {
            return Err("no `// expect:` line".into());
        }
        Ok(out)
    }

    /// What is expected of a property.
    pub fn of(&self, property: &str) -> Expected {
        self.rows.get(property).copied().unwrap_or(Expected::Ok)
    }

    /// The lines that may be named for a property; empty if none is marked.
    pub fn lines(&self, property: &str) -> Vec<u32> {
        self.markers.iter().filter(|m| m.word == property).map(|m| m.line).collect()
    }

    pub fn runs_with(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|e| e == engine)
    }

    /// Must the engine prove what is expected to be ok?
    pub fn is_proved_by(&self, engine: &str) -> bool {
        self.proved.iter().any(|e| e == engine)
    }
}

/// `property=verdict`, several.
fn verdicts(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(property, verdict)| (property.to_string(), verdict.to_string())).collect()
}

/// Words; blanks between double quotes do not part them.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = Vec::new();
    let (mut inside, mut open) = (false, false);
    for c in text.chars() {
        match c {
            '"' => {
                inside = !inside;
                if inside && !open {
                    all.push(String::new());
                    open = true;
                }
            }
            c if c.is_whitespace() && !inside => open = false,
            c => {
                if !open {
                    all.push(String::new());
                    open = true;
                }
                all.last_mut().expect("just made").push(c);
            }
        }
    }
    if inside { Err(format!("a quote is open in `{text}`")) } else { Ok(all) }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('0') => out.push('\0'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_and_its_markers() {
        let text =
            "// what: two writes\n// expect: race=violated assert=ok\n// output: a\\nb\nint x; //~ RACE\n";
        let e = Expectation::parse(text).expect("well-formed");
        assert_eq!(e.of("race"), Expected::Violated);
        assert_eq!(e.of("locks"), Expected::Ok);
        assert_eq!(e.lines("race"), [4]);
        assert_eq!(e.output.as_deref(), Some("a\nb"));
    }

    #[test]
    fn what_a_report_says() {
        let text = "// expect: assert=ok\n// auto: all=bounded (large)\n// says: one\n// says: two\n// silent: three\n";
        let e = Expectation::parse(text).expect("well-formed");
        assert_eq!((e.says.len(), &e.silent[..]), (2, &["three".to_string()][..]));
        assert_eq!(e.auto.get("all").map(String::as_str), Some("bounded"));
    }

    #[test]
    fn an_engine_that_must_prove() {
        let text = "// expect: assert=ok\n// engines: explicit\n// proved: explicit\n";
        let e = Expectation::parse(text).expect("well-formed");
        assert!(e.is_proved_by("explicit") && !e.is_proved_by("pct") && !e.runs_with("pct"));
    }

    #[test]
    fn options_are_words() {
        let text = "// expect: ltl=ok\n// options: -DN=3 --prop \"p=x > 1\" --property ltl=\"[] p\"\n";
        let e = Expectation::parse(text).expect("well-formed");
        assert_eq!(e.options, ["-DN=3", "--prop", "p=x > 1", "--property", "ltl=[] p"]);
        assert!(Expectation::parse("// expect: ltl=ok\n// options: \"p\n").is_err());
    }

    #[test]
    fn a_program_without_expectation_is_refused() {
        assert!(Expectation::parse("int main(void) { return 0; }\n").is_err());
        assert!(Expectation::parse("// expect: race=perhaps\n").is_err());
    }
}
