//! A program while it is made: declarations, thread bodies, what main does, and how all of it becomes C.

/// The frame around every program.
const PRELUDE: &str = include_str!("prelude.h");

/// Lines are C statements; `me` is the log of the thread that executes them.
#[derive(Default)]
pub struct Draft {
    pub globals: String,
    /// main, before it starts threads.
    pub setup: Vec<String>,
    pub bodies: Vec<Vec<String>>,
    /// main, between starting and joining.
    pub main: Vec<String>,
    /// main instead of joining one thread after the other.
    pub joins: Option<Vec<String>>,
    /// main, after all joins.
    pub teardown: Vec<String>,
    /// main instead of handing the outcome over and returning 0.
    pub end: Option<String>,
    /// Threads of C11.
    pub c11: bool,
}

impl Draft {
    pub fn render(&self, number: u64, family: &str) -> String {
        let mut text = format!("/* Generated program {number}: {family}. */\n{PRELUDE}\n{}\n", self.globals);
        let ids: String = (0..self.bodies.len())
            .map(|i| format!("static {} thread_{i};\n", if self.c11 { "thrd_t" } else { "pthread_t" }))
            .collect();
        text += &ids;
        for (i, body) in self.bodies.iter().enumerate() {
            let kind = if self.c11 { "int" } else { "void *" };
            text += &format!(
                "\nstatic {kind} body_{i}(void *argument) {{\n    struct notes *const me = &notes_{i};\n"
            );
            text += &lines(body);
            text += "    DELAY();\n    return 0;\n}\n";
        }
        text += "\nint main(void) {\n    struct notes *const me = &notes_main;\n    begin();\n";
        text += &lines(&self.setup);
        for i in 0..self.bodies.len() {
            text += &match self.c11 {
                true => format!("    thrd_create(&thread_{i}, body_{i}, 0);\n"),
                false => format!("    pthread_create(&thread_{i}, 0, body_{i}, 0);\n"),
            };
        }
        text += &lines(&self.main);
        text += &match &self.joins {
            Some(joins) => lines(joins),
            None => lines(&(0..self.bodies.len()).map(|i| self.join(i)).collect::<Vec<_>>()),
        };
        text += &lines(&self.teardown);
        text += "    (void)me;\n";
        text += self.end.as_deref().unwrap_or("    finish();\n    return 0;\n");
        text + "}\n"
    }

    fn join(&self, thread: usize) -> String {
        match self.c11 {
            true => format!("NOTE(thrd_join(thread_{thread}, 0));"),
            false => format!("NOTE(pthread_join(thread_{thread}, 0));"),
        }
    }
}

fn lines(all: &[String]) -> String {
    all.iter().map(|line| format!("    DELAY();\n    {line}\n")).collect()
}
