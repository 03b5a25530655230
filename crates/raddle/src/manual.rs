//! `raddle completions` and `raddle man`: what shells and manuals show of the command line, from its one definition.

use crate::arguments::Arguments;
use crate::output::OutputFile;
use crate::{LOST, USAGE, terminal};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::Path;

/// Of the second program, which has no options of its own.
const WRAPPER: &str = "\
Runs the C compiler of a build unchanged, and records what it compiles and links. The real compiler is what RADDLE_CC names \
(words, as in a shell), otherwise cc. Records go to the folder RADDLE_CC_DIR, otherwise to the nearest .raddle of the current \
folder or above it, otherwise to a new one in the current folder. Afterwards, `raddle check --link-target NAME` checks the sources of \
one linked program, each with its own flags.";

/// Prints the completions of a shell; the result is the exit code.
pub fn completions(shell: Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "raddle", &mut text);
    if terminal::print(&String::from_utf8_lossy(&text)) { 0 } else { LOST }
}

/// Writes the manual pages to a folder; the result is the exit code.
pub fn man(folder: &Path) -> u8 {
    if let Err(error) = std::fs::create_dir_all(folder) {
        terminal::complain(&format!("cannot make the folder {}: {error}", folder.display()));
        return USAGE;
    }
    for (name, text) in pages() {
        let file = match OutputFile::claim(&folder.join(format!("{name}.1"))) {
            Ok(file) => file,
            Err(message) => {
                terminal::complain(&message);
                return USAGE;
            }
        };
        if let Err(message) = file.write(&text) {
            terminal::complain(&message);
            return LOST;
        }
    }
    0
}

/// Names and texts: one page for each command, one for the wrapper of compilers.
fn pages() -> Vec<(String, String)> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned();
    let wrapper = clap::Command::new("raddle-cc")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Record a build while it compiles")
        .override_usage("make CC=raddle-cc")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .after_help(WRAPPER);
    let mut all = vec![("raddle".to_string(), command.clone()), ("raddle-cc".to_string(), wrapper)];
    all.extend(shown.map(|sub| (format!("raddle-{}", sub.get_name()), sub)));
    let page = |(name, command): (String, clap::Command)| {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = Man::new(command).title(name.to_uppercase()).render(&mut text);
        (name, String::from_utf8_lossy(&text).into_owned())
    };
    all.into_iter().map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    fn commands() -> Vec<String> {
        let command = Arguments::command();
        command
            .get_subcommands()
            .filter(|sub| !sub.is_hide_set())
            .map(|sub| sub.get_name().to_string())
            .collect()
    }

    #[test]
    fn every_command_has_a_page_and_is_named_in_the_first() {
        let pages = pages();
        let (_, first) = pages.iter().find(|(name, _)| name == "raddle").unwrap();
        for command in commands() {
            assert!(first.contains(&format!("raddle\\-{command}(1)")), "{command} in:\n{first}");
            let (_, page) = pages.iter().find(|(name, _)| *name == format!("raddle-{command}")).unwrap();
            assert!(page.contains(".SH SYNOPSIS") && page.contains(&command), "{page}");
        }
        let (_, wrapper) = pages.iter().find(|(name, _)| name == "raddle-cc").unwrap();
        assert!(wrapper.contains("RADDLE_CC_DIR") && wrapper.contains("make CC=raddle"), "{wrapper}");
    }

    #[test]
    fn every_shell_completes_every_command() {
        for shell in Shell::value_variants() {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "raddle", &mut text);
            let text = String::from_utf8(text).unwrap();
            for command in commands() {
                assert!(text.contains(&command), "{shell}: {command}");
            }
            assert!(text.contains("link-target"), "{shell}");
        }
    }
}
