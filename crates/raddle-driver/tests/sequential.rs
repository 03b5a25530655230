//! Sequential programs on the machine, at both optimisation levels: those of the corpus against the output in their
//! headers, and a few more against the natively compiled program. `cargo xtask differential` is the long form.

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_conformance::programs;
use raddle_driver::{CheckRequest, DataModel, Executed, OptimizeLevel, execute};

const LEVELS: [OptimizeLevel; 2] = [OptimizeLevel::O0, OptimizeLevel::O2];

fn run(file: &Path, level: OptimizeLevel, data_model: DataModel) -> Result<Executed, String> {
    let mut request = CheckRequest::new(vec![file.to_path_buf()]);
    request.compile.optimize = level;
    request.compile.data_model = data_model;
    let done = execute(&request).map_err(|e| e.to_string())?;
    if done.ended != "complete" || !done.faults.is_empty() {
        return Err(format!("{} {:?}", done.ended, done.faults));
    }
    Ok(done)
}

/// Compares output and exit code at both levels; the differences.
fn differences(file: &Path, model: DataModel, output: Option<&[u8]>, exit: Option<i32>) -> Vec<String> {
    let mut found = Vec::new();
    for level in LEVELS {
        let mut complain =
            |what: String| found.push(format!("{} -O{}: {what}", file.display(), level.word()));
        match run(file, level, model) {
            Ok(done) => {
                if output.is_some_and(|wanted| wanted != done.stdout) {
                    complain(format!("prints {:?}", String::from_utf8_lossy(&done.stdout)));
                }
                if exit.is_some_and(|wanted| done.exit_code != Some(wanted)) {
                    complain(format!("exits with {:?}", done.exit_code));
                }
            }
            Err(message) => complain(message),
        }
    }
    found
}

#[test]
fn corpus_prints_what_its_headers_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/safe");
    let mut found = Vec::new();
    let mut compared = 0;
    for folder in ["sequential", "sequential_32_bit"] {
        for program in programs(&root.join(folder)).expect("headers are well-formed") {
            let expectation = &program.expectation;
            let model = if expectation.options.iter().any(|o| o == "ILP32") {
                DataModel::Ilp32
            } else {
                DataModel::Lp64
            };
            let output = expectation.output.as_ref().map(|text| text.as_bytes());
            compared += 1;
            found.extend(differences(&program.path, model, output, expectation.exit));
        }
    }
    assert!(compared > 30, "only {compared} programs were found");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Small programs, each around something that a compiler and a machine may see differently.
const PROGRAMS: [(&str, &str); 7] = [
    (
        // Found by csmith --float, seed 5009: the optimiser reads a float's bytes as an integer.
        "bits_of_floats",
        r#"#include <stdio.h>
        #include <string.h>
        static int chosen;
        int main(void) {
            float f = !chosen; double d = chosen - 2.5; unsigned bits; unsigned long long more;
            memcpy(&bits, &f, sizeof bits);
            memcpy(&more, &d, sizeof more);
            bits ^= 0x80000001u;
            memcpy(&f, &bits, sizeof f);
            for (int i = 0; i < 4; i++) printf("%02x ", (bits >> 8 * i) & 255u);
            printf("%llx %a\n", more, f);
            return (int)(more >> 60);
        }"#,
    ),
    (
        // Found by csmith, seed 223: the unit of these fields has sixteen bytes, two of them padding.
        "bit_fields_in_a_wide_unit",
        r#"#include <stdio.h>
        #pragma pack(push)
        #pragma pack(1)
        struct wide {
            signed a : 14; unsigned b : 13; volatile signed c : 28; unsigned d : 23; signed e : 12;
            volatile unsigned f : 21; volatile signed : 0;
        };
        #pragma pack(pop)
        static struct wide table[2] = {{-87, 27, 202, 441, -45, 6}, {-25, 18, 2196, 878, -61, 580}};
        int main(void) {
            struct wide copy = table[1], fresh;
            fresh.b = 77; fresh.e = -5;
            if (copy.b || copy.f) copy.d += table[0].d;
            if (fresh.b == 77) fresh.e -= 1;
            printf("%d %u %d %u %d %u %d %zu\n", copy.a, copy.b, copy.c, copy.d, copy.e, copy.f, fresh.e, sizeof copy);
            return 0;
        }"#,
    ),
    (
        "bit_fields_and_packing",
        r#"#include <stdio.h>
        #pragma pack(push)
        #pragma pack(1)
        struct packed { signed a : 13; unsigned b : 7; short c; long long d : 33; unsigned char e; };
        #pragma pack(pop)
        union mixed { struct packed p; unsigned char bytes[16]; double number; };
        int main(void) {
            union mixed u = {{-77, 100, -3, -123456789LL, 200}};
            u.p.a += 5; u.p.d ^= 0x15555;
            for (unsigned i = 0; i < sizeof(struct packed); i++) printf("%02x", u.bytes[i]);
            printf(" %d %u %d %lld %u %zu\n", u.p.a, u.p.b, u.p.c, (long long)u.p.d, u.p.e, sizeof u);
            return u.p.b;
        }"#,
    ),
    (
        "shifts_and_wrapping",
        r#"#include <stdint.h>
        #include <stdio.h>
        static uint64_t mix(uint64_t x) { x ^= x >> 31; x *= 0x9e3779b97f4a7c15u; return x << 7 | x >> 57; }
        int main(void) {
            uint64_t h = 1; int8_t small = -128; uint16_t wide = 65535; volatile int zero = 0;
            for (int i = 0; i < 50; i++) {
                h = mix(h + (uint8_t)(small + i) + (uint16_t)(wide + i) + (uint64_t)(-i >> 2) + zero);
                if (__builtin_popcountll(h) & 1) small = (int8_t)(small ^ i);
                h += (uint64_t)__builtin_clzll(h | 1) << 8 | (uint64_t)__builtin_ctzll(h | 256);
                h ^= __builtin_bswap32((uint32_t)h);
            }
            printf("%016llx\n", (unsigned long long)h);
            return (int)(h % 251);
        }"#,
    ),
    (
        "floats",
        r#"#include <stdio.h>
        int main(void) {
            double d = 1.0; float f = 1.0f;
            for (int i = 1; i < 40; i++) { d = d * 1.25 - i / 7.0; f = f * -0.75f + (float)d / 3; }
            printf("%a %a %.9g %d %u %lld\n", d, f, d / f, (int)(f / 1e3f), (unsigned)-(d / 1e6), (long long)d);
            printf("%d%d%d\n", d < f, d >= f, 0.0 / (d - d) == 1.0);
            return 3;
        }"#,
    ),
    (
        "loops_for_vectors",
        r#"#include <stdio.h>
        #include <string.h>
        struct pair { short key; long value; };
        int main(void) {
            int a[64], b[64]; unsigned char c[64]; struct pair p[8];
            for (int i = 0; i < 64; i++) a[i] = i * i - 40, c[i] = (unsigned char)(i * 37);
            memset(p, 0, sizeof p);
            memcpy(b, a, sizeof b);
            int sum = 0, most = 0;
            for (int i = 0; i < 64; i++) { sum += a[63 - i] * c[i]; if (b[i] > most && c[i] < 128) most = b[i]; }
            for (int i = 0; i < 8; i++) p[i].key = (short)a[i], p[i].value = (long)sum << i;
            long total = 0;
            for (int i = 0; i < 8; i++) total += p[i].value ^ p[i].key;
            printf("%d %d %ld\n", sum, most, total);
            return most % 100;
        }"#,
    ),
    (
        "gotos_switches_pointers",
        r#"#include <stdio.h>
        #include <stdlib.h>
        static int apply(int (*f)(int), int x) { return f(x); }
        static int twice(int x) { return 2 * x; }
        static int less(int x) { return x - 3; }
        int main(int argc, char **argv) {
            int (*table[])(int) = {twice, less, abs};
            int x = 5, steps = 0, **pp, *p = &x;
            pp = &p;
        again:
            switch (x % 5) {
            case 0: **pp = apply(table[0], x); /* fall through */
            case 1: x = apply(table[1], x); break;
            case 3: x += 7; break;
            default: x = apply(table[2], -x - 1);
            }
            if (++steps < 30) goto again;
            printf("%d %d %d\n", x, steps, argc > 0 && argv != NULL);
            exit(x & 127);
        }"#,
    ),
];

fn compiler() -> PathBuf {
    let versions = (14..=22).rev().map(|version| PathBuf::from(format!("clang-{version}")));
    let named = std::env::var_os("RADDLE_CLANG").map(PathBuf::from).into_iter();
    named
        .chain(versions)
        .chain([PathBuf::from("clang")])
        .find(|clang| Command::new(clang).arg("--version").output().is_ok_and(|o| o.status.success()))
        .expect("a clang is installed")
}

#[test]
fn small_programs_behave_as_natively() {
    let folder = std::env::temp_dir().join(format!("raddle-sequential-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let clang = compiler();
    let mut found = Vec::new();
    for (name, text) in PROGRAMS {
        let (file, native) = (folder.join(format!("{name}.c")), folder.join(name));
        std::fs::write(&file, text).expect("the folder is writable");
        let compiled = Command::new(&clang).args(["-O0", "-w", "-o"]).arg(&native).arg(&file).status();
        assert!(compiled.is_ok_and(|s| s.success()), "{name} does not compile");
        let output = Command::new(&native).output().expect("it starts");
        found.extend(differences(&file, DataModel::Lp64, Some(&output.stdout), output.status.code()));
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
