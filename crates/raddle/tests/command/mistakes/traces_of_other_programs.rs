//! A trace belongs to its program.

use super::*;
use crate::tool::LOST_UPDATE;

#[test]
fn traces_of_other_programs() {
    let folder = Folder::new("mistake-traces");
    folder.write("a.c", LOST_UPDATE);
    folder.write("b.c", LOCKED);
    let save = ["check", "a.c", "-p", "assert", "--save-trace", "t.json", "-q"];
    folder.raddle(&save).says(1, &["result: violated"]);
    folder
        .raddle(&["replay", "t.json", "b.c"])
        .says(65, &["the program changed: replay diverges at step", "try: check the program again"]);
    folder.raddle(&["check", "b.c"]).says(0, &["result: proved"]);
    folder.write("a.c", format!("{LOST_UPDATE}/* changed */\n"));
    let differs = "the program's files differ from those recorded in the trace";
    folder.raddle(&["replay", "t.json"]).says(1, &[differs, "reproduced: assertion `x == 2` failed"]);
    folder.write("other.c", LOST_UPDATE.replace("x == 2", "x == 3"));
    let replayed = folder.raddle(&["replay", "t.json", "other.c"]);
    replayed.says(3, &["the compiled code differs", "not reproduced: assertion `x == 2` failed"]);
    folder.raddle(&["check", "other.c"]).says(1, &["assertion `x == 3` failed, at other.c:10:5"]);
}
