//! Two diagrams as inline SVG: the wait-for graph of a deadlock (a resource allocation graph: threads and what they wait
//! for), and a run that never ends as a lasso, stem and cycle.
//!
//! Each has a text alternative; edges differ by their lines and labels, not by colour alone. Colours come from the page.

use raddle_trace::{BlockedThread, Trace};
use std::f64::consts::PI;
use std::fmt::Write;

use crate::columns::thread_title;
use crate::fault_view::awaits_an_end;
use crate::wrap::{cut, printable, width};

/// Text for markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

const NODE_HEIGHT: f64 = 34.0;
const LONGEST_LABEL: usize = 26;

struct Node {
    x: f64,
    y: f64,
    label: String,
    thread: Option<u32>,
}

impl Node {
    fn half_width(&self) -> f64 {
        // A monospaced letter of 13 pixels is a little under 8 wide.
        width(&self.label) as f64 * 4.0 + 12.0
    }

    /// Where the line to another point leaves the box.
    fn border(&self, x: f64, y: f64) -> (f64, f64) {
        let (dx, dy) = (x - self.x, y - self.y);
        let reach =
            |distance: f64, half: f64| if distance == 0.0 { f64::INFINITY } else { half / distance.abs() };
        let part = reach(dx, self.half_width() + 3.0).min(reach(dy, NODE_HEIGHT / 2.0 + 3.0)).min(1.0);
        (self.x + dx * part, self.y + dy * part)
    }

    fn draw(&self, out: &mut String) {
        let (half, label) = (self.half_width(), escaped(&self.label));
        let (x, y, w) = (self.x - half, self.y - NODE_HEIGHT / 2.0, 2.0 * half);
        let (class, round) = match self.thread {
            Some(id) => (format!("thread t{}", id % 6), 17),
            None => ("resource".to_string(), 2),
        };
        let _ = write!(
            out,
            "<g class=\"{class}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{NODE_HEIGHT}\" \
             rx=\"{round}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text></g>",
            self.x,
            self.y + 4.5
        );
    }
}

fn edge(from: &Node, to: &Node, label: &str, bend: f64, out: &mut String) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let (mx, my) = ((from.x + to.x) / 2.0 - dy / length * bend, (from.y + to.y) / 2.0 + dx / length * bend);
    let (ax, ay) = from.border(mx, my);
    let (bx, by) = to.border(mx, my);
    let class = if label == "held by" { "held" } else { "waits" };
    let (lx, ly) = ((ax + 2.0 * mx + bx) / 4.0, (ay + 2.0 * my + by) / 4.0);
    let _ = write!(
        out,
        "<path class=\"edge {class}\" d=\"M{ax:.1} {ay:.1} Q{mx:.1} {my:.1} {bx:.1} {by:.1}\" \
         marker-end=\"url(#head)\"/><text class=\"label\" x=\"{lx:.1}\" y=\"{:.1}\" \
         text-anchor=\"middle\">{label}</text>",
        ly + 4.0
    );
}

fn begin(w: f64, h: f64, title: &str, description: &str) -> String {
    format!(
        "<svg class=\"diagram\" viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" height=\"{h:.0}\" role=\"img\" \
         aria-label=\"{}: {}\"><defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0 10 5 0 10z\"/></marker></defs>",
        escaped(title),
        escaped(description)
    )
}

/// Who waits for what, and who has it. Nothing without blocked threads.
pub(super) fn wait_for_graph(trace: &Trace, blocked: &[BlockedThread], cycle: &[u32]) -> Option<String> {
    if blocked.is_empty() {
        return None;
    }
    let find = |id: u32| blocked.iter().find(|thread| thread.thread == id);
    let thread_node = |id: u32, x: f64, y: f64| Node {
        x,
        y,
        label: cut(&thread_title(trace, id), LONGEST_LABEL),
        thread: Some(id),
    };
    let resource = |thread: &BlockedThread, x: f64, y: f64| Node {
        x,
        y,
        label: cut(&printable(&thread.waits_for), LONGEST_LABEL),
        thread: None,
    };
    let mut sentences = Vec::new();
    let mut body = String::new();
    let mut nodes: Vec<Node> = Vec::new();
    let (mut wide, mut high) = (560.0, 20.0);
    let ring: Vec<&BlockedThread> = cycle.iter().filter_map(|id| find(*id)).collect();
    if !ring.is_empty() {
        let count = 2.0 * ring.len() as f64;
        let (rx, ry) = (150.0_f64.max(count * 34.0), 84.0_f64.max(count * 22.0));
        wide = 2.0 * rx + 260.0;
        let (cx, cy) = (wide / 2.0, ry + 34.0);
        let point = |position: usize| {
            let angle = PI * (2.0 * position as f64 / count - 0.5 - if ring.len() == 1 { 0.5 } else { 0.0 });
            (cx + rx * angle.cos(), cy + ry * angle.sin())
        };
        for (position, thread) in ring.iter().enumerate() {
            let (x, y) = point(2 * position);
            nodes.push(thread_node(thread.thread, x, y));
            let (x, y) = point(2 * position + 1);
            nodes.push(resource(thread, x, y));
        }
        for (position, thread) in ring.iter().enumerate() {
            let next = (2 * position + 2) % nodes.len();
            let bend = if ring.len() == 1 { 34.0 } else { 0.0 };
            edge(&nodes[2 * position], &nodes[2 * position + 1], "waits for", bend, &mut body);
            let end = awaits_an_end(thread);
            edge(
                &nodes[2 * position + 1],
                &nodes[next],
                if end { "is the end of" } else { "held by" },
                bend,
                &mut body,
            );
        }
        high = cy + ry + 40.0;
    }
    for thread in blocked {
        let owner = thread.owner.filter(|_| !awaits_an_end(thread)).map(|id| thread_title(trace, id));
        let held = owner.map(|owner| format!(", held by {owner}")).unwrap_or_default();
        let who = thread_title(trace, thread.thread);
        sentences.push(format!("{who} waits for {}{held}", printable(&thread.waits_for)));
        if cycle.contains(&thread.thread) {
            continue;
        }
        let y = high + NODE_HEIGHT / 2.0;
        let (from, to) = (thread_node(thread.thread, 120.0, y), resource(thread, wide - 150.0, y));
        edge(&from, &to, "waits for", 0.0, &mut body);
        nodes.extend([from, to]);
        high += NODE_HEIGHT + 18.0;
    }
    for node in &nodes {
        node.draw(&mut body);
    }
    let title = begin(wide, high + 6.0, "wait-for graph", &sentences.join("; "));
    Some(format!("{title}{body}</svg>"))
}

/// A step of a lasso: its position, its thread, what it does.
pub(super) struct LassoStep {
    pub position: usize,
    pub thread: u32,
    pub text: String,
}

/// More nodes than this are not legible.
const MOST_ON_CYCLE: usize = 28;

/// Stem and cycle. Where the cycle is long, one node stands for a run of one thread; where that is too many, nothing is
/// drawn.
pub(super) fn lasso(stem: usize, steps: &[LassoStep], trace_number: usize) -> Option<String> {
    let mut nodes: Vec<(usize, usize, u32, String)> = Vec::new();
    for step in steps {
        match nodes.last_mut() {
            Some(run) if steps.len() > MOST_ON_CYCLE && run.2 == step.thread => {
                run.1 += 1;
                run.3 = format!("{} steps", run.1);
            }
            _ => nodes.push((step.position, 1, step.thread, cut(&printable(&step.text), 30))),
        }
    }
    if nodes.is_empty() || nodes.len() > MOST_ON_CYCLE {
        return None;
    }
    let radius = (nodes.len() as f64 * 13.0).max(70.0);
    let (cx, cy) = (430.0, radius + 44.0);
    let (wide, high) = (cx + radius + 290.0, 2.0 * radius + 88.0);
    let before = match stem {
        0 => "no step before".to_string(),
        1 => "1 step before".to_string(),
        n => format!("{n} steps before"),
    };
    let repeated = if steps.len() == 1 { "1 step".to_string() } else { format!("{} steps", steps.len()) };
    let mut out = begin(
        wide,
        high,
        "the run as a lasso",
        &format!("{before}, then a cycle of {repeated} that repeats"),
    );
    let left = cx - radius;
    let _ = write!(
        out,
        "<path class=\"edge stem\" d=\"M12 {cy:.1} H{:.1}\" marker-end=\"url(#head)\"/>\
         <text class=\"label\" x=\"12\" y=\"{:.1}\">{before}</text>\
         <circle class=\"ring\" cx=\"{cx}\" cy=\"{cy:.1}\" r=\"{radius:.1}\"/>\
         <path class=\"edge\" d=\"M{:.1} {:.1} l8 0\" marker-end=\"url(#head)\"/>\
         <text class=\"label\" x=\"{cx}\" y=\"{:.1}\" text-anchor=\"middle\">repeats</text>",
        left - 14.0,
        cy - 10.0,
        cx,
        cy - radius,
        cy + 4.0
    );
    let count = nodes.len() as f64;
    for (number, (position, _, thread, text)) in nodes.iter().enumerate() {
        // Clockwise from the left, where the stem comes in.
        let angle = PI * (1.0 + 2.0 * number as f64 / count);
        let (x, y) = (cx + radius * angle.cos(), cy + radius * angle.sin());
        let outwards = angle.cos() >= -0.05;
        let (anchor, tx) = if outwards { ("start", x + 20.0) } else { ("end", x - 20.0) };
        // The first label would lie on the stem.
        let ty = if number == 0 { y + 26.0 } else { y + 4.0 + angle.sin() * 8.0 };
        let _ = write!(
            out,
            "<a href=\"#trace={trace_number}&amp;step={step}\" data-step=\"{position}\"><g class=\"thread t{}\">\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"14\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">T{thread}</text></g><text class=\"label\" x=\"{tx:.1}\" y=\"{ty:.1}\" \
             text-anchor=\"{anchor}\">{}</text></a>",
            thread % 6,
            y + 4.5,
            escaped(text),
            step = position + 1,
        );
    }
    out.push_str("</svg>");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        let step = LassoStep { position: 3, thread: 1, text: "reads \"</svg><script>\" & 'x'".into() };
        let drawn = lasso(2, &[step], 1).unwrap();
        assert!(!drawn.contains("<script>") && drawn.matches("</svg>").count() == 1, "{drawn}");
    }

    #[test]
    fn a_long_cycle_is_drawn_by_runs_or_not_at_all() {
        let steps = |threads: u32| -> Vec<LassoStep> {
            let step =
                |n: u32| LassoStep { position: n as usize, thread: n * threads / 100, text: "x".into() };
            (0..100).map(step).collect()
        };
        assert_eq!(lasso(0, &steps(4), 1).unwrap().matches("data-step").count(), 4);
        assert!(lasso(0, &steps(100), 1).is_none());
    }
}
