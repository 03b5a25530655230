// The page as a whole: which trace, which step, which filter; keys, links, light and dark.

const find = (id) => document.getElementById(id);

class Page {
  constructor(data, files) {
    [this.data, this.files, this.many, this.traces] = [data, files, data.length, new Map()];
    [this.round, this.filter, this.hidden, this.chosen] = [0, '', new Set(), -1];
    this.lanes = new Lanes(find('lanes'), (at) => this.go(at, this.round));
    this.source = new SourcePane(find('source'), find('source-title'));
    this.state = new StatePane(find('state'), (variable) => this.pick(variable));
    find('stepper').hidden = false;
    find('slider').addEventListener('input', () => this.go(Number(find('slider').value) - 1, 0));
    find('filter').addEventListener('input', () => this.filterBy(find('filter').value));
    find('variable').addEventListener('change', () => this.pick(Number(find('variable').value)));
    for (const button of document.querySelectorAll('[data-do]')) {
      button.addEventListener('click', () => this.act(button.dataset.do));
    }
    if (this.many > 1) {
      find('picker').hidden = false;
      find('trace-choice').addEventListener('change', () => this.open(Number(find('trace-choice').value), 0));
    }
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href^="#trace="]');
      if (!link) return;
      event.preventDefault();
      this.follow(link.getAttribute('href'), true);
    });
    window.addEventListener('hashchange', () => this.follow(location.hash, true));
    if (!this.follow(location.hash, true)) this.open(1, 0);
  }

  // A trace is read when it is first opened: a report can have many.
  get(number) {
    if (!this.traces.has(number)) {
      const data = JSON.parse(this.data[number - 1].textContent);
      this.traces.set(number, new Trace(data, number, this.files));
    }
    return this.traces.get(number);
  }

  // `#trace=2&step=14`, both optional; false for another fragment.
  follow(fragment, scroll) {
    const named = new URLSearchParams(fragment.slice(1));
    const read = (name, most) => {
      const value = Number(named.get(name));
      return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : 0;
    };
    if (!named.has('trace') && !named.has('step')) return false;
    const number = read('trace', this.many) || (this.trace ? this.trace.number : 1);
    const step = read('step', this.get(number).last + 1);
    this.open(number, Math.max(0, step - 1));
    if (scroll && step) {
      find('stepper').scrollIntoView();
      find('lanes').focus({ preventScroll: true });
    } else if (scroll) {
      find(`violation-${number}`).scrollIntoView();
    }
    return true;
  }

  open(number, at) {
    const trace = this.get(number);
    if (this.trace !== trace) {
      this.trace = trace;
      this.chosen = -1;
      this.hidden.clear();
      this.filter = '';
      find('filter').value = '';
      for (let other = 1; other <= this.many; other += 1) find(`violation-${other}`).hidden = other !== number;
      // What does not fit is centred: that is where a cycle is.
      for (const picture of document.querySelectorAll('.picture')) picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2;
      find('trace-choice') && (find('trace-choice').value = String(number));
      find('slider').max = String(trace.last + 1);
      this.state.begin(trace);
      this.legend();
      const choices = trace.variables.map((variable, index) => {
        const own = variable.thread === undefined ? '' : `T${variable.thread} `;
        const option = element('option', '', own + variable.name);
        option.value = String(index);
        return option;
      });
      const none = element('option', '', 'choose…');
      none.value = '-1';
      find('variable').replaceChildren(none, ...choices);
      this.refilter();
    }
    if (this.at !== at && !this.shown.includes(at)) this.clearFilter();
    this.go(at, 0);
  }

  legend() {
    const { trace } = this;
    const box = (checked, change, ...label) => {
      const made = element('label');
      const input = element('input');
      input.type = 'checkbox';
      input.checked = checked;
      input.addEventListener('change', () => change(input.checked));
      made.append(input, ...label);
      return made;
    };
    const threads = trace.lanes.map((thread) => box(true, (on) => {
      if (on) this.hidden.delete(thread); else this.hidden.add(thread);
      this.refilter();
      this.go(this.at, this.round);
    }, element('span', `who ${hue(thread)}`, trace.title(thread))));
    const names = { 'create': 'creation', 'join': 'join', 'lock': 'lock hand-over', 'reads-from': 'reads-from', 'race': 'race' };
    const kinds = Object.keys(names).filter((kind) => trace.arrows.some((arrow) => arrow.kind === kind));
    const arrows = kinds.map((kind) => {
      const sample = drawing('svg', { viewBox: '0 0 30 10', 'aria-hidden': 'true' });
      sample.append(drawing('path', { class: kind, d: 'M1 5 H29' }));
      return box(this.lanes.kinds.has(kind), (on) => {
        if (on) this.lanes.kinds.add(kind); else this.lanes.kinds.delete(kind);
        this.lanes.draw();
      }, sample, names[kind]);
    });
    find('legend').replaceChildren(...threads, ...(arrows.length ? [element('span', 'break')] : []), ...arrows);
  }

  // The positions that match the filter; all steps of a filtered thread are left out.
  refilter() {
    const words = this.filter.trim().toLowerCase();
    this.shown = [];
    this.trace.steps.forEach((step, at) => {
      if (!this.hidden.has(step.thread) && (!words || this.trace.words[at].includes(words))) this.shown.push(at);
    });
    this.lanes.show(this.trace, this.shown);
  }

  filterBy(text) {
    this.filter = text;
    this.refilter();
    this.lanes.select(this.at);
    this.count();
  }

  clearFilter() {
    find('filter').value = '';
    this.filter = '';
    this.hidden.clear();
    this.legend();
    this.refilter();
  }

  pick(variable) {
    this.chosen = variable;
    find('variable').value = String(variable);
    this.state.show(this.at, this.round, this.chosen);
  }

  go(at, round) {
    const { trace } = this;
    this.at = Math.max(0, Math.min(trace.last, at));
    this.round = trace.cycle === undefined || this.at < trace.cycle ? 0 : Math.max(0, round);
    this.lanes.select(this.at);
    this.source.show(trace, this.at, this.round);
    this.state.show(this.at, this.round, this.chosen);
    this.say();
    this.count();
    for (const node of document.querySelectorAll('.diagram a')) {
      node.classList.toggle('now', Number(node.dataset.step) === this.at && node.closest('.violation').id === `violation-${trace.number}`);
    }
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      try {
        history.replaceState(null, '', `#trace=${trace.number}&step=${this.at + 1}`);
      } catch {
        // A browser that forbids it for files: the link is a convenience.
      }
    }, 200);
  }

  say() {
    const { trace } = this;
    const step = trace.steps[this.at];
    const file = trace.sources[step.file];
    const place = step.line && file ? ` ${file.name}:${step.line}${step.function ? ` in ${step.function}` : ''}` : '';
    const events = step.events.map((event) => event[1]);
    const brief = events.length > 12 ? [...events.slice(0, 10), `… ${events.length - 11} more`, events[events.length - 1]] : events;
    const held = step.held && step.held.length ? [`holds ${step.held.join(', ')}`] : [];
    const rest = [...brief, ...held, ...trace.relations(this.at)].join('; ');
    find('now').replaceChildren(element('span', `who ${hue(step.thread)}`, trace.title(step.thread)), `${place}: ${rest}`);
  }

  count() {
    const { trace } = this;
    const round = this.round > 0 ? `, round ${this.round + 1}` : '';
    const few = this.shown.length < trace.steps.length ? ` (${this.shown.length} shown)` : '';
    find('counter').textContent = `${this.at + 1} / ${trace.last + 1}${round}${few}`;
    find('slider').value = String(this.at + 1);
    find('slider').setAttribute('aria-valuetext', `step ${this.at + 1} of ${trace.last + 1}${round}`);
  }

  // One row on or back among those that are shown; at the end of a run that never ends, back to where it repeats.
  step(direction) {
    const { shown, trace } = this;
    if (shown.length === 0) return;
    const index = Trace.lastIndex(shown, this.at, (at) => at);
    const first = trace.cycle === undefined ? -1 : shown.findIndex((at) => at >= trace.cycle);
    if (direction > 0) {
      if (index + 1 < shown.length) this.go(shown[index + 1], this.round);
      else if (first >= 0) this.go(shown[first], this.round + 1);
      return;
    }
    const before = index >= 0 && shown[index] < this.at ? index : index - 1;
    if (this.round > 0 && index === first) this.go(shown[shown.length - 1], this.round - 1);
    else if (before >= 0) this.go(shown[before], this.round);
  }

  switch(direction) {
    const { shown, trace } = this;
    const thread = (index) => trace.steps[shown[index]].thread;
    let index = Trace.lastIndex(shown, this.at, (at) => at);
    if (direction > 0) {
      for (index += 1; index < shown.length; index += 1) {
        if (index > 0 && thread(index) !== thread(index - 1)) return this.go(shown[index], this.round);
      }
      return undefined;
    }
    for (index -= 1; index > 0; index -= 1) {
      if (thread(index) !== thread(index - 1)) return this.go(shown[index], this.round);
    }
    return shown.length > 0 && this.at > shown[0] ? this.go(shown[0], this.round) : undefined;
  }

  // Of the chosen variable; without one, of the variable of this step.
  lastWrite() {
    const { trace } = this;
    if (this.chosen < 0) {
      const said = trace.steps[this.at].events.map((event) => event[1]);
      const names = (variable) => [variable.name, ...(variable.aliases || [])];
      const match = (text, name) => text.startsWith(`${name}: `) || text.startsWith(`${name} = `) || text.startsWith(`reads ${name} = `);
      this.pick(trace.variables.findIndex((variable) => said.some((text) => names(variable).some((name) => match(text, name)))));
    }
    if (this.chosen < 0) return find('variable').focus();
    const variable = trace.variables[this.chosen];
    const writes = trace.writesOf(variable);
    let index = Trace.lastIndex(writes, this.at - 1, (at) => at);
    if (this.round > 0 && (index < 0 || writes[index] < trace.cycle)) index = writes.length - 1;
    if (index < 0) {
      find('now').textContent = `${variable.name} was not written before this step.`;
      return undefined;
    }
    if (!this.shown.includes(writes[index])) this.clearFilter();
    return this.go(writes[index], writes[index] > this.at ? this.round - 1 : this.round);
  }

  act(what) {
    ({
      'first': () => this.shown.length && this.go(this.shown[0], 0),
      'last': () => this.shown.length && this.go(this.shown[this.shown.length - 1], this.round),
      'next': () => this.step(1),
      'previous': () => this.step(-1),
      'next-switch': () => this.switch(1),
      'previous-switch': () => this.switch(-1),
      'last-write': () => this.lastWrite(),
    })[what]();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find('keys').open) return;
    const target = event.target;
    if (target.matches('input[type="search"], select, input[type="range"]')) {
      if (event.key === 'Escape' && target.id === 'filter') {
        this.clearFilter();
        this.go(this.at, this.round);
        find('lanes').focus({ preventScroll: true });
        event.preventDefault();
      } else if (event.key === 'Enter' && target.id === 'filter') {
        find('lanes').focus({ preventScroll: true });
        this.step(1);
        event.preventDefault();
      }
      return;
    }
    const keys = {
      ArrowRight: 'next', j: 'next', ArrowLeft: 'previous', k: 'previous',
      ']': 'next-switch', '[': 'previous-switch', w: 'last-write',
    };
    // These scroll elsewhere.
    const inLanes = { ArrowDown: 'next', ArrowUp: 'previous' };
    const inStepper = { Home: 'first', End: 'last', PageDown: 'next-switch', PageUp: 'previous-switch' };
    const scrolls = target.closest('#source, #state, .picture, .scroll');
    let what = scrolls && event.key.startsWith('Arrow') ? undefined : keys[event.key];
    if (target.closest('#lanes')) what = what || inLanes[event.key];
    if (target.closest('#stepper') && !scrolls) what = what || inStepper[event.key];
    if (what) this.act(what);
    else if (event.key === '/') find('filter').focus();
    else if (event.key === 'Escape' && this.shown.length < this.trace.steps.length) {
      this.clearFilter();
      this.go(this.at, this.round);
    } else return;
    event.preventDefault();
  }
}

// Light or dark: as the system, until a choice is made.
function theme() {
  const button = find('theme');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
  const label = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  const toggle = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    label();
    try {
      localStorage.setItem('raddle-theme', root.dataset.theme);
    } catch {
      // Storage is not for every file.
    }
  };
  try {
    const kept = localStorage.getItem('raddle-theme');
    if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  } catch {
    // As above.
  }
  button.hidden = false;
  button.addEventListener('click', toggle);
  dark.addEventListener('change', label);
  label();
  const keys = find('keys');
  const data = document.querySelectorAll('script.trace-data');
  find('help').hidden = data.length === 0;
  find('help').addEventListener('click', () => keys.showModal());
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input[type="search"], select') || keys.open) return;
    if (event.key === 'd') toggle();
    else if (event.key === '?' && data.length > 0) keys.showModal();
  });
}

theme();
const data = document.querySelectorAll('script.trace-data');
if (data.length > 0) window.raddle = new Page(data, JSON.parse(find('sources').textContent));
