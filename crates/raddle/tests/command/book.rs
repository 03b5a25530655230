//! The pages under `docs`: every page is in the summary, every link leads somewhere, and the generated pages are what the tool
//! prints. `BLESS=1` writes those anew.

use std::path::{Path, PathBuf};
use std::process::Command;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(docs()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.sort();
    pages
}

/// The targets of the links of a page, without code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        let mut rest = line;
        while let Some(at) = rest.find("](").filter(|_| !in_code) {
            rest = &rest[at + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            found.push(rest[..end].to_string());
        }
    }
    found
}

#[test]
fn every_page_is_in_the_summary() {
    let listed = links(&read(&docs().join("SUMMARY.md")));
    for page in pages().into_iter().filter(|page| page != "SUMMARY.md") {
        assert!(listed.contains(&page), "docs/SUMMARY.md does not list {page}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        for link in links(&read(&docs().join(&page))) {
            let file = link.split('#').next().unwrap_or_default();
            let outside = link.contains("://") || file.is_empty();
            assert!(outside || docs().join(file).exists(), "docs/{page}: {link}");
        }
    }
}

fn printed(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle")).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Compares a page with what it should be.
fn is_generated(page: &str, expected: &str) {
    let path = docs().join(page);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, expected).unwrap();
    }
    assert!(read(&path) == expected, "docs/{page} is out of date (BLESS=1 rewrites it)");
}

#[test]
fn the_options_are_those_of_the_tool() {
    let mut page = String::from(
        "# Every option\n\nGenerated from `raddle --help`; `raddle COMMAND --help` prints the same.\n",
    );
    let commands =
        ["check", "lint", "harness", "replay", "view", "fmt", "models", "schema", "completions", "man"];
    for command in commands {
        let help = printed(&[command, "--help"]);
        page += &format!("\n## raddle {command}\n\n```text\n{}\n```\n", help.trim_end());
    }
    is_generated("options.md", &page);
}

#[test]
fn the_functions_are_those_of_the_models() {
    let mut page = String::from(
        "# Supported functions\n\nGenerated from `raddle models`: the functions that have a model, the file of the model, and what it \
         does.\n\n| function | model | what it does |\n|---|---|---|\n",
    );
    for line in printed(&["models"]).lines() {
        let parts: Vec<&str> = line.splitn(3, " | ").map(str::trim).collect();
        let [name, file, what] = parts[..] else { continue };
        page += &format!("| `{name}` | {file} | {} |\n", what.replace('|', "\\|"));
    }
    assert!(page.lines().count() > 300);
    is_generated("functions.md", &page);
}
