// The one way to make elements. A text is always a text node: nothing that somebody stored can become markup, and no
// character of it can turn around or hide what is next to it.
const SVG = 'http://www.w3.org/2000/svg';

/** Characters that turn text around, or that nobody sees. */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
const mark = c => (c === '\u007f' ? '\u2421' : '\u27e8' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '\u27e9');

/** The text with marks in the place of such characters. Every text that is shown goes through this. */
export const marked = text => text.replace(HIDDEN, mark);
/** The marks of a text, one of each. */
export const marksOf = text => [...new Set(text.match(HIDDEN) || [])].map(mark);
/** The same in one line: control characters become marks, too. */
export const visible = text => marked(text).replace(/[\u0000-\u001f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0)));
/** A text exactly as it is, for the copy under the editor. */
export const raw = text => document.createTextNode(text);

const SPOKEN = new Set(['title', 'aria-label', 'alt', 'placeholder', 'aria-valuetext']);

/** Addresses of our own pages and of bytes that we made. Anything else, such as javascript:, is refused. */
const SAFE_ADDRESS = /^(?:\/(?!\/)|#|\?|blob:)/;

function set(el, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
  else if (name === 'style') for (const [p, x] of Object.entries(value)) el.style.setProperty(p, x);
  else if (name === 'value' || name === 'checked' || name === 'indeterminate' || name === 'disabled') el[name] = value;
  else if (name === 'cls') el.classList.add(...String(value).split(' ').filter(Boolean));
  else if (name === 'ref') value(el);
  else if ((name === 'href' || name === 'src') && !SAFE_ADDRESS.test(value)) throw new Error('address refused');
  else el.setAttribute(name, value === true ? '' : SPOKEN.has(name) ? visible(String(value)) : value);
}

function append(el, kids) {
  for (const kid of kids.flat(9)) {
    if (kid === null || kid === undefined || kid === false || kid === true) continue;
    el.append(kid instanceof Node ? kid : document.createTextNode(marked(String(kid))));
  }
  return el;
}

function build(el, props, kids) {
  // A select must have its options before it can have a value.
  const late = props && 'value' in props && el.localName === 'select';
  for (const [k, v] of Object.entries(props || {})) if (!(late && k === 'value')) set(el, k, v);
  append(el, kids);
  if (late) el.value = props.value;
  return el;
}

/** h('div.row.wrap', {onclick}, kids…): an element of HTML. The second argument may be left out. */
export function h(spec, props, ...kids) {
  if (props !== null && props !== undefined && (typeof props !== 'object' || props instanceof Node || Array.isArray(props))) {
    kids.unshift(props);
    props = null;
  }
  const [tag, ...cls] = spec.split('.');
  const el = document.createElement(tag || 'div');
  if (cls.length) el.className = cls.join(' ');
  return build(el, props, kids);
}

/** The same for SVG. */
export function s(tag, props, ...kids) {
  return build(document.createElementNS(SVG, tag), props, kids);
}

export const FOCUSABLE = 'button:not([disabled]),input:not([disabled]),select:not([disabled]),textarea:not([disabled]),summary,a[href],[tabindex]';
const called = el => el.localName + ' ' + (el.getAttribute('aria-label') || el.textContent);

/**
 * Replaces what an element contains. If the focus was in it, the new element of the same name gets it, or the one at the same
 * place: a person who walks with the keyboard does not have to begin at the top of the page.
 */
export function fill(el, ...kids) {
  const at = document.activeElement;
  const inside = at !== el && el.contains(at);
  const [name, i] = inside ? [called(at), [...el.querySelectorAll(FOCUSABLE)].indexOf(at)] : [];
  el.replaceChildren();
  append(el, kids);
  if (inside && document.activeElement !== at) {
    const all = [...el.querySelectorAll(FOCUSABLE)];
    (all.find(x => called(x) === name) || all[Math.min(i, all.length - 1)])?.focus({ preventScroll: true });
  }
  return el;
}

/**
 * Shows items by key: keeps, moves, adds and removes elements, so that focus and scroll stay. `make(item)` gives an
 * element; `update(el, item)`, if there, is called for those that were there before.
 */
export function list(el, items, key, make, update) {
  const old = el.lzKeyed || (el.lzKeyed = new Map());
  const now = new Map();
  let at = el.firstChild;
  for (const item of items) {
    const k = key(item);
    let node = old.get(k);
    if (node) {
      old.delete(k);
      if (update) update(node, item);
    } else node = make(item);
    now.set(k, node);
    if (node === at) at = at.nextSibling;
    else el.insertBefore(node, at);
  }
  for (const node of old.values()) node.remove();
  el.lzKeyed = now;
  return el;
}

/** A value that others can watch. `watch` calls at once and after each change, and gives what ends it. */
export function store(value) {
  const watchers = new Set();
  return {
    get value() {
      return value;
    },
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const w of [...watchers]) w(value);
    },
    watch(w) {
      watchers.add(w);
      w(value);
      return () => watchers.delete(w);
    },
  };
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const pad = (x, n = 2) => String(x).padStart(n, '0');

/** Numbers grouped, units with a space, times in UTC. */
export const fmt = {
  n: x => (x === null || x === undefined ? '–' : grouped.format(x)),
  short: x => (x >= 1e9 ? (x / 1e9).toFixed(1) + ' G' : x >= 1e6 ? (x / 1e6).toFixed(1) + ' M' : x >= 1e4 ? (x / 1e3).toFixed(0) + ' k' : fmt.n(x)),
  bytes: x => {
    if (x === null || x === undefined) return '–';
    if (x < 1024) return fmt.n(x) + ' B';
    const i = Math.min(4, Math.floor(Math.log2(x) / 10));
    return (x / 2 ** (10 * i)).toFixed(1) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][i];
  },
  ms: x => (x === null || x === undefined ? '–' : x >= 1000 ? (x / 1000).toFixed(1) + ' s' : x >= 10 ? Math.round(x) + ' ms' : Number(x.toFixed(1)) + ' ms'),
  /** 2026-11-16 22:12:05, in UTC. */
  time: x => {
    const d = new Date(x);
    if (Number.isNaN(d.getTime())) return '–';
    return `${d.getUTCFullYear()}-${pad(d.getUTCMonth() + 1)}-${pad(d.getUTCDate())} ${pad(d.getUTCHours())}:${pad(d.getUTCMinutes())}:${pad(d.getUTCSeconds())}`;
  },
  clock: x => fmt.time(x).slice(11),
  /** 6 d 23 h, 4 s: the two largest units. */
  span: ms => {
    const units = [[86400e3, 'd'], [3600e3, 'h'], [60e3, 'min'], [1e3, 's']];
    let left = Math.max(0, ms);
    const out = [];
    for (const [size, unit] of units) {
      const n = Math.floor(left / size);
      if (n || (unit === 's' && !out.length)) out.push(n + ' ' + unit);
      left -= n * size;
      if (out.length === 2) break;
    }
    return out.join(' ');
  },
};

/** Calls once, `ms` after the last call. */
export function debounce(ms, f) {
  let timer = 0;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** What the browser remembers for this person: theme, widths, hidden columns. Never data, keys or tokens. */
export const remembered = {
  get(key, otherwise) {
    try {
      const text = localStorage.getItem('lazuli.' + key);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem('lazuli.' + key, JSON.stringify(value));
    } catch {
      // A private window, or full: the console works without.
    }
  },
};

/** Colours text by rules [[regexp, class], …]; the first that matches wins. `as` makes the texts. */
export function paint(text, rules, as = x => x) {
  const out = [];
  let at = 0;
  const all = new RegExp(rules.map(r => '(' + r[0].source + ')').join('|'), 'g');
  for (const m of text.matchAll(all)) {
    if (m.index > at) out.push(as(text.slice(at, m.index)));
    out.push(h('span.' + rules[m.slice(1).findIndex(x => x !== undefined)][1], as(m[0])));
    at = m.index + m[0].length;
  }
  out.push(as(text.slice(at)));
  return out;
}
