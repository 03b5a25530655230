//! Finds clang: the requested one, the one of the environment, or the newest on the path.

use super::CompileError;
use super::process::{RunLimits, run_limited};
use crate::library::cache::{folder, read};
use crate::temporary::Beside;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The oldest major version whose text is read.
pub const OLDEST: u32 = 14;

/// A clang that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clang {
    pub path: PathBuf,
    /// Major, minor, patch.
    pub version: (u32, u32, u32),
}

impl fmt::Display for Clang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor, patch) = self.version;
        write!(f, "clang {major}.{minor}.{patch}")
    }
}

/// The clang to use: `asked`, else `RADDLE_CLANG`, else the newest of `clang-N` and `clang` on the path. One that
/// is named must work: falling back silently would check another program than the user thinks.
pub fn find_clang(asked: Option<&Path>) -> Result<Clang, CompileError> {
    find_clang_within(asked, &RunLimits::default())
}

/// The same, under limits: what is called clang may be anything.
pub fn find_clang_within(asked: Option<&Path>, limits: &RunLimits) -> Result<Clang, CompileError> {
    let from_environment = std::env::var_os("RADDLE_CLANG").filter(|value| !value.is_empty());
    if let Some(path) = asked.map(Path::to_path_buf).or_else(|| from_environment.map(PathBuf::from)) {
        let clang = ask_version(&path, limits)?;
        if clang.version.0 < OLDEST {
            return Err(CompileError::NoClang(format!("{} is {clang}", path.display())));
        }
        return Ok(clang);
    }
    // The newest `clang-N` by name, against plain `clang` by what it says.
    let working = |path: PathBuf| ask_version(&path, limits).ok().filter(|clang| clang.version.0 >= OLDEST);
    let numbered = numbered_on_path("clang");
    let plain = numbered.iter().find(|path| path.ends_with("clang")).cloned().and_then(working);
    let newest = numbered.into_iter().filter(|path| !path.ends_with("clang")).find_map(working);
    let best = match (plain, newest) {
        (Some(plain), Some(newest)) if newest.version >= plain.version => Some(newest),
        (plain, newest) => plain.or(newest),
    };
    best.ok_or_else(|| match limits.stopped() {
        Some(why) => CompileError::Stopped { program: "clang".into(), why },
        None => CompileError::NoClang("clang not found on PATH".into()),
    })
}

/// `name-N` for every N on the path, the greatest first, then `name`.
pub(super) fn numbered_on_path(name: &str) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path) {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let file_name = entry.file_name();
            let Some(rest) = file_name.to_str().and_then(|file| file.strip_prefix(name)) else { continue };
            let number = match rest.strip_prefix('-') {
                Some(digits) => digits.parse().ok(),
                None => rest.is_empty().then_some(0),
            };
            // The first folder of the path wins, as in a shell.
            if let Some(number) = number
                && !found.iter().any(|(known, _)| *known == number)
            {
                found.push((number, entry.path()));
            }
        }
    }
    found.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    found.into_iter().map(|(_, path)| path).collect()
}

/// What identifies a program on disk: path, size, when it was changed.
type Identity = (PathBuf, u64, std::time::SystemTime);

type KnownVersion = (Identity, (u32, u32, u32));

/// Versions that are known already: starting a compiler takes as long as a small compilation.
static KNOWN_VERSIONS: Mutex<Vec<KnownVersion>> = Mutex::new(Vec::new());

/// The program behind a path. Links are followed where they lead to a clang; wrappers that go by the name under which
/// they are called stay apart.
fn identity(path: &Path) -> Option<Identity> {
    let target = path.canonicalize().ok()?;
    let is_clang = target.file_name()?.to_str()?.starts_with("clang");
    let found = target.metadata().ok()?;
    Some((if is_clang { target } else { path.to_path_buf() }, found.len(), found.modified().ok()?))
}

fn ask_version(path: &Path, limits: &RunLimits) -> Result<Clang, CompileError> {
    let Some(identity) = identity(path) else { return ask_version_anew(path, limits) };
    let known_versions = || KNOWN_VERSIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, version)) = known_versions().iter().find(|(known, _)| *known == identity) {
        return Ok(Clang { path: path.to_path_buf(), version: *version });
    }
    let kept = KeptVersion::of(&identity.0);
    let version = match kept.as_ref().and_then(KeptVersion::read) {
        Some(version) => version,
        None => {
            let version = ask_version_anew(path, limits)?.version;
            kept.inspect(|kept| kept.write(version));
            version
        }
    };
    known_versions().push((identity, version));
    Ok(Clang { path: path.to_path_buf(), version })
}

/// Where the version of a compiler is kept between runs: loading one to ask it takes a quarter of a small check. Only of programs that
/// are no scripts, which could call another compiler tomorrow.
struct KeptVersion {
    file: PathBuf,
    /// The path of the program, its place on the disk, its size, and when it was last changed in any way.
    program: String,
}

impl KeptVersion {
    #[cfg(unix)]
    fn of(program: &Path) -> Option<KeptVersion> {
        use std::io::Read;
        use std::os::unix::fs::MetadataExt;
        let mut start = [0; 4];
        std::fs::File::open(program).ok()?.read_exact(&mut start).ok()?;
        if start != *b"\x7fELF" {
            return None;
        }
        let found = program.metadata().ok()?;
        let numbers = [found.dev(), found.ino(), found.size()];
        let times = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()];
        let program = format!("{} {numbers:?} {times:?}", program.to_str()?);
        let name = Sha256::digest(&program).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Some(KeptVersion { file: folder("compilers")?.join(name), program })
    }

    #[cfg(not(unix))]
    fn of(_: &Path) -> Option<KeptVersion> {
        None
    }

    fn read(&self) -> Option<(u32, u32, u32)> {
        let text = String::from_utf8(read(&self.file)?).ok()?;
        let (first, rest) = text.split_once('\n')?;
        (rest == self.program).then(|| read_version(first)).flatten()
    }

    /// Best effort: without it the next run asks again.
    fn write(&self, (major, minor, patch): (u32, u32, u32)) {
        let text = format!("clang version {major}.{minor}.{patch}\n{}", self.program);
        let _ = Beside::new(&self.file).and_then(|file| file.finish_soon(text.as_bytes()));
    }
}

fn ask_version_anew(path: &Path, limits: &RunLimits) -> Result<Clang, CompileError> {
    let output = run_limited(Command::new(path).arg("--version"), limits)?;
    match read_version(&String::from_utf8_lossy(&output.stdout)) {
        Some(version) => Ok(Clang { path: path.to_path_buf(), version }),
        None => Err(CompileError::NoClang(format!("{} does not report a clang version", path.display()))),
    }
}

/// The version in `Debian clang version 14.0.6 (...)`.
fn read_version(text: &str) -> Option<(u32, u32, u32)> {
    let (_, rest) = text.split_once("clang version ")?;
    let end = rest.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(rest.len());
    let mut parts = rest.get(..end)?.split('.').map(|part| part.parse().ok());
    let major = parts.next()??;
    Some((major, parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(read_version("Debian clang version 14.0.6\nTarget: x86_64"), Some((14, 0, 6)));
        assert_eq!(read_version("clang version 22.1.0-rc1 (https://...)"), Some((22, 1, 0)));
        assert_eq!(read_version("Apple clang version 15"), Some((15, 0, 0)));
        assert_eq!(read_version("gcc (Debian 12.2.0) 12.2.0"), None);
        assert_eq!(read_version("clang version "), None);
    }

    #[test]
    fn a_named_clang_must_work() {
        let error = find_clang(Some(Path::new("/nonexistent/clang"))).unwrap_err();
        assert!(matches!(error, CompileError::CannotRun { .. }), "{error}");
        let error = find_clang(Some(Path::new("/bin/true"))).unwrap_err();
        assert!(matches!(error, CompileError::NoClang(_)), "{error}");
    }
}
