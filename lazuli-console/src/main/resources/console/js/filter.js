// lz-filter: a textarea under a highlighted copy. Selection, undo and screen readers are the browser's own. Errors come
// with their place from the server's parser; here is only a tokenizer, for colours and for what can be completed.
import { h, fill, paint, raw, debounce } from './core.js';
import { T } from './texts.js';

const RULES = [[/\b(?:datetime|guid|binary|X)'[^']*'?/, 's'], [/'(?:[^']|'')*'?/, 's'], [/\b(?:eq|ne|gt|ge|lt|le|and|or|not)\b/, 'o'], [/\b(?:PartitionKey|RowKey)\b/, 'f'], [/\b(?:true|false)\b/, 'n'], [/-?\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?L?\b/, 'n'], [/[\p{L}_]\w*/, 'k']];
const TOKEN = /(?:datetime|guid|binary|X)'(?:[^']|'')*'?|'(?:[^']|'')*'?|[()]|[^\s()']+/g;
const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
export const FILTER_MAX = 8192;
const SHOWN = 10;

export const quote = text => "'" + text.replace(/'/g, "''") + "'";

/** What can stand at the cursor: {expect, word, from, property}. */
export function context(text, cursor) {
  const before = text.slice(0, cursor);
  const tokens = [...before.matchAll(TOKEN)].map(m => ({ t: m[0], at: m.index, end: m.index + m[0].length }));
  const last = tokens[tokens.length - 1];
  const typing = last && last.end === before.length && last.t !== '(' && last.t !== ')' && !(last.t.startsWith("'") && last.t.length > 1 && last.t.endsWith("'"));
  const word = typing ? last.t : '';
  const done = typing ? tokens.slice(0, -1) : tokens;
  let expect = 'property';
  let property = null;
  for (const { t } of done) {
    if (t === '(' || t === 'not') continue;
    if (t === ')') expect = 'join';
    else if (expect === 'property') {
      property = t;
      expect = 'operator';
    } else if (expect === 'operator') expect = 'value';
    else if (expect === 'value') expect = 'join';
    else expect = 'property';
  }
  return { expect, word, from: cursor - word.length, property };
}

/** The partition that a filter names, for completing row keys. */
export const partitionOf = text => {
  const m = /\bPartitionKey\s+eq\s+'((?:[^']|'')*)'/.exec(text);
  return m ? m[1].replace(/''/g, "'") : null;
};

export class LzFilter extends HTMLElement {
  /** Options: value, label, columns() [{name, types, share}], keys(prefix, pk) promise of texts, onInput(text), onRun(text). */
  setup(options) {
    this.o = options;
    this.items = [];
    this.chosen = 0;
    this.error = null;
    this.pre = h('pre', { 'aria-hidden': 'true' });
    this.lines = h('div.ln', { 'aria-hidden': 'true' });
    this.area = h('textarea', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'data-filter': '', maxlength: FILTER_MAX, 'aria-label': options.label, 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-describedby': 'filter-hint' });
    this.area.value = options.value || '';
    this.box = h('div.edit', this.pre, this.area);
    fill(this, h('div.editor', this.lines, this.box), h('span.sr', { id: 'filter-hint' }, T.query.hint));
    this.area.addEventListener('input', () => {
      this.error = null;
      this.draw();
      options.onInput(this.area.value);
      this.propose(false);
    });
    this.area.addEventListener('keydown', e => this.key(e));
    this.area.addEventListener('blur', () => this.hide());
    this.area.addEventListener('click', () => this.hide());
    this.askKeys = debounce(80, c => this.proposeKeys(c));
    this.draw();
    return this;
  }

  get value() {
    return this.area.value;
  }

  set value(text) {
    this.area.value = text;
    this.error = null;
    this.draw();
    this.o.onInput(text);
  }

  /** The selection if there is one, else everything. */
  get wanted() {
    const { selectionStart: a, selectionEnd: b, value } = this.area;
    return (b > a ? value.slice(a, b) : value).replace(/\s*\n\s*/g, ' ').trim();
  }

  /** Underlines what is wrong. */
  mark(error) {
    this.error = error;
    this.area.toggleAttribute('aria-invalid', Boolean(error));
    if (error) this.area.setAttribute('aria-invalid', 'true');
    this.draw();
  }

  draw() {
    const t = this.area.value;
    if (this.error && this.error.from < t.length) {
      const to = Math.max(this.error.from + 1, this.error.to);
      fill(this.pre, paint(t.slice(0, this.error.from), RULES, raw), h('span.e', raw(t.slice(this.error.from, to))), paint(t.slice(to), RULES, raw), '\n');
    } else fill(this.pre, paint(t, RULES, raw), '\n');
    fill(this.lines, t.split('\n').map((_, i) => i + 1).join('\n'));
  }

  propose(asked) {
    const c = context(this.area.value, this.area.selectionStart);
    this.at = c;
    let items = [];
    if (c.expect === 'property') items = this.properties(c);
    else if (c.expect === 'operator') items = OPERATORS.map(x => [x, T.query.operators[x]]);
    else if (c.expect === 'join') items = [['and', T.query.kinds.word], ['or', T.query.kinds.word]];
    else items = this.literals(c);
    const low = c.word.toLowerCase();
    items = items.filter(x => x[0].toLowerCase().startsWith(low) && x[0] !== c.word).slice(0, SHOWN);
    if (c.expect === 'value' && (c.property === 'PartitionKey' || c.property === 'RowKey')) {
      this.show([]);
      if (asked || c.word) this.askKeys(c);
    } else this.show(c.word || asked ? items : []);
  }

  properties(c) {
    const kinds = [['PartitionKey', T.query.kinds.key], ['RowKey', T.query.kinds.key]];
    return [...kinds, ...this.o.columns().map(x => [x.name, x.types.join(', ') + (x.share === undefined ? '' : ' · ' + T.query.share(x.share))]), ['Timestamp', 'DateTime'], ...(c.word ? [['not', T.query.kinds.word]] : [])];
  }

  literals(c) {
    const column = this.o.columns().find(x => x.name === c.property);
    const types = c.property === 'Timestamp' ? ['DateTime'] : column ? column.types : ['String', 'Int32', 'Int64', 'Double', 'Boolean', 'DateTime', 'Guid', 'Binary'];
    return types.flatMap(t => (t === 'Boolean' ? [['true', t], ['false', t]] : [[T.query.literals[t], t]]));
  }

  async proposeKeys(c) {
    const prefix = c.word.replace(/^'/, '').replace(/''/g, "'");
    const pk = c.property === 'RowKey' ? partitionOf(this.area.value) : null;
    if (c.property === 'RowKey' && pk === null) return;
    try {
      const keys = await this.o.keys(prefix, pk);
      if (this.at === c && document.activeElement === this.area) this.show(keys.slice(0, SHOWN).map(k => [quote(k), T.query.kinds.key]).filter(k => k[0] !== c.word));
    } catch {
      // Completion is a help: without an answer there is none.
    }
  }

  show(items) {
    this.hide();
    this.items = items;
    this.chosen = 0;
    if (!items.length) return;
    const before = this.area.value.slice(0, this.at.from);
    const tail = h('span', raw('\u200b'));
    const probe = h('pre.probe', raw(before), tail);
    this.box.append(probe);
    const x = tail.offsetLeft;
    const y = tail.offsetTop + tail.offsetHeight;
    probe.remove();
    this.list = h('ul.complete', { role: 'listbox', id: 'filter-list', 'aria-label': T.query.completions, style: { left: Math.max(0, Math.min(x, this.box.clientWidth - 290)) + 'px', top: y + 3 + 'px' } });
    this.box.append(this.list);
    this.drawList();
  }

  drawList() {
    fill(this.list, this.items.map((item, i) => h('li', { role: 'option', id: 'filter-' + i, 'aria-selected': String(i === this.chosen), onmousedown: e => {
      e.preventDefault();
      this.take(i);
    } }, h('span.mono', item[0]), h('span.muted', item[1]))));
    this.area.setAttribute('aria-activedescendant', 'filter-' + this.chosen);
    this.area.setAttribute('aria-controls', 'filter-list');
  }

  hide() {
    this.list?.remove();
    this.list = null;
    this.area.removeAttribute('aria-activedescendant');
    this.area.removeAttribute('aria-controls');
  }

  take(i) {
    const text = this.items[i][0];
    this.area.setRangeText(text + ' ', this.at.from, this.area.selectionStart, 'end');
    this.hide();
    this.error = null;
    this.draw();
    this.o.onInput(this.area.value);
    this.area.focus();
  }

  key(e) {
    const ctrl = e.ctrlKey || e.metaKey;
    if (e.key === 'Enter' && ctrl) {
      e.preventDefault();
      this.hide();
      this.o.onRun(this.wanted);
    } else if (e.key === ' ' && e.ctrlKey) {
      e.preventDefault();
      this.propose(true);
    } else if (this.list && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) {
      e.preventDefault();
      this.chosen = (this.chosen + (e.key === 'ArrowDown' ? 1 : -1) + this.items.length) % this.items.length;
      this.drawList();
    } else if (this.list && (e.key === 'Enter' || e.key === 'Tab')) {
      e.preventDefault();
      this.take(this.chosen);
    } else if (this.list && e.key === 'Escape') {
      e.preventDefault();
      e.stopPropagation();
      this.hide();
    }
  }
}
customElements.define('lz-filter', LzFilter);
