//! Where compiled models are kept: a folder that no other user can write to, for what lies in it decides what programs
//! mean.
//!
//! It is in the user's cache folder, or without one among the temporary files. Raddle's own folders must belong to
//! this user, be no links and be writable by no other user; of the folders above them, none may belong to another user
//! (but root) or be world-writable, unless with the sticky bit, as `/tmp` is: there a user replaces only own files.

use std::path::{Path, PathBuf};

use crate::temporary::make_folder;

/// More than any model has: what is larger was not written here.
const MOST_BYTES: u64 = 64 << 20;

/// A folder of the cache, such as that of one set of models, ready for use.
pub fn folder(key: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let root = match cache {
        Some(cache) => {
            std::fs::create_dir_all(&cache).ok()?;
            cache.join("raddle")
        }
        None => std::env::temp_dir().join(format!("raddle-cache-{}", user()?)),
    };
    let _ = make_folder(&root);
    tighten(&root);
    let folder = root.join(key);
    let _ = make_folder(&folder);
    (is_private(&root) && is_private(&folder) && ancestors_are_safe(&root)).then_some(folder)
}

/// The content of a file of the cache: a regular file of this user that no other can write to.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let found = std::fs::symlink_metadata(path).ok()?;
    (found.is_file() && found.len() <= MOST_BYTES && is_private(path)).then(|| std::fs::read(path).ok())?
}

/// The user that this process acts for.
#[cfg(unix)]
pub fn user() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
pub fn user() -> Option<u32> {
    None
}

/// Whether a file or folder, itself no link, belongs to this user and can be written by no other.
#[cfg(unix)]
pub(super) fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(found) = std::fs::symlink_metadata(path) else { return false };
    !found.is_symlink() && Some(found.uid()) == user() && found.mode() & 0o022 == 0
}

#[cfg(not(unix))]
pub(super) fn is_private(path: &Path) -> bool {
    path.exists()
}

/// Takes the permission of others to write to a folder of the cache, which a generous `umask` gave. What others may
/// have put there is found out file by file.
#[cfg(unix)]
fn tighten(path: &Path) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let Ok(found) = std::fs::symlink_metadata(path) else { return };
    // Group-writable only: that is what a `umask` of 002 gives. A world-writable folder was made so on purpose.
    if found.is_dir() && Some(found.uid()) == user() && found.mode() & 0o022 == 0o020 {
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(found.mode() & 0o755));
    }
}

#[cfg(not(unix))]
fn tighten(_: &Path) {}

#[cfg(unix)]
fn ancestors_are_safe(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // With links resolved: what counts is where the folder really is.
    let Ok(real) = path.canonicalize() else { return false };
    real.ancestors().skip(1).all(|folder| {
        let Ok(found) = std::fs::metadata(folder) else { return false };
        let sticky = found.mode() & 0o1000 != 0;
        let owned = found.uid() == 0 || Some(found.uid()) == user();
        owned && (found.mode() & 0o002 == 0 || sticky)
    })
}

#[cfg(not(unix))]
fn ancestors_are_safe(_: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::temporary::Folder;
    use std::os::unix::fs::PermissionsExt;

    fn chmod(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_others_can_write_is_refused() {
        let folder = Folder::new("test").unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        chmod(&file, 0o644);
        assert_eq!(read(&file).as_deref(), Some(&b"text"[..]));
        for mode in [0o664, 0o646, 0o666] {
            chmod(&file, mode);
            assert_eq!(read(&file), None, "{mode:o}");
        }
        chmod(&file, 0o644);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(read(&link), None);
        assert!(is_private(folder.path()) && ancestors_are_safe(folder.path()));
        let inner = folder.path().join("inner");
        make_folder(&inner).unwrap();
        assert!(ancestors_are_safe(&inner));
        chmod(folder.path(), 0o777);
        assert!(!is_private(folder.path()) && !ancestors_are_safe(&inner));
        chmod(folder.path(), 0o1777);
        assert!(ancestors_are_safe(&inner));
        chmod(folder.path(), 0o700);
    }
}
