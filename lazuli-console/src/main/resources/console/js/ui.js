// What every view uses: icons, dialogs, messages, tabs, and the states of section "States" of the design.
import { h, s, fill, paint, FOCUSABLE } from './core.js';
import { whenBack } from './api.js';
import { PATHS } from './icons.js';
import { T } from './texts.js';

export const icon = (name, cls = '') => s('svg', { class: 'i ' + cls, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] || PATHS.info }));

/** The sign of icon.svg, drawn here: as a background it would be fetched a second time. */
export const brand = () => s('svg', { class: 'brandmark', viewBox: '0 0 32 32', 'aria-hidden': 'true' }, s('path', { d: 'M16 2 28 9v14l-12 7L4 23V9z', class: 'b1' }), s('path', { d: 'M16 2 28 9l-12 7L4 9z', class: 'b2' }), s('path', { d: 'M16 16v14L4 23V9z', class: 'b3' }), s('circle', { cx: 20, cy: 20, r: 1.7, class: 'b4' }), s('circle', { cx: 12, cy: 10, r: 1.3, class: 'b4' }));

/** Says something to a screen reader. */
export function say(text) {
  const box = document.getElementById('said');
  if (box) fill(box, text);
}

/** Keeps Tab within a layer. */
function trap(e, box) {
  const all = [...box.querySelectorAll(FOCUSABLE)].filter(x => x.tabIndex >= 0 && x.offsetParent !== null);
  if (!all.length) return;
  const i = all.indexOf(document.activeElement);
  if (e.shiftKey && i <= 0) {
    e.preventDefault();
    all[all.length - 1].focus();
  } else if (!e.shiftKey && (i < 0 || i === all.length - 1)) {
    e.preventDefault();
    all[0].focus();
  }
}

/** Gives the focus back to where it was, or to the content if that is gone. */
export function restore(el) {
  if (el && el.isConnected && el !== document.body) el.focus();
  else document.getElementById('main')?.focus();
}

/** Nothing lies under a sheet any more. */
export const uncover = () => document.querySelectorAll('[inert]').forEach(x => (x.inert = false));

const layers = new Set();
/** Another view opens: what lay over the last one goes with it. */
export const closeLayers = () => [...layers].reverse().forEach(close => close());

/** A layer over everything. Escape, or a press outside, closes it; the focus returns. */
export function layer(box, { onclose } = {}) {
  const back = document.activeElement;
  let open = true;
  const close = result => {
    if (!open) return;
    open = false;
    layers.delete(close);
    scrim.remove();
    restore(back);
    if (onclose) onclose(result);
  };
  const scrim = h('div.scrim', {
    onmousedown: e => e.target === scrim && close(),
    onkeydown: e => {
      e.stopPropagation();
      if (e.key === 'Escape') {
        e.preventDefault();
        close();
      } else if (e.key === 'Tab') trap(e, box);
    },
  }, box);
  document.body.append(scrim);
  layers.add(close);
  return close;
}

/**
 * Asks. `buttons`: {text, kind, run, value, when}; `run` may give a promise, and the dialog stays open with a sentence
 * if it fails. Gives a promise of the value of the pressed button, or undefined if it was closed. The first button is
 * the safe one; it has the focus unless the body has a field with `autofocus`. `opened` gets what closes it.
 */
export function dialog(title, body, buttons, { wide, opened } = {}) {
  return new Promise(resolve => {
    const wrong = h('div', { role: 'alert' });
    const foot = h('footer');
    const id = 'd' + Math.random().toString(36).slice(2);
    const box = h('lz-dialog.dialog', { role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': id, cls: wide ? 'wide' : '' },
      h('header', h('h2', { id }, title)), h('div.body', body, wrong), foot);
    const close = layer(box, { onclose: resolve });
    for (const b of buttons) {
      const button = h('button.btn', { type: 'button', cls: b.kind || '', disabled: b.when ? !b.when() : false }, b.text);
      button.addEventListener('click', async () => {
        if (!b.run) return close(b.value);
        const all = [...foot.children];
        for (const x of all) x.disabled = true;
        try {
          const result = await b.run();
          close(result === undefined ? true : result);
        } catch (e) {
          for (const x of all) x.disabled = false;
          fill(wrong, note('bad', 'warn', sentence(e)));
          button.focus();
        }
      });
      if (b.when) box.addEventListener('input', () => (button.disabled = !b.when()));
      foot.append(button);
    }
    box.addEventListener('keydown', e => {
      if (e.key === 'Enter' && e.target.localName === 'input' && e.target.type !== 'checkbox') {
        e.preventDefault();
        const last = foot.lastElementChild;
        if (!last.disabled) last.click();
      }
    });
    (box.querySelector('[autofocus]') || foot.firstElementChild || box).focus();
    if (opened) opened(close);
  });
}

/** A short message at the edge of the screen, also said. */
export function toast(text, kind = '') {
  const box = document.querySelector('.toasts') || document.body.appendChild(h('lz-toast.toasts', { role: 'status' }));
  const t = h('div.toast', { cls: kind }, text);
  box.append(t);
  while (box.children.length > 4) box.firstChild.remove();
  setTimeout(() => t.remove(), 5000);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(T.copied(what));
  } catch {
    // Without https or the permission: select it, so that the person can copy it.
    const area = h('textarea.field.mono', { rows: 5, readonly: true, autofocus: true, 'aria-label': what });
    area.value = text;
    const shown = dialog(T.copyByHand, area, [{ text: T.close }]);
    area.select();
    await shown;
  }
}

/** Saves bytes or text as a file of the person's. */
export function save(name, blob) {
  const href = URL.createObjectURL(blob);
  const a = h('a', { href, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** Tabs with arrow keys. `items`: [[id, text], …]. */
export function tabs(items, current, pick, label) {
  const el = h('lz-tabs.tabs', { role: 'tablist', 'aria-label': label });
  const buttons = items.map(([id, text]) => h('button', { type: 'button', role: 'tab', onclick: () => choose(id) }, text));
  const mark = () => items.forEach(([id], i) => {
    buttons[i].setAttribute('aria-selected', String(id === current));
    buttons[i].tabIndex = id === current ? 0 : -1;
  });
  const choose = id => {
    current = id;
    mark();
    pick(id);
  };
  el.addEventListener('keydown', e => {
    const d = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!d) return;
    e.preventDefault();
    const i = (items.findIndex(x => x[0] === current) + d + items.length) % items.length;
    // Before the choice: it may draw the buttons anew, and the one with the focus keeps it.
    buttons[i].focus();
    choose(items[i][0]);
  });
  el.append(...buttons);
  mark();
  return el;
}

/** One of few. `items`: [[id, text], …]. */
export function seg(items, current, pick, label) {
  const el = h('lz-seg.seg', { role: 'radiogroup', 'aria-label': label });
  const buttons = items.map(([id, text]) => h('button', { type: 'button', role: 'radio', onclick: () => choose(id) }, text));
  const mark = () => items.forEach(([id], i) => {
    buttons[i].setAttribute('aria-checked', String(id === current));
    buttons[i].tabIndex = id === current ? 0 : -1;
  });
  const choose = id => {
    current = id;
    mark();
    pick(id);
  };
  el.addEventListener('keydown', e => {
    const d = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!d) return;
    e.preventDefault();
    const i = (items.findIndex(x => x[0] === current) + d + items.length) % items.length;
    // Before the choice: it may draw the buttons anew, and the one with the focus keeps it.
    buttons[i].focus();
    choose(items[i][0]);
  });
  el.append(...buttons);
  mark();
  return el;
}

/** Rows of a table that arrows walk and Enter opens. */
export function walk(tbody) {
  tbody.addEventListener('keydown', e => {
    const tr = e.target.closest('tr');
    if (!tr || e.target !== tr) return;
    const d = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (d) {
      e.preventDefault();
      let next = tr;
      do next = d > 0 ? next.nextElementSibling : next.previousElementSibling;
      while (next && next.tabIndex !== 0);
      if (next) next.focus();
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      tr.click();
    }
  });
  return tbody;
}

export const note = (kind, sign, ...kids) => h('div.note', { cls: kind }, icon(sign), h('div.grow', kids));

export const empty = (sign, head, text, ...acts) => h('div.empty', icon(sign), h('b', head), h('div', text), acts.length > 0 && h('div.row.wrap.center', acts));

/** The sentence that an error is shown as. */
export const sentence = e => (e && e.text) || T.error.unknown;

const againButton = run => h('button.btn.small', { type: 'button', onclick: run }, icon('redo'), T.again);

/** A failed part of a view: what did not happen, and again: a button, or what it does. */
export function failed(e, again) {
  if (e.status === 403) return h('div.body', note('bad', 'lock', h('b', T.error.refused + ' '), sentence(e)));
  if (e.status === 404) return empty('info', T.error.gone, sentence(e));
  return h('div.body', { role: 'alert' }, h('div.note.bad', icon('warn'), h('div.grow', h('b', T.error.failed + ' '), sentence(e)), typeof again === 'function' ? againButton(again) : again));
}

export const skeleton = (n = 4) => h('div.body.stack3', { role: 'status', 'aria-busy': 'true', 'aria-label': T.loading },
  Array.from({ length: n }, (_, i) => h('div.row', h('div.sk.w1'), h('div.sk', { cls: 'w' + (2 + (i % 3)) }), h('div.sk.w1'))));

/**
 * Fills a box with what a promise gives. For 150 ms nothing changes, then grey bars, after 2 s a line that says what is
 * read, with Stop. A failure is a sentence with Again. A newer call for the same box wins.
 */
export async function load(box, what, work, show) {
  box.lzLoad?.abort();
  const control = new AbortController();
  box.lzLoad = control;
  box.setAttribute('aria-busy', 'true');
  const bars = setTimeout(() => fill(box, skeleton()), 150);
  const slow = setTimeout(() => box.append(h('div.body', h('div.note', icon('job'), h('div.grow', T.reading(what)), h('button.btn.small', { type: 'button', onclick: () => control.abort() }, T.stop)))), 2000);
  try {
    const value = await work(control.signal);
    if (box.lzLoad === control) show(value);
    return value;
  } catch (e) {
    if (box.lzLoad !== control) return undefined;
    const again = () => box.lzLoad === control && load(box, what, work, show);
    if (e.name === 'AbortError') fill(box, h('div.body', h('div.note', icon('info'), h('div.grow', T.stopped), againButton(again))));
    else fill(box, failed(e, again));
    if (e.status === 0) whenBack(again);
    return undefined;
  } finally {
    clearTimeout(bars);
    clearTimeout(slow);
    if (box.lzLoad === control) box.removeAttribute('aria-busy');
  }
}

const JSON_RULES = [[/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'k'], [/"(?:[^"\\]|\\.)*"/, 's'], [/\b(?:true|false|null)\b/, 'o'], [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'n']];
const JAVA_RULES = [[/\/\/.*/, 'f'], [/"[^"]*"/, 's'], [/@\w+/, 'f'], [/\b(?:record|public|new|return|final|var|int|long|String|Instant|import)\b/, 'o'], [/\b\d+\b/, 'n'], [/\b[A-Z]\w+/, 'k']];
const PAINT_MAX = 100_000;
export const jsonText = text => h('pre.code.wrap', { tabindex: 0, role: 'region', 'aria-label': 'JSON' }, text.length > PAINT_MAX ? text : paint(text, JSON_RULES));
export const java = text => h('pre.code', { tabindex: 0, role: 'region', 'aria-label': T.javaCode }, paint(text, JAVA_RULES));

/** Dialogs, messages, tabs and switches are elements only in name: behaviour is above, so that they need no state. */
export function spark(values, label, w = 84, hgt = 26) {
  if (!values || values.length < 2) return null;
  const max = Math.max(...values), min = Math.min(...values, 0);
  const points = values.map((v, i) => ((i * w) / (values.length - 1)).toFixed(1) + ' ' + (hgt - 2 - ((v - min) / (max - min || 1)) * (hgt - 4)).toFixed(1));
  const d = 'M' + points.join('L');
  return s('svg', { width: w, height: hgt, viewBox: `0 0 ${w} ${hgt}`, role: 'img', 'aria-label': label }, s('path', { d: d + `L${w} ${hgt}L0 ${hgt}Z`, class: 'area' }), s('path', { d, class: 'line' }));
}
