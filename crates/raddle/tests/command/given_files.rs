//! `--file` and `--stdin`: what the program reads, what is printed of it, replay without the files, bad input.

use raddle_trace::Verdict;

use crate::tool::Folder;

const READER: &str = r#"
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    FILE *file = fopen("settings", "r");
    assert(file);
    char word[16], rest[32];
    int n;
    unsigned h;
    assert(fscanf(file, "%15s %d %x", word, &n, &h) == 3);
    assert(strcmp(word, "alpha") == 0 && n == 12 && h == 31 && ftell(file) == 13);
    assert(fgets(rest, sizeof rest, file) && strcmp(rest, "\n") == 0);
    assert(fgetc(file) == 's' && ungetc('s', file) == 's' && ftell(file) == 14);
    assert(fscanf(file, "%15s", word) == 1 && strcmp(word, "second") == 0 && !feof(file));
    assert(fseek(file, -4, SEEK_END) == 0 && fread(rest, 1, 32, file) == 4 && memcmp(rest, "last", 4) == 0);
    assert(feof(file) && fgetc(file) == EOF && fscanf(file, "%d", &n) == EOF);
    rewind(file);
    assert(!feof(file));
    char *line = NULL;
    size_t size = 0;
    int lines = 0;
    long bytes = 0, got;
    while ((got = getline(&line, &size, file)) >= 0) lines++, bytes += got;
    assert(lines == 3 && bytes == 30 && feof(file));
    free(line);
    fclose(file);
    int d = open("settings", O_RDONLY), e = open("settings", O_RDONLY);
    char b[16];
    assert(d == 3 && e == 4);
    assert(read(d, b, 16) == 16 && b[0] == 'a' && b[14] == 's');
    assert(read(d, b, 16) == 14 && b[13] == 't' && read(d, b, 16) == 0);
    assert(read(e, b, 2) == 2 && b[1] == 'l' && pread(e, b, 2, 6) == 2 && b[0] == '1');
    close(d);
    assert(open("settings", O_RDONLY) == 3);
    int x, y;
    assert(scanf("%d,%d", &x, &y) == 2 && x == 4);
    assert(getchar() == '\n' && getchar() == EOF && feof(stdin));
    assert(y == LAST);
    return 0;
}
"#;

fn reader(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a.c", READER);
    folder.write("data.txt", "alpha 12 0x1f\nsecond line\nlast");
    folder.write("in.txt", "4,5\n");
    folder
}

const GIVEN: [&str; 8] =
    ["check", "a.c", "--file", "settings=data.txt", "--stdin", "in.txt", "--format", "json"];

#[test]
fn what_is_given_is_what_is_read() {
    let folder = reader("given");
    let with = |last: &'static str| folder.raddle(&[&GIVEN[..], &["-D", last]].concat());
    let report = with("LAST=5").report();
    assert_eq!(report.verdict(), Verdict::Proved, "{report:?}");
    let text: Vec<String> = report.assumptions.iter().map(|a| a.sentence()).collect();
    assert!(text.iter().any(|s| s.contains("the file settings has the 30 bytes of --file")), "{text:?}");
    assert!(text.iter().any(|s| s.contains("the standard input is in.txt of --stdin, 4 bytes")), "{text:?}");
}

#[test]
fn a_trace_carries_the_files() {
    let folder = reader("given-trace");
    let words = [&GIVEN[..6], &["-D", "LAST=6", "--property", "assert", "--save-trace", "t.json"]].concat();
    let answer = folder.raddle(&words);
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(!answer.out.contains("given files["), "contents are no accesses of a trace: {}", answer.out);
    std::fs::remove_file(folder.0.join("data.txt")).unwrap();
    std::fs::remove_file(folder.0.join("in.txt")).unwrap();
    let again = folder.raddle(&["replay", "t.json"]);
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    let damaged = std::fs::read_to_string(folder.0.join("t.json")).unwrap().replace("342c350a", "342c35");
    folder.write("d.json", &damaged);
    assert_ne!(folder.raddle(&["replay", "d.json"]).code, 0);
    folder.write("d.json", &damaged.replace("342c35=", "34x=").replace("\"342c35", "\"34x"));
    folder.raddle(&["replay", "d.json"]).says(65, &["standard-input"]);
}

#[test]
fn threads_share_a_given_stream() {
    let folder = Folder::new("given-threads");
    folder.write("in.txt", "1 2");
    folder.write(
        "a.c",
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int got[2];
static void *work(void *at) {
    if (scanf("%d", (int *)at) != 1) *(int *)at = 9;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, &got[0]);
    work(&got[1]);
    pthread_join(t, NULL);
    assert(got[0] + got[1] == 3);
    assert(WHO);
    return 0;
}
"#,
    );
    let check = |who: &str| {
        let define = format!("WHO={who}");
        folder
            .raddle(&["check", "a.c", "--stdin", "in.txt", "--format", "json", "-D", &define])
            .report()
            .verdict()
    };
    assert_eq!(check("1"), Verdict::Proved);
    assert_eq!(check("got[0]==1"), Verdict::Violated);
    assert_eq!(check("got[0]==2"), Verdict::Violated);
}

#[test]
fn files_that_cannot_be_given() {
    let folder = reader("given-bad");
    let check = |words: &[&str]| folder.raddle(&[&["check", "a.c", "-D", "LAST=5"], words].concat());
    check(&["--file", "settings"]).says(64, &["PATH=FILE"]);
    check(&["--file", "=data.txt"]).says(64, &["PATH=FILE"]);
    check(&["--file", "settings=nowhere"]).says(65, &["nowhere"]);
    check(&["--stdin", "."]).says(65, &["not a regular file"]);
    check(&["--stdin", "in.txt", "--output", "in.txt"]).says(64, &["in.txt is an input"]);
    std::fs::write(folder.0.join("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    check(&["--stdin", "large"]).says(65, &["large", "1 MB"]);
    folder.write("b.bp", "void main() begin skip; end\n");
    folder.raddle(&["check", "b.bp", "--stdin", "in.txt"]).says(64, &["--stdin does not apply"]);
}

#[test]
fn the_end_is_met_where_a_conversion_looks_for_more() {
    let folder = Folder::new("given-end");
    folder.write("in.txt", "12");
    let check = |body: &str| {
        let text = format!(
            "#include <assert.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) {{ int x; char w[9], c; {body} return 0; }}\n"
        );
        folder.write("a.c", text);
        folder.raddle(&["check", "a.c", "-p", "assert", "--stdin", "in.txt", "--format", "json"])
    };
    let proved = [
        "assert(scanf(\"%5d\", &x) == 1 && x == 12 && feof(stdin));",
        "assert(scanf(\"%2d\", &x) == 1 && !feof(stdin));",
        "assert(scanf(\"%1d\", &x) == 1 && x == 1 && !feof(stdin));",
        "assert(scanf(\"%8s\", w) == 1 && feof(stdin));",
        "assert(scanf(\"%8[0-9]\", w) == 1 && feof(stdin));",
        "assert(scanf(\"%2d \", &x) == 1 && feof(stdin));",
        "assert(scanf(\"%c%c\", w, &c) == 2 && !feof(stdin));",
    ];
    for body in proved {
        assert_eq!(check(body).report().verdict(), Verdict::Proved, "{body}");
    }
    // What each gets would depend on a buffer.
    let both = check("assert(read(0, &c, 1) == 1); assert(getchar() == '2');").report();
    assert_eq!(both.verdict(), Verdict::Unknown);
}
