//! Which functions of the table of models the generated programs call.
//!
//! The compiler's assembly is read, not the C text: a macro of a header may call another function than its name says,
//! or none.

use std::collections::BTreeSet;

/// Functions that no generated program calls, each with the reason.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    ("__errno", "not in glibc: a name of other systems"),
    ("__assert", "ends the process abnormally"),
    ("__assert_fail", "ends the process abnormally; an outcome is reached when it is called"),
    ("__assert_perror_fail", "ends the process abnormally"),
    ("__assert_rtn", "not in glibc: a name of other systems"),
    ("assert", "a macro natively"),
    ("cfree", "no longer in glibc for new programs"),
    ("pthread_yield", "no longer in glibc for new programs: its header calls sched_yield"),
    ("pthread_mutexattr_setkind_np", "no longer in glibc for new programs"),
    ("sigwait", "waits for ever when nothing is sent"),
    ("sigwaitinfo", "waits for ever when nothing is sent"),
    ("system", "unsupported by the model"),
    ("fork", "unsupported by the model"),
    ("vfork", "unsupported by the model"),
    ("__sysconf", "a name of the library's own: its header declares sysconf"),
];

/// Functions of newer libraries: programs call them where the library has them.
pub const SINCE_2_38: &[&str] = &[
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc23_sscanf",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "strlcat",
    "strlcpy",
];

/// The functions of the table that have a native counterpart.
pub fn table_of_functions() -> Vec<&'static str> {
    let table = include_str!("../../../raddle-clang/models/functions.txt");
    let exceptions: BTreeSet<&str> = EXCEPTIONS.iter().map(|(name, _)| *name).collect();
    let mut names = Vec::new();
    for line in table.lines() {
        let mut fields = line.split(" | ");
        let (Some(name), Some(file)) = (fields.next(), fields.next()) else { continue };
        // Marks for verifiers: no library has them.
        if file != "verifier.c" && !exceptions.contains(name) {
            names.push(name);
        }
    }
    names
}

/// Every identifier in a compiler's assembly, texts left out.
pub fn functions_of_assembly(assembly: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    assembly
        .lines()
        .filter(|line| !line.trim_start().starts_with(".string") && !line.trim_start().starts_with(".ascii"))
        .flat_map(|line| line.split(|c| !is_name(c)))
        .filter(|word| !word.is_empty())
        .collect()
}
