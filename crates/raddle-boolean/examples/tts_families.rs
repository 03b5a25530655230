//! Writes the families of thread transition systems to a folder: `tts_families FOLDER`.

#[path = "../tests/tts/families.rs"]
mod families;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: tts_families FOLDER");
        return ExitCode::from(64);
    };
    for instance in families::small().into_iter().chain(families::large()) {
        let path = folder.join(format!("{}.tts", instance.name));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, instance.text()));
        if let Err(error) = written {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
