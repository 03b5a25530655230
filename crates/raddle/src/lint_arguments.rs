//! The arguments of `raddle lint`, and the list of rules in its help.

use crate::arguments::{ColorArgument, not_blank, seconds};
use clap::{Args, ValueEnum};
use raddle_trace::LintRule;
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
pub struct LintArguments {
    /// C sources, .i, LLVM .ll/.bc, a folder or compile_commands.json; with or without a main
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Only this rule; repeatable [default: all]
    #[arg(long = "rule", value_name = "NAME")]
    pub rules: Vec<LintRule>,
    /// Not this rule; repeatable
    #[arg(long = "no-rule", value_name = "NAME")]
    pub no_rules: Vec<LintRule>,
    /// Search for executions that confirm races and deadlocks, each search for S seconds [default S: 30]
    #[arg(long, value_name = "S", num_args = 0..=1, require_equals = true, value_parser = seconds)]
    pub confirm: Option<Option<f64>>,

    /// The compiler [default: RADDLE_CLANG, or the newest clang on the path]
    #[arg(long, value_name = "PATH", help_heading = "Compiling")]
    pub clang: Option<PathBuf>,
    /// Passed on to the compiler
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = not_blank, help_heading = "Compiling")]
    pub defines: Vec<String>,
    /// Passed on to the compiler
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling")]
    pub include_paths: Vec<PathBuf>,
    /// Passed on to the compiler; also spelt -std=STANDARD
    #[arg(long = "std", value_name = "STANDARD", value_parser = not_blank, help_heading = "Compiling")]
    pub standard: Option<String>,
    /// Pass on flags of compile_commands.json that are unknown or could make the compiler run something
    #[arg(long, help_heading = "Compiling")]
    pub trust_flags: bool,

    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: LintFormatArgument,
    /// What to show beside findings; types: the atomicity of each function, the guard of each shared variable
    #[arg(long, value_name = "WHAT", help_heading = "Output")]
    pub show: Vec<LintShowArgument>,
    /// Print annotations for what is inferred, as a patch of the sources, and nothing else
    #[arg(long, conflicts_with_all = ["format", "show", "confirm", "baseline"], help_heading = "Output")]
    pub suggest: bool,
    /// Write the report to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// The least level that gives the exit code 1
    #[arg(long, value_name = "LEVEL", default_value = "warning", help_heading = "Output")]
    pub fail_on: LintLevelArgument,
    /// An earlier report in SARIF: its findings do not count for --fail-on
    #[arg(long, value_name = "FILE.sarif", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
    /// Neither use nor keep compiled texts and findings in the user's cache folder
    #[arg(long)]
    pub no_cache: bool,

    /// What the analysis cost
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// One line a finding
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LintFormatArgument {
    Text,
    Json,
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LintShowArgument {
    Types,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LintLevelArgument {
    Error,
    Warning,
    Note,
}

/// The rules, a line each, and the exit codes.
pub fn lint_rules() -> String {
    let mut text = String::from("Rules (docs/lint.md explains each):\n");
    for rule in LintRule::ALL {
        text += &format!("  {:<28} {:<8} {}\n", rule.name(), rule.level().word(), rule.title());
    }
    text + "\nA comment `// raddle: allow(RULE) because ...` on the line, or alone on the line above, suppresses a finding.\n\
            \nExit codes: 0 nothing to report, 1 a finding at or above --fail-on that is neither suppressed nor in the \
            baseline, 3 a file or function was skipped, 64 usage error, 65 the input cannot be read or compiled, \
            70 internal error"
}
