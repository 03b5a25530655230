// The steps as rows, a lane for each thread, arrows between them. Only rows in sight are in the document, so that a trace of
// thousands of steps moves as fast as a short one. Where lanes do not fit side by side they shrink to rails, as in the
// history of a version control system.

const LINE = 19;
const MOST_LINES = 6;
// A lane that is narrower than this is a rail.
const NARROWEST = 150;

class Lanes {
  constructor(container, choose) {
    this.container = container;
    this.choose = choose;
    this.space = element('div', 'space');
    this.arrows = drawing('svg', { class: 'arrows', 'aria-hidden': 'true' });
    this.rows = element('div');
    this.rows.setAttribute('role', 'presentation');
    this.space.append(this.rows, this.arrows);
    this.space.setAttribute('role', 'presentation');
    container.append(this.space);
    container.addEventListener('scroll', () => this.draw(), { passive: true });
    this.kinds = new Set(['create', 'join', 'lock', 'reads-from', 'race']);
    this.rows.addEventListener('click', (event) => {
      const row = event.target.closest('.row');
      if (row) this.choose(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.trace && this.layout()).observe(container);
  }

  show(trace, shown) {
    [this.trace, this.shown, this.laidOut] = [trace, shown, 0];
    this.layout();
  }

  letter() {
    const probe = element('span', '', 'm'.repeat(50));
    probe.style.position = 'absolute';
    this.container.append(probe);
    const wide = probe.getBoundingClientRect().width / 50;
    probe.remove();
    return wide || 8;
  }

  // Columns, and the top of each row.
  layout() {
    const { trace } = this;
    const room = this.container.clientWidth;
    if (!room || (this.laidOut === room)) return this.draw();
    this.laidOut = room;
    const count = trace.lanes.length;
    const letter = this.letter();
    // Where a part repeats, there is room for the way back at the left.
    const loop = trace.cycle === undefined ? 0 : 14;
    const number = Math.ceil(letter * Math.max(3, String(trace.last + 1).length)) + 16 + loop;
    this.compact = room - number < count * NARROWEST;
    const left = number + 12;
    if (this.compact) {
      const rail = Math.min(20, (room - left) * 0.4 / count);
      this.columns = trace.lanes.map((_, lane) => ({ rail: left + rail * (lane + 0.5) }));
      this.text = { left: left + rail * count + 8, width: Math.max(120, room - left - rail * count - 12) };
      const half = this.text.width > 440 ? this.text.width * 0.45 : 0;
      this.text.width -= half;
      this.code = half ? { left: this.text.left + this.text.width + 10, width: half - 10 } : undefined;
    } else {
      const spare = room - left - count * (NARROWEST + 35);
      const code = spare > 140 ? Math.min(320, spare * 0.8) : 0;
      const lane = (room - left - code) / count;
      this.code = code ? { left, width: code - 12 } : undefined;
      this.columns = trace.lanes.map((_, at) => ({
        rail: left + code + lane * at + 6, left: left + code + lane * at + 16, width: lane - 22,
      }));
    }
    this.number = { left: 12 + loop, width: number - 12 - loop };
    const columns = (thread) => this.compact ? this.text : this.columns[trace.lanes.indexOf(thread)];
    this.tops = new Float64Array(this.shown.length + 1);
    this.lines = [];
    let top = 4;
    this.shown.forEach((at, index) => {
      const step = trace.steps[at];
      // Signs such as ✗ and → may come from another font, and be wider.
      const letters = Math.max(8, Math.floor(columns(step.thread).width / letter) - 2);
      const lines = [];
      step.events.forEach(([role, text], event) => {
        const who = this.compact && event === 0 ? `T${step.thread} ` : '';
        for (const line of wrapped(who + text, letters)) lines.push([role, line]);
      });
      if (lines.length > MOST_LINES) {
        // A fault is at the end of its step.
        const kept = [...lines.slice(0, 3), ['faint', `… ${lines.length - 5} more lines`], ...lines.slice(-2)];
        lines.splice(0, lines.length, ...kept);
      }
      if (at === trace.cycle) top += LINE;
      this.tops[index] = top;
      this.lines.push(lines);
      top += Math.max(1, lines.length) * LINE + 4;
    });
    this.tops[this.shown.length] = top;
    this.space.style.height = `${top + 4}px`;
    this.draw();
  }

  // The index among the shown rows of a position, or of the last one before it.
  index(at) {
    return Trace.lastIndex(this.shown, at, (position) => position);
  }

  select(at) {
    this.at = at;
    const index = this.index(at);
    if (this.tops && index >= 0) {
      const [top, bottom] = [this.tops[index], this.tops[index + 1]];
      const view = this.container;
      if (top < view.scrollTop + 40) view.scrollTop = Math.max(0, top - view.clientHeight / 3);
      else if (bottom > view.scrollTop + view.clientHeight - 40) view.scrollTop = bottom - view.clientHeight * 2 / 3;
    }
    this.draw();
  }

  middle(index) {
    return this.tops[index] + LINE / 2 + 2;
  }

  draw() {
    if (!this.tops) return;
    const { scrollTop, clientHeight } = this.container;
    const top = (y) => Math.max(0, Trace.lastIndex(this.tops.subarray(0, this.shown.length), y, (value) => value));
    const [from, to] = [top(scrollTop - 200), Math.min(this.shown.length - 1, top(scrollTop + clientHeight + 200))];
    const rows = [];
    for (let index = from; index <= to; index += 1) rows.push(...this.row(index));
    if (this.shown.length === 0) rows.push(element('p', 'empty', 'No step matches the filter.'));
    this.rows.replaceChildren(...rows);
    const current = this.rows.querySelector('.current');
    if (current) this.container.setAttribute('aria-activedescendant', current.id);
    else this.container.removeAttribute('aria-activedescendant');
    this.drawArrows(from, to);
  }

  row(index) {
    const { trace } = this;
    const at = this.shown[index];
    const step = trace.steps[at];
    const row = element('div', 'row');
    row.id = `row-${at}`;
    row.dataset.at = at;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(at === this.at));
    row.setAttribute('aria-posinset', index + 1);
    row.setAttribute('aria-setsize', this.shown.length);
    row.style.top = `${this.tops[index]}px`;
    row.style.height = `${Math.max(1, this.lines[index].length) * LINE + 4}px`;
    if (at === this.at) row.classList.add('current');
    const before = index > 0 ? trace.steps[this.shown[index - 1]] : step;
    if (before.thread !== step.thread) row.classList.add('switch');
    const cell = (place, className, text) => {
      const span = element('span', className, text);
      span.style.left = `${place.left}px`;
      span.style.width = `${place.width}px`;
      row.append(span);
      return span;
    };
    row.setAttribute('aria-label', `step ${at + 1}, ${trace.title(step.thread)}, ${step.line ? `line ${step.line}, ` : ''}${step.events.map((event) => event[1]).join(', ')}`);
    cell(this.number, 'number', step.line ? String(step.line) : '');
    if (this.code && step.line) {
      const same = index > 0 && before.thread === step.thread && before.line === step.line && before.file === step.file;
      const text = same ? '' : sourceLine(trace, step).trim();
      cell(this.code, 'code', text).title = text;
    }
    const place = this.compact ? this.text : this.columns[trace.lanes.indexOf(step.thread)];
    const words = cell(place, '', undefined);
    this.lines[index].forEach(([role, text], line) => {
      if (line > 0) words.append('\n');
      if (line === 0 && this.compact) {
        const who = `T${step.thread}`;
        words.append(element('b', `who ${hue(step.thread)}`, who), element('span', role, text.slice(who.length)));
      } else {
        words.append(element('span', role, text));
      }
    });
    if (at !== trace.cycle) return [row];
    const banner = element('div', 'banner', '↻ from here on the run repeats forever');
    banner.setAttribute('role', 'presentation');
    banner.style.top = `${this.tops[index] - LINE}px`;
    return [banner, row];
  }

  drawArrows(from, to) {
    const { trace } = this;
    // Only what is in sight is a drawing: one of all rows would be painted again at each step.
    const [above, below] = this.shown.length > 0 ? [this.tops[from] - 20, this.tops[to + 1]] : [0, 0];
    this.arrows.setAttribute('width', this.container.clientWidth);
    this.arrows.setAttribute('height', below - above);
    this.arrows.style.top = `${above}px`;
    const made = [];
    const defs = drawing('defs', {});
    const marker = drawing('marker', { id: 'tip', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 7, markerHeight: 7, markerUnits: 'userSpaceOnUse', orient: 'auto' });
    marker.append(drawing('path', { d: 'M0 0 10 5 0 10z' }));
    defs.append(marker);
    made.push(defs);
    if (this.shown.length > 0) {
      const [top, bottom] = [this.tops[from], this.tops[to + 1]];
      trace.lanes.forEach((thread, lane) => {
        const x = this.columns[lane].rail;
        made.push(drawing('line', { class: `rail ${hue(thread)}`, x1: x, x2: x, y1: top, y2: bottom }));
      });
      const [first, last] = [this.shown[from], this.shown[to]];
      for (const arrow of trace.arrows) {
        const near = arrow.from === this.at || arrow.to === this.at;
        if (arrow.to < first || arrow.from > last || !this.kinds.has(arrow.kind)) continue;
        // Far arrows of a long trace would cover everything.
        if (!near && arrow.to - arrow.from > 400) continue;
        const [a, b] = [this.index(arrow.from), this.index(arrow.to)];
        if (this.shown[a] !== arrow.from || this.shown[b] !== arrow.to) continue;
        made.push(this.arrow(arrow, a, b, near));
      }
      const start = this.shown.findIndex((at) => at >= trace.cycle);
      if (start >= 0) {
        const [y1, y2] = [this.middle(start), this.middle(this.shown.length - 1)];
        made.push(drawing('path', { class: 'arrow loop', d: `M24 ${y2} H17 Q14 ${y2} 14 ${y2 - 4} V${y1 + 4} Q14 ${y1} 17 ${y1} H25`, 'marker-end': 'url(#tip)' }));
      }
      for (let index = from; index <= to; index += 1) {
        const thread = trace.steps[this.shown[index]].thread;
        const x = this.columns[trace.lanes.indexOf(thread)].rail;
        const big = this.shown[index] === this.at;
        made.push(drawing('circle', { class: `dot ${hue(thread)}`, cx: x, cy: this.middle(index), r: big ? 6 : 4.5 }));
      }
    }
    const moved = drawing('g', { transform: `translate(0 ${-above})` });
    moved.append(...made);
    this.arrows.replaceChildren(moved);
  }

  arrow(arrow, a, b, near) {
    const x = (at) => this.columns[this.trace.lanes.indexOf(this.trace.steps[at].thread)].rail;
    // Down along the lane it comes from, then across between two rows, where no words are. Each kind has its own track.
    const track = { 'create': 0, 'join': 3, 'lock': 5, 'reads-from': -4, 'race': 7 }[arrow.kind];
    const [x1, y1, x2, y2] = [x(arrow.from) + track, this.middle(a), x(arrow.to), this.middle(b)];
    const across = this.tops[b] + 1.5;
    const round = Math.min(5, Math.max(0, across - y1), Math.abs(x2 - x1) / 2);
    const side = x2 > x1 ? round : -round;
    const d = `M${x1} ${y1} V${across - round} Q${x1} ${across} ${x1 + side} ${across} H${x2 - side} Q${x2} ${across} ${x2} ${y2 - 4}`;
    const path = drawing('path', { class: `arrow ${arrow.kind}${near ? ' near' : ''}`, d, ...(arrow.kind === 'race' ? {} : { 'marker-end': 'url(#tip)' }) });
    path.append(drawing('title', {}));
    path.firstChild.textContent = `${arrow.kind}: ${arrow.what}`;
    return path;
  }
}

// Lines of at most so many letters, broken at spaces where there are some.
function wrapped(text, letters) {
  const lines = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line && line.length + 1 + word.length > letters) {
      lines.push(line);
      line = '  ';
    } else if (line) {
      line += ' ';
    }
    while (line.length + word.length > letters && word.length > letters - line.length) {
      const room = Math.max(1, letters - line.length);
      lines.push(line + word.slice(0, room));
      [line, word] = ['  ', word.slice(room)];
    }
    line += word;
  }
  lines.push(line);
  return lines;
}

function sourceLine(trace, step) {
  const file = trace.sources[step.file];
  if (!file) return '';
  const index = Trace.lastIndex(file.lines, step.line, (line) => line[0]);
  return index >= 0 && file.lines[index][0] === step.line ? file.lines[index][1] : '';
}
