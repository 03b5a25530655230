// The panes beside the lanes: the source with the line of each thread, and variables and locks.

class SourcePane {
  constructor(container, title) {
    [this.container, this.title, this.files, this.marked] = [container, title, new Map(), []];
  }

  // The lines of a file as elements, made once.
  file(trace, index) {
    const key = `${trace.number}:${index}`;
    if (this.files.has(key)) return this.files.get(key);
    const file = trace.sources[index];
    const [body, lines] = [element('div'), new Map()];
    let expected = file.lines.length > 0 ? file.lines[0][0] : 1;
    for (const [number, text] of file.lines) {
      if (number !== expected) body.append(element('div', 'gap', '⋮'));
      expected = number + 1;
      const line = element('div', 'code-line');
      const marks = element('span', 'marks');
      line.append(marks, element('span', 'number', String(number)), element('code', '', text));
      lines.set(number, { line, marks });
      body.append(line);
    }
    if (!file.whole) body.append(element('div', 'gap', 'only the lines that the trace mentions'));
    const made = { body, lines };
    this.files.set(key, made);
    return made;
  }

  show(trace, at, round) {
    const step = trace.steps[at];
    for (const { line, marks } of this.marked) {
      line.classList.remove('here', 'current');
      marks.replaceChildren();
    }
    this.marked = [];
    if (step.file < 0) {
      // The source stays; only its marks go.
      if (!this.body) this.title.textContent = 'Source';
      return;
    }
    const file = this.file(trace, step.file);
    if (this.body !== file.body) {
      this.body = file.body;
      this.container.replaceChildren(file.body);
      this.container.style.setProperty('--marks', `${Math.min(3, trace.lanes.length) * 2 + 1.2}em`);
      this.title.textContent = trace.sources[step.file].name;
    }
    const mark = (thread, position, current) => {
      const found = trace.steps[position];
      const line = found.file === step.file ? file.lines.get(found.line) : undefined;
      if (!line || found.ends) return;
      line.line.classList.add(current ? 'current' : 'here');
      line.marks.append(element('b', hue(thread), `${current ? '▶' : ''}T${thread}`));
      this.marked.push(line);
    };
    for (const thread of trace.lanes) {
      const position = thread === step.thread ? at : trace.stepOf(thread, at, round);
      if (position !== undefined) mark(thread, position, thread === step.thread);
    }
    const here = file.lines.get(step.line);
    if (here) this.reveal(here.line);
  }

  reveal(line) {
    const [view, box] = [this.container.getBoundingClientRect(), line.getBoundingClientRect()];
    const outside = box.top < view.top + 20 || box.bottom > view.bottom - 20;
    if (outside) this.container.scrollTop += box.top - view.top - view.height / 2;
  }
}

class StatePane {
  constructor(container, pick, go) {
    [this.container, this.pick, this.go] = [container, pick, go];
  }

  // A table for shared variables, one for each thread that has own ones, one for locks.
  begin(trace) {
    this.trace = trace;
    this.variables = [];
    const tables = new Map();
    const table = (key, caption) => {
      if (!tables.has(key)) {
        const made = element('table');
        made.append(caption, element('tbody'));
        tables.set(key, made);
      }
      return tables.get(key);
    };
    for (const [index, variable] of trace.variables.entries()) {
      const caption = element('caption');
      if (variable.thread === undefined) caption.append('Shared variables');
      else caption.append('Variables of ', element('span', `who ${hue(variable.thread)}`, trace.title(variable.thread)));
      const body = table(variable.thread === undefined ? 'shared' : variable.thread, caption).tBodies[0];
      const row = element('tr');
      const head = element('th');
      head.scope = 'row';
      const button = element('button', '', variable.name);
      button.type = 'button';
      button.title = variable.aliases ? `also ${variable.aliases.join(', ')}` : 'choose this variable';
      button.addEventListener('click', () => this.pick(index));
      head.append(button);
      const [value, origin] = [element('td'), element('td', 'muted')];
      row.append(head, value, origin);
      body.append(row);
      this.variables.push({ variable, row, value, origin });
    }
    this.locks = trace.locks.map((name) => {
      const body = table('locks', element('caption', '', 'Locks')).tBodies[0];
      const row = element('tr');
      const head = element('th', '', name);
      head.scope = 'row';
      const value = element('td');
      row.append(head, value);
      body.append(row);
      return { name, row, value };
    });
    this.threads = trace.lanes.map((thread) => {
      const body = table('threads', element('caption', '', 'Threads')).tBodies[0];
      const row = element('tr');
      const head = element('th');
      head.scope = 'row';
      head.append(element('span', `who ${hue(thread)}`, trace.title(thread)));
      const [place, held] = [element('td'), element('td', 'muted')];
      row.append(head, place, held);
      body.append(row);
      return { thread, row, place, held };
    });
    this.container.replaceChildren(...tables.values());
  }

  show(at, round, chosen) {
    const { trace } = this;
    const write = (node, text) => { if (node.textContent !== text) node.textContent = text; };
    for (const [index, { variable, row, value, origin }] of this.variables.entries()) {
      const now = trace.valueOf(variable, at, round);
      row.hidden = now.gone;
      row.classList.toggle('changed', Boolean(now.changed));
      row.classList.toggle('chosen', index === chosen);
      const text = now.known ? now.text : '? (overwritten in part)';
      write(value, now.before === undefined ? text : `${now.before} → ${text}`);
      const from = now.written === undefined || now.written < 0 ? '' : `T${trace.steps[now.written].thread}, step ${now.written + 1}`;
      write(origin, now.changed ? `${from || 'read'} ● now` : from);
    }
    for (const { name, row, value } of this.locks) {
      const holders = trace.holders(name, at, round);
      const before = at > 0 ? trace.holders(name, at - 1, round) : [];
      const text = holders.length > 0 ? `held by ${holders.map((thread) => trace.title(thread)).join(', ')}` : 'free';
      const changed = String(holders) !== String(before);
      row.classList.toggle('changed', changed);
      write(value, changed ? `${text} ● now` : text);
    }
    for (const { thread, row, place, held } of this.threads) {
      const position = trace.stepOf(thread, at, round);
      const step = trace.steps[position];
      const file = step && trace.sources[step.file];
      const line = step && step.line && file ? `${file.name}:${step.line}` : '';
      write(place, step === undefined ? 'not started' : step.ends ? 'ended' : line);
      write(held, step && step.held && step.held.length ? `holds ${step.held.join(', ')}` : '');
      row.classList.toggle('changed', position === at);
    }
    for (const made of this.container.querySelectorAll('table')) {
      made.hidden = ![...made.tBodies[0].rows].some((row) => !row.hidden);
    }
  }
}
