//! Checks certificates that `raddle check --certificate DIR` wrote: `check_certificate FILE...`. Exit 1 if one is refused.

use std::process::ExitCode;

use raddle_solver::Certificate;

fn main() -> ExitCode {
    let mut refused = 0;
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let judged = std::fs::read_to_string(file).map_err(|error| error.to_string()).and_then(|text| {
            let certificate =
                Certificate::from_text(&text).map_err(|line| format!("line {line} is wrong"))?;
            certificate.check().map_err(|refused| refused.to_string())
        });
        if let Err(why) = judged {
            refused += 1;
            println!("{file}: {why}");
        }
    }
    println!("{} passed, {refused} failed", files.len() - refused);
    if refused == 0 && !files.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
