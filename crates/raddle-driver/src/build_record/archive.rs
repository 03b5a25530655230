//! The members of an archive (`ar`): the common format, the long names of GNU and BSD, and thin archives, which only name
//! their members.

use std::path::Path;

/// A member: its name, and what is in it.
pub type Member = (String, Vec<u8>);

/// The largest archive.
const MOST: u64 = 1 << 30;
const HEADER: usize = 60;

/// All members; nothing where the file is no archive.
pub fn members(path: &Path) -> Option<Vec<Member>> {
    let bytes = crate::inputs::read_regular(path, MOST).ok()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&bytes, |name| std::fs::read(folder.join(name)).ok())
}

/// `outside` reads what a thin archive names.
fn read(bytes: &[u8], outside: impl Fn(&str) -> Option<Vec<u8>>) -> Option<Vec<Member>> {
    let thin = bytes.starts_with(b"!<thin>\n");
    if !thin && !bytes.starts_with(b"!<arch>\n") {
        return None;
    }
    let mut members = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = 8;
    while let Some(header) = bytes.get(at..at + HEADER) {
        let field = |from: usize, to: usize| std::str::from_utf8(&header[from..to]).ok().map(str::trim_end);
        let (name, size) = (field(0, 16)?, field(48, 58)?.parse::<usize>().ok()?);
        at += HEADER;
        // A thin archive has its own tables only.
        let is_table = matches!(name, "/" | "//" | "/SYM64/") || name.starts_with("__.SYMDEF");
        let stored = if thin && !is_table { 0 } else { size };
        let content = bytes.get(at..at.checked_add(stored)?)?;
        at += stored + stored % 2;
        if name == "//" {
            long_names = content;
            continue;
        }
        if is_table {
            continue;
        }
        let (name, content) = match (name.strip_prefix("#1/"), name.strip_prefix('/')) {
            // BSD: the name is in front of the content.
            (Some(length), _) => {
                let length = length.parse::<usize>().ok()?;
                let name = String::from_utf8_lossy(content.get(..length)?);
                (name.trim_end_matches('\0').to_string(), &content[length..])
            }
            // GNU: the name is in a table.
            (_, Some(offset)) => {
                let rest = long_names.get(offset.parse::<usize>().ok()?..)?;
                let name = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
                (String::from_utf8_lossy(name).trim_end_matches('/').to_string(), content)
            }
            _ => (name.trim_end_matches('/').to_string(), content),
        };
        // The table of symbols under its BSD name.
        if name.starts_with("__.SYMDEF") {
            continue;
        }
        let content = if thin { outside(&name).unwrap_or_default() } else { content.to_vec() };
        members.push((name, content));
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, content: &str) -> String {
        let padding = if content.len() % 2 == 1 { "\n" } else { "" };
        format!("{name:<16}{:<32}{:<10}`\n{content}{padding}", "0", content.len())
    }

    fn plain(text: &str) -> Option<Vec<Member>> {
        read(text.as_bytes(), |name| Some(format!("<{name}>").into_bytes()))
    }

    #[test]
    fn names_of_all_kinds() {
        let text = format!(
            "!<arch>\n{}{}{}{}{}",
            entry("/", "symbols"),
            entry("//", "a_rather_long_name.o/\nanother.o/\n"),
            entry("a.o/", "one"),
            entry("/0", "two!"),
            entry("#1/12", "b_s_d.o\0\0\0\0\0three"),
        );
        let found = plain(&text).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, ["a.o", "a_rather_long_name.o", "b_s_d.o"]);
        assert_eq!(
            (&found[0].1[..], &found[1].1[..], &found[2].1[..]),
            (&b"one"[..], &b"two!"[..], &b"three"[..])
        );
        let thin = "!<thin>\n".to_string()
            + &entry("//", "sub/a.o/\n")
            + &format!("{:<16}{:<32}{:<10}`\n", "/0", "0", 77);
        assert_eq!(plain(&thin), Some(vec![("sub/a.o".into(), b"<sub/a.o>".to_vec())]));
    }

    #[test]
    fn damage_is_no_panic() {
        let whole = format!("!<arch>\n{}{}", entry("//", "x.o/\n"), entry("/0", "content"));
        for length in 0..whole.len() {
            let _ = plain(&whole[..length]);
        }
        for odd in ["/99", "/x", "#1/999999999999999999", "#1/x", "#1/"] {
            let _ = plain(&format!("!<arch>\n{}", entry(odd, "content")));
        }
        let _ = plain(&format!("!<arch>\n{:<16}{:<32}{:<10}`\n", "a.o/", "0", 9999999999u64));
        assert_eq!(plain("\x7fELF"), None);
    }
}
