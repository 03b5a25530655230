//! Scatter plots as SVG: two times for each program, both axes logarithmic.
//!
//! Written by hand, for it is a page of text. Colours follow the reader's light or dark scheme.

use std::fmt::Write;

const SIZE: f64 = 360.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 16.0;
const BELOW: f64 = 48.0;
const RIGHT: f64 = 40.0;

/// What is drawn.
pub struct Plot<'a> {
    pub across: &'a str,
    pub up: &'a str,
    /// Seconds; what took longer is drawn on the edge.
    pub least: f64,
    pub limit: f64,
    /// Name, seconds across, seconds up; none if the limit was reached.
    pub points: Vec<(&'a str, Option<f64>, Option<f64>)>,
}

const STYLE: &str = "\
  .paper { fill: #ffffff } .ink { fill: #24292f } .line { stroke: #57606a; fill: none } .faint { stroke: #d0d7de; fill: none }
  .dot { fill: #0969da; fill-opacity: .65 } .late { fill: #cf222e; fill-opacity: .75 }
  text { font: 12px system-ui, sans-serif }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .ink { fill: #e6edf3 } .line { stroke: #8b949e } .faint { stroke: #30363d }
    .dot { fill: #58a6ff } .late { fill: #ff7b72 }
  }
";

impl Plot<'_> {
    pub fn svg(&self) -> String {
        let (width, height) = (LEFT + SIZE + RIGHT, TOP + SIZE + BELOW);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">\n<title>{} against {}</title>\n<style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" \
             height=\"{height}\"/>\n",
            escaped(self.up),
            escaped(self.across)
        );
        let mut mark = 10f64.powf(self.least.log10().ceil());
        while mark <= self.limit * 1.001 {
            let (x, y) = (self.x(mark), self.y(mark));
            let _ = write!(
                out,
                "<path class=\"faint\" d=\"M{x:.1} {TOP}V{:.1}M{LEFT} {y:.1}H{:.1}\"/>\n<text class=\"ink\" x=\"{x:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{mark}</text>\n<text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>\n",
                TOP + SIZE,
                LEFT + SIZE,
                TOP + SIZE + 16.0,
                LEFT - 6.0,
                y + 4.0
            );
            mark *= 10.0;
        }
        // The diagonal, and ten and a hundred times on either side of it.
        for factor in [0.01, 0.1, 1.0, 10.0, 100.0] {
            let class = if factor == 1.0 { "line" } else { "faint" };
            let (from, to) = (self.least.max(self.least / factor), self.limit.min(self.limit / factor));
            if from < to {
                let _ = writeln!(
                    out,
                    "<path class=\"{class}\" stroke-dasharray=\"{}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                    if factor == 1.0 { "none" } else { "4 4" },
                    self.x(from),
                    self.y(from * factor),
                    self.x(to),
                    self.y(to * factor)
                );
            }
        }
        let _ = writeln!(
            out,
            "<rect class=\"line\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIZE}\" height=\"{SIZE}\"/>"
        );
        for (name, across, up) in &self.points {
            let late = across.is_none() || up.is_none();
            let told =
                |time: &Option<f64>| time.map_or("not solved".to_owned(), |time| format!("{time:.3} s"));
            // What was not solved stands a little outside.
            let x = across.map_or(LEFT + SIZE + 12.0, |time| self.x(time));
            let y = up.map_or(TOP - 8.0, |time| self.y(time));
            let _ = writeln!(
                out,
                "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"><title>{}: {} across, {} up</title></circle>",
                if late { "late" } else { "dot" },
                escaped(name),
                told(across),
                told(up)
            );
        }
        let (middle, foot) = (LEFT + SIZE / 2.0, TOP + SIZE + 36.0);
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"{middle}\" y=\"{foot}\" text-anchor=\"middle\">{}, seconds</text>\n<text class=\"ink\" \
             transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}, seconds</text>\n</svg>\n",
            escaped(self.across),
            TOP + SIZE / 2.0,
            escaped(self.up)
        );
        out
    }

    /// From 0 at the least time to 1 at the limit.
    fn part(&self, time: f64) -> f64 {
        let (least, most) = (self.least.log10(), self.limit.log10());
        ((time.log10() - least) / (most - least)).clamp(0.0, 1.0)
    }

    fn x(&self, time: f64) -> f64 {
        LEFT + SIZE * self.part(time)
    }

    fn y(&self, time: f64) -> f64 {
        TOP + SIZE * (1.0 - self.part(time))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::Plot;

    #[test]
    fn points_stand_where_their_times_are() {
        let points = vec![("a<b", Some(0.1), Some(1.0)), ("c", None, Some(0.01))];
        let plot = Plot { across: "one", up: "two", least: 0.01, limit: 1.0, points };
        let text = plot.svg();
        assert!(text.contains("a&lt;b: 0.100 s across, 1.000 s up"), "{text}");
        // Half of the way across, and all the way up.
        assert!(text.contains("cx=\"244.0\" cy=\"16.0\""), "{text}");
        assert!(text.contains("class=\"late\" cx=\"436.0\" cy=\"376.0\""), "{text}");
        assert_eq!(text.matches("<circle").count(), 2);
    }
}
