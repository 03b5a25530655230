// A trace as values: what each thread, variable and lock is at a position. Nothing here touches the document.
// Positions count from 0. In a run that never ends, `round` says how often the cycle was gone round.

class Trace {
  constructor(data, number, files) {
    Object.assign(this, data);
    this.sources = data.files.map((index) => files[index]);
    this.number = number;
    this.last = this.steps.length - 1;
    this.titles = new Map(this.threads.map((thread) => [thread.id, thread.title]));
    // The positions of each thread, in order.
    this.own = new Map(this.threads.map((thread) => [thread.id, []]));
    this.steps.forEach((step, at) => this.own.get(step.thread).push(at));
    this.lanes = this.threads.map((thread) => thread.id).filter((id) => this.own.get(id).length > 0);
    this.into = new Map();
    this.outOf = new Map();
    for (const arrow of this.arrows) {
      for (const [map, at] of [[this.into, arrow.to], [this.outOf, arrow.from]]) {
        if (!map.has(at)) map.set(at, []);
        map.get(at).push(arrow);
      }
    }
    this.locks = [...new Set(this.steps.flatMap((step) => step.held || []))].sort();
    this.words = this.steps.map((step) => {
      const file = this.sources[step.file];
      const place = step.line ? ` line ${step.line} ${step.function || ''} ${file ? file.name : ''}` : '';
      const said = step.events.map((event) => event[1]).join('\n');
      return `${this.title(step.thread)}\n${said}\n${step.call || ''}\n${place}`.toLowerCase();
    });
  }

  title(thread) {
    return this.titles.get(thread) || `T${thread}`;
  }

  // The index of the last entry that is not behind `at`; -1 for none.
  static lastIndex(list, at, position) {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (position(list[middle]) <= at) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  // The same in a run that goes round: what was not yet touched in this round is as the round before left it.
  indexAt(list, at, round, position) {
    const index = Trace.lastIndex(list, at, position);
    const old = index < 0 || position(list[index]) < this.cycle;
    return round > 0 && old ? list.length - 1 : index;
  }

  // The last step of a thread; undefined before its first.
  stepOf(thread, at, round) {
    const own = this.own.get(thread);
    return own[this.indexAt(own, at, round, (position) => position)];
  }

  // What a variable is: text, whether it changed here, the value before, the position of its last write.
  valueOf(variable, at, round) {
    const list = variable.values;
    const index = this.indexAt(list, at, round, (entry) => entry[0]);
    if (index < 0) return { text: '', known: false, gone: true };
    const [position, text, source] = list[index];
    let written = index;
    while (written >= 0 && list[written][2] === 0) written -= 1;
    const changed = position === at && source !== 3;
    const before = changed ? list[index - 1] : undefined;
    return {
      text, changed, known: source !== 2, gone: source === 3,
      before: before && before[2] < 2 && before[1] !== text ? before[1] : undefined,
      written: written >= 0 && list[written][2] === 1 ? list[written][0] : undefined,
    };
  }

  writesOf(variable) {
    return variable.values.filter((entry) => entry[2] === 1 && entry[0] >= 0).map((entry) => entry[0]);
  }

  holders(lock, at, round) {
    return this.lanes.filter((thread) => {
      const step = this.stepOf(thread, at, round);
      return step !== undefined && (this.steps[step].held || []).includes(lock);
    });
  }

  // Sentences about arrows that end or begin at a step.
  relations(at) {
    const other = (position) => `${this.title(this.steps[position].thread)} (step ${position + 1})`;
    const into = (this.into.get(at) || []).map((arrow) => ({
      'create': () => `created by ${other(arrow.from)}`,
      'join': () => `${arrow.what} ended in step ${arrow.from + 1}`,
      'lock': () => `${arrow.what} was released by ${other(arrow.from)}`,
      'reads-from': () => `${arrow.what} was written by ${other(arrow.from)}`,
      'race': () => `not ordered after the access of ${other(arrow.from)}`,
    })[arrow.kind]());
    const readers = (this.outOf.get(at) || []).filter((arrow) => arrow.kind === 'reads-from');
    const seen = readers.map((arrow) => `${arrow.what} is read by ${other(arrow.to)}`);
    return [...into, ...(seen.length > 3 ? [...seen.slice(0, 3), `… ${seen.length - 3} more reads`] : seen)];
  }
}

// An element with text, never with markup.
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawing(name, attributes) {
  const made = document.createElementNS('http' + '://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const hue = (thread) => `t${thread % 6}`;
