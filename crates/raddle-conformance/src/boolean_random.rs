//! Random Boolean programs, as text: the same seed gives the same program everywhere.
//!
//! Small enough for brute force, and made of every statement of the language. What is random is the text and not a
//! tree, so that the reader is tried as well.

use crate::Random;

/// How large random programs are, and what they may contain. All numbers are the most there may be.
#[derive(Clone, Debug)]
pub struct BooleanShape {
    pub globals: usize,
    /// Beside `main`.
    pub procedures: usize,
    pub parameters: usize,
    /// Beside parameters, in each procedure.
    pub locals: usize,
    /// Statements in a block.
    pub statements: usize,
    /// Blocks in blocks.
    pub nesting: usize,
    /// Whether a procedure may call itself and the ones before it.
    pub recursion: bool,
    /// Whether threads are started and ended, and atomic sections occur.
    pub threads: bool,
}

impl BooleanShape {
    /// One thread, procedures that call each other as they like.
    pub fn sequential() -> BooleanShape {
        BooleanShape {
            globals: 3,
            procedures: 2,
            parameters: 2,
            locals: 2,
            statements: 4,
            nesting: 2,
            recursion: true,
            threads: false,
        }
    }

    /// Threads, and calls that end.
    pub fn concurrent() -> BooleanShape {
        BooleanShape {
            globals: 2,
            procedures: 1,
            parameters: 1,
            locals: 1,
            statements: 4,
            nesting: 1,
            recursion: false,
            threads: true,
        }
    }
}

/// The program of a seed.
pub fn random_boolean_program(shape: &BooleanShape, seed: u64) -> String {
    let mut random = Random::new(seed);
    // Neighbouring seeds begin alike.
    for _ in 0..8 {
        random.number();
    }
    let count = shape.procedures - random.below(shape.procedures + 1) / 2;
    let globals = 1 + random.below(shape.globals);
    let mut headings = vec![Heading { name: "main".to_owned(), parameters: 0, results: 0 }];
    for index in 1..=count {
        headings.push(Heading {
            name: format!("p{index}"),
            parameters: random.below(shape.parameters + 1),
            results: random.below(3),
        });
    }
    let globals: Vec<String> = (0..globals).map(|index| format!("g{index}")).collect();
    let mut text = format!("decl {};\n", globals.join(", "));
    for index in 0..headings.len() {
        let mut maker = Maker {
            shape,
            random: &mut random,
            headings: &headings,
            procedure: index,
            variables: globals.clone(),
            labels: 0,
            text: String::new(),
        };
        text += &maker.procedure();
    }
    text
}

struct Heading {
    name: String,
    parameters: usize,
    results: usize,
}

/// Placeholder for the target of a jump; labels are known only at the end of the procedure.
const TARGET: &str = "@";

struct Maker<'a> {
    shape: &'a BooleanShape,
    random: &'a mut Random,
    headings: &'a [Heading],
    procedure: usize,
    variables: Vec<String>,
    labels: usize,
    text: String,
}

impl Maker<'_> {
    fn procedure(&mut self) -> String {
        let heading = &self.headings[self.procedure];
        let parameters: Vec<String> = (0..heading.parameters).map(|index| format!("a{index}")).collect();
        let locals: Vec<String> =
            (0..self.random.below(self.shape.locals + 1)).map(|index| format!("l{index}")).collect();
        self.variables.extend(parameters.iter().chain(&locals).cloned());
        let kind = match heading.results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            many => format!("bool<{many}>"),
        };
        let mut head = format!("{kind} {}({}) begin\n", heading.name, parameters.join(", "));
        if !locals.is_empty() {
            head += &format!("decl {};\n", locals.join(", "));
        }
        if self.random.one_in(12) {
            head += &format!("enforce ({});\n", self.expression(1));
        }
        if self.procedure == 0 && !self.random.one_in(3) {
            // From a known beginning errors are further away.
            let values: Vec<&str> = self.variables.iter().map(|_| *self.random.pick(&["0", "1"])).collect();
            self.text += &format!("{} := {};\n", self.variables.join(", "), values.join(", "));
        }
        self.block(self.shape.nesting);
        self.block(self.shape.nesting);
        if heading.results > 0 && !self.random.one_in(8) {
            let values = self.expressions(heading.results);
            self.text += &format!("return {values};\n");
        }
        // Every jump gets a label that exists.
        while let Some(at) = self.text.find(TARGET) {
            let label = format!("L{}", self.random.below(self.labels));
            self.text.replace_range(at..=at, &label);
        }
        format!("{head}{}end\n", self.text)
    }

    fn block(&mut self, nesting: usize) {
        for _ in 0..=self.random.below(self.shape.statements) {
            self.statement(nesting);
        }
    }

    fn statement(&mut self, nesting: usize) {
        if self.random.one_in(4) {
            self.text += &format!("L{}: ", self.labels);
            self.labels += 1;
        }
        // The label may occur once in a procedure.
        if self.random.one_in(40) && !self.text.contains("SLIC_ERROR") {
            self.text += "SLIC_ERROR: ";
        }
        if self.shape.threads && self.random.one_in(3) {
            return self.thread_statement();
        }
        match self.random.below(15) {
            0 => self.text += "skip;\n",
            1..=3 => self.assignment(),
            4..=6 => self.call(),
            7 if nesting > 0 => self.selection(nesting - 1),
            8 if nesting > 0 => {
                let condition = self.expression(2);
                self.text += &format!("while ({condition}) do\n");
                self.block(nesting - 1);
                self.text += "od\n";
            }
            9 if self.labels > 0 => {
                let targets = vec![TARGET; 1 + self.random.below(3)];
                self.text += &format!("goto {};\n", targets.join(", "));
            }
            10 => {
                let condition = self.expression(2);
                self.text += &format!("assume ({condition});\n");
            }
            11 | 12 => {
                // Most assertions of random programs fail; weak ones make some hold.
                let (a, b, c) = (self.expression(1), self.expression(1), self.variable());
                self.text += &format!("assert ({a} | {b} | {c});\n");
            }
            13 => {
                let variables = self.some_variables(2);
                self.text += &format!("dead {};\n", variables.join(", "));
            }
            14 if self.random.one_in(3) => {
                let count = self.headings[self.procedure].results;
                let values = self.expressions(count);
                self.text += &format!("return {values};\n");
            }
            _ => self.assignment(),
        }
    }

    fn thread_statement(&mut self) {
        match self.random.below(6) {
            0 | 1 if self.labels > 0 => self.text += &format!("start_thread goto {TARGET};\n"),
            0..=2 => match self.callee() {
                Some(callee) => {
                    let arguments = self.expressions(self.headings[callee].parameters);
                    let name = &self.headings[callee].name;
                    let spelling = if self.random.one_in(2) { "ASYNC_1: " } else { "start_thread " };
                    self.text += &format!("{spelling}{name}({arguments});\n");
                }
                None => self.text += "skip;\n",
            },
            3 => self.text += "atomic_begin;\n",
            4 => self.text += "atomic_end;\n",
            _ if self.random.one_in(2) => self.text += "skip;\n",
            _ => self.text += if self.random.one_in(2) { "end_thread;\n" } else { "thread_end;\n" },
        }
    }

    fn selection(&mut self, nesting: usize) {
        let condition = self.expression(2);
        self.text += &format!("if ({condition}) then\n");
        self.block(nesting);
        if self.random.one_in(4) {
            let condition = self.expression(1);
            self.text += &format!("elsif ({condition}) then\n");
            self.block(nesting);
        }
        if self.random.one_in(2) {
            self.text += "else\n";
            self.block(nesting);
        }
        self.text += "fi\n";
    }

    fn assignment(&mut self) {
        let targets = self.some_variables(3);
        let values = self.expressions(targets.len());
        self.text += &format!("{} := {values}", targets.join(", "));
        if self.random.one_in(5) {
            let now = self.expression(1);
            let (next, other) = (self.variable(), self.variable());
            self.text += &match self.random.below(3) {
                0 => format!(" constrain '{next} | {now}"),
                1 => format!(" constrain {next}' = ({now})"),
                _ => format!(" constrain '{next} != '{other} | ({now})"),
            };
        }
        self.text += ";\n";
    }

    /// The procedure that is called: one further down, or with recursion any, seldom `main`.
    fn callee(&mut self) -> Option<usize> {
        let first =
            if self.shape.recursion { usize::from(!self.random.one_in(6)) } else { self.procedure + 1 };
        let count = self.headings.len().saturating_sub(first);
        (count > 0).then(|| first + self.random.below(count))
    }

    fn call(&mut self) {
        let Some(callee) = self.callee() else { return self.assignment() };
        let Heading { name, parameters, results } = &self.headings[callee];
        let arguments = self.expressions(*parameters);
        let targets = if *results > 0 && self.variables.len() >= *results && !self.random.one_in(5) {
            let mut targets = self.shuffled();
            targets.truncate(*results);
            if self.random.one_in(6) {
                targets[0] = "_".to_owned();
            }
            format!("{} := ", targets.join(", "))
        } else {
            String::new()
        };
        self.text += &format!("{targets}{name}({arguments});\n");
    }

    fn variable(&mut self) -> String {
        self.random.pick(&self.variables).clone()
    }

    fn shuffled(&mut self) -> Vec<String> {
        let mut variables = self.variables.clone();
        for index in (1..variables.len()).rev() {
            variables.swap(index, self.random.below(index + 1));
        }
        variables
    }

    /// One variable or more, no more than `most`, all different.
    fn some_variables(&mut self, most: usize) -> Vec<String> {
        let mut variables = self.shuffled();
        variables.truncate(1 + self.random.below(most));
        variables
    }

    fn expressions(&mut self, count: usize) -> String {
        let values: Vec<String> = (0..count).map(|_| self.expression(2)).collect();
        values.join(", ")
    }

    /// An expression with so many operators one above the other, in parentheses where that matters.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(10) {
                0 => "T".to_owned(),
                1 => "F".to_owned(),
                2 => "*".to_owned(),
                _ => self.variable(),
            };
        }
        if self.random.one_in(4) {
            return format!("!({})", self.expression(depth - 1));
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(8) {
            0 | 1 => format!("({a} & {b})"),
            2 | 3 => format!("({a} | {b})"),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} = {b})"),
            6 => format!("(({a}) => {b})"),
            _ if self.random.one_in(2) => format!("schoose[{a}, {b}]"),
            _ => format!("({} ? {a} : {b})", self.variable()),
        }
    }
}
