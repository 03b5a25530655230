//! A tree to text: one statement a line, four columns a level, comments kept.
//!
//! What is printed is read as the same tree (up to places), and printing that again gives the same text. Parentheses
//! are printed only where they are needed, so that no limit of the reader is passed that was not passed before; the
//! ones around the condition of a statement are printed always and do not count there.

use super::comments::Comments;
use super::syntax::{Binary, Expression, ExpressionKind, Name, Procedure, Program, Statement, StatementKind};
use super::{Comment, Place, Span, ThreadStart};

/// Lines are broken, if they can be, before they are longer than this.
const WIDTH: usize = 110;
const INDENTATION: usize = 4;

/// Where a line may be broken; a space if it is not. No name contains it.
const BREAK: char = '\u{1}';

/// The program as text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        text: String::new(),
        level: 0,
        comments: Comments::new(&program.comments),
        open: None,
        last: None,
        above: None,
    };
    for declaration in &program.globals {
        printer.statement(declaration);
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        printer.flush(procedure.heading.start);
        if index > 0 || !program.globals.is_empty() {
            printer.blank_line();
        }
        printer.procedure(procedure);
    }
    printer.finish();
    printer.text
}

struct Printer<'a> {
    text: String,
    level: usize,
    comments: Comments<'a>,
    /// The last line has no line feed yet; its source ended here.
    open: Option<Place>,
    /// The line on which the source of what was printed last ended, unless a block has just begun or ended.
    last: Option<u32>,
    /// Where in the text the comments begin that are right above what comes next.
    above: Option<usize>,
}

impl Printer<'_> {
    fn procedure(&mut self, procedure: &Procedure) {
        let kind = match procedure.results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            many => format!("bool<{many}>"),
        };
        let heading = format!("{kind} {}({}){BREAK}begin", procedure.name.text, names(&procedure.parameters));
        self.line(&heading, procedure.heading);
        self.block(&procedure.body, procedure.end);
        self.line("end", procedure.end);
    }

    fn block(&mut self, statements: &[Statement], end: Span) {
        self.level += 1;
        self.last = None;
        for statement in statements {
            self.statement(statement);
        }
        self.flush(end.start);
        self.last = None;
        self.level -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        let labels: String = statement.labels.iter().map(|label| format!("{}:{BREAK}", label.text)).collect();
        match &statement.kind {
            StatementKind::If { branches, otherwise, fi } => {
                let after = otherwise.as_ref().map_or(*fi, |(place, _)| *place);
                for (index, branch) in branches.iter().enumerate() {
                    let (word, span) =
                        if index == 0 { ("if", statement.span) } else { ("elsif", branch.heading) };
                    let labels = if index == 0 { labels.as_str() } else { "" };
                    let condition = expression(&branch.condition);
                    self.line(&format!("{labels}{word} ({condition}) then"), span);
                    let end = branches.get(index + 1).map_or(after, |next| next.heading);
                    self.block(&branch.body, end);
                }
                if let Some((place, body)) = otherwise {
                    self.line("else", *place);
                    self.block(body, *fi);
                }
                self.line("fi", *fi);
            }
            StatementKind::While { condition, body, od } => {
                self.line(&format!("{labels}while ({}) do", expression(condition)), statement.span);
                self.block(body, *od);
                self.line("od", *od);
            }
            simple => self.line(&format!("{labels}{};", simple_statement(simple)), statement.span),
        }
    }

    /// Comments that were before a place, on lines of their own or behind the open line.
    fn flush(&mut self, place: Place) {
        let behind = match self.open {
            Some(end) => self.comments.behind(end, place),
            None => &[],
        };
        self.behind(behind);
        self.close();
        let comments = self.comments.before(place);
        self.own_lines(comments);
    }

    fn own_lines(&mut self, comments: &[Comment]) {
        for comment in comments {
            let before = self.text.len();
            self.keep_gap(comment.span);
            if self.above.is_none() || self.text.len() > before {
                self.above = Some(self.text.len());
            }
            self.indent();
            self.text.push_str(&comment.text);
            self.text.push('\n');
        }
    }

    /// Empty lines between statements become one.
    fn keep_gap(&mut self, span: Span) {
        let gap = self.last.is_some_and(|last| span.start.line > last.saturating_add(1));
        if gap && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.last = Some(span.end.line);
    }

    fn behind(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.last = Some(comment.span.end.line);
            self.text.push(' ');
            self.text.push_str(&comment.text);
        }
    }

    /// Ends the open line, if there is one.
    fn close(&mut self) {
        if self.open.take().is_some() {
            self.text.push('\n');
        }
    }

    /// Prints one thing of the source. Comments inside it go before it.
    fn line(&mut self, content: &str, span: Span) {
        self.flush(span.start);
        let comments = self.comments.before(span.end);
        self.own_lines(comments);
        self.keep_gap(span);
        self.indent();
        self.fill(content);
        self.above = None;
        self.open = Some(span.end);
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n(' ', self.level * INDENTATION));
    }

    /// Words as many as fit on a line.
    fn fill(&mut self, content: &str) {
        let mut column = self.level * INDENTATION;
        for (index, word) in content.split(BREAK).enumerate() {
            let width = word.chars().count();
            if index > 0 {
                if column + 1 + width > WIDTH {
                    self.text.push('\n');
                    self.indent();
                    self.text.extend(std::iter::repeat_n(' ', INDENTATION));
                    column = (self.level + 1) * INDENTATION;
                } else {
                    self.text.push(' ');
                    column += 1;
                }
            }
            self.text.push_str(word);
            column += width;
        }
    }

    fn blank_line(&mut self) {
        self.close();
        // Comments that belong to what follows have been printed: the empty line goes above them.
        let start = self.above.unwrap_or(self.text.len());
        if start > 0 && !self.text[..start].ends_with("\n\n") {
            self.text.insert(start, '\n');
            self.above = self.above.map(|above| above + 1);
        }
    }

    fn finish(&mut self) {
        let rest = self.comments.rest();
        let count = match self.open {
            Some(end) => rest.iter().take_while(|c| c.span.start.line == end.line).count(),
            None => 0,
        };
        self.behind(&rest[..count]);
        self.close();
        self.own_lines(&rest[count..]);
    }
}

fn simple_statement(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Skip => "skip".to_owned(),
        StatementKind::Declaration(variables) => format!("decl {}", names(variables)),
        StatementKind::Enforce(condition) => format!("enforce ({})", expression(condition)),
        StatementKind::Goto(labels) => format!("goto {}", names(labels)),
        StatementKind::Return(values) if values.is_empty() => "return".to_owned(),
        StatementKind::Return(values) => format!("return {}", expressions(values)),
        StatementKind::Assignment { targets, values, constrain } => {
            let condition = constrain.as_ref().map(|c| format!("{BREAK}constrain{BREAK}{}", expression(c)));
            format!(
                "{}{BREAK}:={BREAK}{}{}",
                names(targets),
                expressions(values),
                condition.unwrap_or_default()
            )
        }
        StatementKind::Call { targets, procedure, arguments } if targets.is_empty() => {
            call(procedure, arguments)
        }
        StatementKind::Call { targets, procedure, arguments } => {
            format!("{}{BREAK}:={BREAK}{}", names(targets), call(procedure, arguments))
        }
        StatementKind::Assert(condition) => format!("assert ({})", expression(condition)),
        StatementKind::Assume(condition) => format!("assume ({})", expression(condition)),
        StatementKind::Dead(variables) if variables.is_empty() => "dead".to_owned(),
        StatementKind::Dead(variables) => format!("dead {}", names(variables)),
        StatementKind::Print(values) => format!("print({})", expressions(values)),
        StatementKind::StartThread(ThreadStart::Label(label)) => format!("start_thread goto {}", label.text),
        StatementKind::StartThread(ThreadStart::Procedure { procedure, arguments }) => {
            format!("start_thread {}", call(procedure, arguments))
        }
        StatementKind::EndThread => "end_thread".to_owned(),
        StatementKind::AtomicBegin => "atomic_begin".to_owned(),
        StatementKind::AtomicEnd => "atomic_end".to_owned(),
        StatementKind::If { .. } | StatementKind::While { .. } => unreachable!("printed by `statement`"),
    }
}

fn call(procedure: &Name, arguments: &[Expression]) -> String {
    format!("{}({})", procedure.text, expressions(arguments))
}

fn names(names: &[Name]) -> String {
    let texts: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    texts.join(&format!(",{BREAK}"))
}

fn expressions(values: &[Expression]) -> String {
    let texts: Vec<String> = values.iter().map(expression).collect();
    texts.join(&format!(",{BREAK}"))
}

fn expression(value: &Expression) -> String {
    let mut text = String::new();
    write_expression(value, &mut text);
    text
}

fn write_expression(value: &Expression, text: &mut String) {
    match &value.kind {
        ExpressionKind::Constant(value) => text.push(if *value { '1' } else { '0' }),
        ExpressionKind::Variable(name) => text.push_str(name),
        ExpressionKind::Primed(name) => {
            text.push('\'');
            text.push_str(name);
        }
        ExpressionKind::Choice => text.push('*'),
        ExpressionKind::Not(operand) => {
            text.push('!');
            let compound =
                matches!(operand.kind, ExpressionKind::Binary(..) | ExpressionKind::Conditional(_));
            write_operand(operand, compound, text);
        }
        ExpressionKind::Binary(operator, left, right) => {
            write_operand(left, needs_parentheses(left, *operator, true), text);
            text.push(' ');
            text.push_str(operator.symbol());
            text.push(BREAK);
            write_operand(right, needs_parentheses(right, *operator, false), text);
        }
        ExpressionKind::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            let nested = |part: &Expression| matches!(part.kind, ExpressionKind::Conditional(_));
            write_operand(condition, nested(condition), text);
            text.push_str(" ?");
            text.push(BREAK);
            write_expression(then, text);
            text.push_str(" :");
            text.push(BREAK);
            write_operand(otherwise, nested(otherwise), text);
        }
        ExpressionKind::Schoose(parts) => {
            let [positive, negative] = parts.as_ref();
            text.push_str("schoose[");
            write_expression(positive, text);
            text.push(',');
            text.push(BREAK);
            write_expression(negative, text);
            text.push(']');
        }
    }
}

fn write_operand(operand: &Expression, parentheses: bool, text: &mut String) {
    if parentheses {
        text.push('(');
    }
    write_expression(operand, text);
    if parentheses {
        text.push(')');
    }
}

fn needs_parentheses(operand: &Expression, outer: Binary, left: bool) -> bool {
    match &operand.kind {
        ExpressionKind::Binary(inner, ..) if left => {
            // After an implication the reader wants no operator that binds alike.
            inner.strength() < outer.strength()
                || (*inner == Binary::Implies && outer.strength() == Binary::Implies.strength())
        }
        ExpressionKind::Binary(inner, ..) => inner.strength() <= outer.strength(),
        ExpressionKind::Conditional(_) => true,
        _ => false,
    }
}
