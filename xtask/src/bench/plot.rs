//! Lines in a plot whose axes are both logarithmic, as SVG.

use std::fmt::Write as _;

/// One line, by size.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

pub struct Plot<'a> {
    pub title: String,
    pub across: &'a str,
    pub up: &'a str,
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 6] = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b", "#555555"];

impl Plot<'_> {
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let (left, right) = decades(points().map(|p| p.0));
        let (low, high) = decades(points().map(|p| p.1));
        let x = |value: f64| LEFT + (value.log10() - left) / (right - left) * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BOTTOM - (value.log10() - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>\n",
            self.title
        );
        let grid = "stroke=\"#ddd\"";
        for decade in left as i32..=right as i32 {
            let at = x(10f64.powi(decade));
            let (top, bottom) = (TOP, HEIGHT - BOTTOM);
            let _ =
                writeln!(svg, "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" {grid}/>");
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">10^{decade}</text>",
                bottom + 15.0
            );
        }
        for decade in low as i32..=high as i32 {
            let at = y(10f64.powi(decade));
            let end = WIDTH - RIGHT;
            let _ = writeln!(svg, "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{end}\" y2=\"{at:.1}\" {grid}/>");
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 5.0,
                at + 4.0,
                10f64.powi(decade)
            );
        }
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            let path: Vec<String> =
                line.points.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                path.join(" ")
            );
            if let Some((a, b)) = line.points.last() {
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
                    x(*a) + 5.0,
                    y(*b) + 4.0,
                    line.name
                );
            }
        }
        let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"14\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {})\">{}</text>\n</svg>\n",
            HEIGHT - 12.0,
            self.across,
            HEIGHT / 2.0,
            HEIGHT / 2.0,
            self.up
        );
        svg
    }
}

/// The decades that the values lie in, as exponents; at least one.
fn decades(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for value in values.filter(|value| *value > 0.0) {
        low = low.min(value.log10().floor());
        high = high.max(value.log10().ceil());
    }
    if low > high { (0.0, 1.0) } else { (low, high.max(low + 1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_drawn_inside() {
        let line = Line { name: "explicit".into(), points: vec![(1000.0, 0.02), (10_000.0, 3.0)] };
        let plot = Plot { title: "arrays".into(), across: "elements", up: "seconds", lines: vec![line] };
        let svg = plot.svg();
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("10^3") && svg.contains("10^4") && svg.contains(">0.01<"));
        assert_eq!(decades([0.02, 3.0].into_iter()), (-2.0, 1.0));
    }
}
