//! Boolean programs and thread transition systems.

use super::*;

const BOOLEAN: &str = "\
decl g;
void main() begin
  g := 1;
end
";
const SYSTEM: &str = "\
2 2
0 0 -> 1 1
";

#[test]
fn other_inputs() {
    try_all(&[
        Mistake {
            name: "system without a target",
            files: &[("a.tts", SYSTEM)],
            command: &["check", "a.tts"],
            code: 64,
            says: &["no target given, neither in a.tts nor by --target", "try: --target"],
            repaired: &[],
            cure: &["check", "a.tts", "--target", "1|1"],
            cured: 1,
            then: "result: violated",
        },
        Mistake {
            name: "system with a damaged line",
            files: &[("a.tts", "2 2\n0 0 - 1 1\n")],
            command: &["check", "a.tts", "--target", "1|1"],
            code: 65,
            says: &["a.tts:2:5: expected `->`, `+>` or `~>`, found `-`"],
            repaired: &[("a.tts", SYSTEM)],
            cure: &[],
            cured: 1,
            then: "result: violated",
        },
        Mistake {
            name: "target that does not exist",
            files: &[("a.tts", SYSTEM)],
            command: &["check", "a.tts", "--target", "5|1"],
            code: 64,
            says: &["the target 5|1 names shared state 5, but there are only 2"],
            repaired: &[],
            cure: &["check", "a.tts", "--target", "1|1"],
            cured: 1,
            then: "result: violated",
        },
        Mistake {
            name: "initial state of another form",
            files: &[("a.tts", SYSTEM)],
            command: &["check", "a.tts", "--target", "1|1", "--init", "0,0"],
            code: 64,
            says: &["--init `0,0`: column 2: unexpected `,`", "try: --init 0|1,1"],
            repaired: &[],
            cure: &["check", "a.tts", "--target", "1|1", "--init", "0|0"],
            cured: 1,
            then: "result: violated",
        },
        Mistake {
            name: "assignment of C in a Boolean program",
            files: &[("a.bp", "decl g;\nvoid main() begin\n  g = 1;\nend\n")],
            command: &["check", "a.bp"],
            code: 65,
            says: &["a.bp:3:5: found `=`, expected `:=`"],
            repaired: &[("a.bp", BOOLEAN)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "variable that is not declared",
            files: &[("a.bp", "decl g;\nvoid main() begin\n  h := 1;\nend\n")],
            command: &["check", "a.bp"],
            code: 65,
            says: &["a.bp:3:3: there is no variable `h`", "try: declare it: `decl h;`"],
            repaired: &[("a.bp", "decl g, h;\nvoid main() begin\n  h := 1;\nend\n")],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "Boolean program without main",
            files: &[("a.bp", "decl g;\nvoid mian() begin\n  g := 1;\nend\n")],
            command: &["check", "a.bp"],
            code: 65,
            says: &["a.bp:1:1: there is no procedure `main`", "write `void main() begin ... end`"],
            repaired: &[("a.bp", BOOLEAN)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "two Boolean programs",
            files: &[("a.bp", BOOLEAN), ("b.bp", BOOLEAN)],
            command: &["check", "a.bp", "b.bp"],
            code: 64,
            says: &["a.bp is a complete program", "try: check one .bp or .tts at a time"],
            repaired: &[],
            cure: &["check", "a.bp"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "property of C for a Boolean program",
            files: &[("a.bp", BOOLEAN)],
            command: &["check", "a.bp", "-p", "race"],
            code: 64,
            says: &["`race` is not a property of a Boolean program", "try: --property assert"],
            repaired: &[],
            cure: &["check", "a.bp", "--property", "assert"],
            cured: 0,
            then: "result: proved",
        },
    ]);
}
