//! Files that are missing, given twice or of another language.

use super::*;

const FORGOTTEN_FILE: &str = "\
int area(int);
int main(void) { return area(2) - 4; }
";
const UNDEFINED_GLOBAL: &str = "\
extern int limit;
int main(void) { return limit; }
";
const COMPILE_ERROR: &str = "\
int main(void) {
    int x = 3
    return x - 3;
}
";
const COMPILE_ERROR_CURED: &str = "\
int main(void) {
    int x = 3;
    return x - 3;
}
";
const FORGOTTEN_DEFINITION_OF_A_MACRO: &str = "\
#ifndef LIMIT
#error give LIMIT
#endif
int main(void) { return LIMIT; }
";
const NESTED_FUNCTION_OF_GCC: &str = "\
int main(void) {
    int f(int x) { return x; }
    return f(0);
}
";
const NESTED_FUNCTION_OF_GCC_CURED: &str = "\
static int f(int x) { return x; }
int main(void) { return f(0); }
";
const SIZE_THAT_ONLY_THE_OTHER_DATA_MODEL_HAS: &str = "\
_Static_assert(sizeof(long) == 4, \"32 bits\");
int main(void) { return 0; }
";
const FLAG_OF_THE_DATABASE_THAT_IS_NOT_PASSED_ON_COMPILE_COMMANDS: &str = "\
[{\"directory\": \".\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-fopenmp\", \"-c\", \"a.c\"]}]";
const HEADER_OUTSIDE_THE_PERMITTED_FOLDERS_SRC_A: &str = "\
#include \"../n.h\"
int main(void) { return N; }
";

#[test]
fn projects() {
    try_all(&[
        Mistake {
            name: "forgotten file",
            files: &[("main.c", FORGOTTEN_FILE), ("area.c", "int area(int x) { return x * x; }\n")],
            command: &["check", "main.c"],
            code: 3,
            says: &[
                "main.c:2:25: no definition of the function `area`; add the source file",
                "area(), used once, at main.c:2:25",
            ],
            repaired: &[],
            cure: &["check", "main.c", "area.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "function of a library",
            files: &[("a.c", CALL)],
            command: &["check", "a.c"],
            code: 3,
            says: &["a.c:2:25: no definition of the function `get`", "--havoc get"],
            repaired: &[],
            cure: &["check", "a.c", "--havoc", "get"],
            cured: 0,
            then: "`get` returns any value",
        },
        Mistake {
            name: "many names missing",
            files: &[("a.c", CALL)],
            command: &["check", "a.c"],
            code: 3,
            says: &["without a definition", "get(), used once, at a.c:2:25", "--stub-missing FILE"],
            repaired: &[],
            cure: &["check", "a.c", "--stub-missing", "stubs.c"],
            cured: 0,
            then: "`get` is a stand-in: returns any int",
        },
        Mistake {
            name: "primitive without a model",
            files: &[("a.c", CALL)],
            command: &["check", "a.c"],
            code: 3,
            says: &["give a model", "--models FILE"],
            repaired: &[("m.c", "int get(void) { return 7; }\n")],
            cure: &["check", "a.c", "--models", "m.c"],
            cured: 0,
            then: "the models in m.c are correct",
        },
        Mistake {
            name: "undefined global",
            files: &[("a.c", UNDEFINED_GLOBAL), ("b.c", "int limit = 0;\n")],
            command: &["check", "a.c"],
            code: 3,
            says: &[
                "a.c:2:25: no definition of the object `limit`; add the source file",
                "limit, used once, at a.c:2:25",
            ],
            repaired: &[],
            cure: &["check", "a.c", "b.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "two mains",
            files: &[("a.c", EMPTY_MAIN), ("b.c", EMPTY_MAIN)],
            command: &["check", "a.c", "b.c"],
            code: 65,
            says: &["`main` is defined in a.c and again in b.c", "these are several programs"],
            repaired: &[],
            cure: &["check", "a.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "object defined twice",
            files: &[("a.c", "int n = 1;\nint main(void) { return 0; }\n"), ("b.c", "int n = 2;\n")],
            command: &["check", "a.c", "b.c"],
            code: 65,
            says: &["`n` is defined in a.c and again in b.c"],
            repaired: &[],
            cure: &["check", "a.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "misspelt file",
            files: &[("queue.c", EMPTY_MAIN)],
            command: &["check", "quene.c"],
            code: 65,
            says: &["cannot read quene.c: No such file"],
            repaired: &[],
            cure: &["check", "queue.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "file with a space",
            files: &[("my file.c", EMPTY_MAIN)],
            command: &["check", "my", "file.c"],
            code: 65,
            says: &["cannot read my: No such file"],
            repaired: &[],
            cure: &["check", "my file.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "folder without C",
            files: &[("src/notes.txt", "x")],
            command: &["check", "src"],
            code: 65,
            says: &["src: contains no .c file"],
            repaired: &[("src/a.c", EMPTY_MAIN)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "compile error",
            files: &[("a.c", COMPILE_ERROR)],
            command: &["check", "a.c"],
            code: 65,
            says: &["a.c does not compile with", "a.c:2:14: error: expected ';'"],
            repaired: &[("a.c", COMPILE_ERROR_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "forgotten definition of a macro",
            files: &[("a.c", FORGOTTEN_DEFINITION_OF_A_MACRO)],
            command: &["check", "a.c"],
            code: 65,
            says: &["a.c:2:2: error: give LIMIT"],
            repaired: &[],
            cure: &["check", "a.c", "-DLIMIT=0"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "include cycle",
            files: &[
                ("a.h", "#include \"b.h\"\n"),
                ("b.h", "#include \"a.h\"\n"),
                ("a.c", "#include \"a.h\"\nint main(void) { return 0; }\n"),
            ],
            command: &["check", "a.c"],
            code: 65,
            says: &["a.h:1:10: error: #include nested too deeply"],
            repaired: &[("a.h", "#pragma once\n#include \"b.h\"\n")],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "nested function of gcc",
            files: &[("a.c", NESTED_FUNCTION_OF_GCC)],
            command: &["check", "a.c"],
            code: 65,
            says: &["a.c:2:18: error: function definition is not allowed here"],
            repaired: &[("a.c", NESTED_FUNCTION_OF_GCC_CURED)],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "size that only the other data model has",
            files: &[("a.c", SIZE_THAT_ONLY_THE_OTHER_DATA_MODEL_HAS)],
            command: &["check", "a.c"],
            code: 65,
            says: &["a.c:1:1: error: static", "32 bits"],
            repaired: &[],
            cure: &["check", "a.c", "--data-model", "ILP32"],
            cured: 0,
            then: "data model ILP32",
        },
        Mistake {
            name: "flag of the database that is not passed on",
            files: &[
                ("compile_commands.json", FLAG_OF_THE_DATABASE_THAT_IS_NOT_PASSED_ON_COMPILE_COMMANDS),
                ("a.c", EMPTY_MAIN),
            ],
            command: &["check", "compile_commands.json"],
            code: 65,
            says: &["entry 1 (`a.c`)", "`-fopenmp`", "--trust-flags"],
            repaired: &[],
            cure: &["check", "compile_commands.json", "--trust-flags"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "database with a comma too many",
            files: &[
                ("compile_commands.json", "[{\"directory\": \".\", \"file\": \"a.c\", }]"),
                ("a.c", EMPTY_MAIN),
            ],
            command: &["check", "compile_commands.json"],
            code: 65,
            says: &["compile_commands.json: trailing comma at line 1", "a JSON array of objects with `file`"],
            repaired: &[(
                "compile_commands.json",
                "[{\"directory\": \".\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-c\", \"a.c\"]}]",
            )],
            cure: &[],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "header outside the permitted folders",
            files: &[("src/a.c", HEADER_OUTSIDE_THE_PERMITTED_FOLDERS_SRC_A), ("n.h", "#define N 0\n")],
            command: &["check", "--restrict-includes", "src/a.c"],
            code: 65,
            says: &["src/a.c includes", "outside the permitted folders", "--restrict-includes=FOLDER"],
            repaired: &[],
            cure: &["check", "--restrict-includes=.", "src/a.c"],
            cured: 0,
            then: "result: proved",
        },
        Mistake {
            name: "compiler that is not installed",
            files: &[("a.c", EMPTY_MAIN)],
            command: &["check", "a.c", "--clang", "clang-99"],
            code: 65,
            says: &["cannot run clang-99", "install clang"],
            repaired: &[],
            cure: &["check", "a.c"],
            cured: 0,
            then: "result: proved",
        },
    ]);
}
