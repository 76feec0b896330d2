// lz-grid: a virtual grid over pages. Only rows and columns in sight are in the document.
import { h, fill, visible } from './core.js';
import { say, failed, icon } from './ui.js';
import { T } from './texts.js';

/** Browsers cut elements that are higher than about 16 million pixels; beyond it the scroll bar is scaled. */
const HEIGHT_MAX = 12_000_000;
const HEAD = 44;
const OVER_ROWS = 6;
const OVER_PX = 240;
const WIDTH_MIN = 56;
const WIDTH_MAX = 900;
let grids = 0;

/**
 * Options: label, pages (Pages), columns [{id, name, tag, width, pin, right, mono, cell(row), text(row)}], id(row),
 * onOpen(row, i), onDelete(rows), cls(row, column), edit {can, text, stage}, onChosen(set), onWidth(id, px), state(row).
 */
export class LzGrid extends HTMLElement {
  setup(options) {
    this.o = options;
    this.no = ++grids;
    this.at = { r: 0, c: Math.min(1, options.columns.length - 1) };
    this.open = null;
    this.chosen = new Set();
    this.anchor = null;
    this.live = new Map();
    this.classList.add('grid');
    this.setAttribute('role', 'grid');
    this.setAttribute('aria-label', options.label);
    if (options.choose) this.setAttribute('aria-multiselectable', 'true');
    this.tabIndex = 0;
    this.head = h('div.hd', { role: 'row', 'aria-rowindex': 1 });
    this.canvas = h('div.canvas', { role: 'rowgroup' });
    fill(this, h('div', { role: 'rowgroup', cls: 'hdg' }, this.head), this.canvas);
    this.addEventListener('scroll', () => this.schedule(), { passive: true });
    this.addEventListener('keydown', e => this.key(e));
    this.addEventListener('mousedown', e => this.press(e));
    this.addEventListener('dblclick', e => e.target.closest('.r0') && this.editCell());
    this.addEventListener('focus', () => this.mark());
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this);
    this.setColumns(options.columns);
    return this;
  }

  disconnectedCallback() {
    this.observer?.disconnect();
  }

  connectedCallback() {
    if (this.o) {
      this.observer.observe(this);
      this.schedule();
    }
  }

  get rowHeight() {
    return parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 30;
  }

  setColumns(columns) {
    this.columns = columns;
    this.at.c = Math.min(this.at.c, columns.length - 1);
    this.setAttribute('aria-colcount', columns.length);
    let x = 0;
    this.xs = columns.map(c => {
      const at = x;
      x += c.width;
      return at;
    });
    this.width = x;
    this.pins = columns.filter(c => c.pin).length;
    this.pinned = this.pins ? this.xs[this.pins - 1] + columns[this.pins - 1].width : 0;
    this.refresh();
  }

  /** Draws all rows anew: data, columns or marks have changed. */
  refresh() {
    this.stale = true;
    this.schedule();
  }

  schedule() {
    if (this.frame || !this.isConnected) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.isConnected && !this.editing) this.draw();
    });
  }

  /** Rows that have a place: the known ones and, while more may come, some grey ones. */
  get total() {
    const p = this.o.pages;
    return p.known + (p.end || p.stopped || p.error ? 0 : Math.min(30, p.limit));
  }

  columnRange() {
    const left = this.scrollLeft + this.pinned - OVER_PX;
    const right = this.scrollLeft + (this.clientWidth || 1200) + OVER_PX;
    let first = this.pins;
    while (first < this.columns.length - 1 && this.xs[first] + this.columns[first].width < left) first++;
    let last = first;
    while (last < this.columns.length - 1 && this.xs[last + 1] < right) last++;
    return [first, last];
  }

  draw() {
    const rowH = this.rowHeight;
    const total = this.total;
    const room = Math.max(1, (this.clientHeight || 600) - HEAD);
    const full = total * rowH;
    const height = Math.min(full, HEIGHT_MAX);
    const scale = height < full ? (full - room) / (height - room) : 1;
    this.scale = scale;
    const virtualTop = this.scrollTop * scale;
    const first = Math.max(0, Math.floor(virtualTop / rowH) - OVER_ROWS);
    const last = Math.min(total - 1, Math.ceil((virtualTop + room) / rowH) + OVER_ROWS);
    const [c0, c1] = this.columnRange();
    const columnKey = c0 + ':' + c1;
    if (columnKey !== this.columnKey) {
      this.columnKey = columnKey;
      this.stale = true;
    }
    if (this.stale) this.header(c0, c1);
    this.canvas.style.height = height + 'px';
    this.canvas.style.width = Math.max(this.width, this.clientWidth) + 'px';
    this.setAttribute('aria-rowcount', this.o.pages.end ? total + 1 : -1);
    for (const [r, el] of this.live) {
      if (this.stale || r < first || r > last) {
        el.remove();
        this.live.delete(r);
      }
    }
    this.stale = false;
    const shift = virtualTop - this.scrollTop;
    for (let r = first; r <= last; r++) {
      let el = this.live.get(r);
      const row = this.o.pages.row(r);
      if (el && el.lzRow !== row) {
        el.remove();
        el = null;
      }
      if (!el) {
        el = this.rowElement(r, row, c0, c1);
        this.live.set(r, el);
        this.canvas.append(el);
      }
      el.style.top = r * rowH - shift + 'px';
    }
    this.mark();
    this.o.pages.need(first, last);
    if (this.o.onScroll) this.o.onScroll(Math.min(Math.floor(virtualTop / rowH), Math.max(0, this.o.pages.known - 1)), Math.min(this.o.pages.known, Math.floor((virtualTop + room) / rowH)) - 1);
  }

  header(c0, c1) {
    const cell = (c, i) => h('div.c', { role: 'columnheader', 'aria-colindex': i + 1, cls: this.cellClass(c, i), style: this.cellStyle(c, i) }, h('span', { title: visible(c.name) }, visible(c.name)), c.tag && h('span.tag', c.tag), h('span.resize', { 'aria-hidden': 'true', onpointerdown: e => this.resize(e, c, i) }));
    fill(this.head, this.columns.slice(0, this.pins).map(cell), this.spacer(c0), this.columns.slice(c0, c1 + 1).map((c, i) => cell(c, c0 + i)));
    this.head.style.width = this.width + 'px';
  }

  spacer(c0) {
    const w = (this.xs[c0] ?? 0) - this.pinned;
    return w > 0 ? h('div', { role: 'presentation', style: { width: w + 'px', flex: 'none' } }) : null;
  }

  cellClass(c, i) {
    return (c.right ? 'r ' : '') + (c.mono ? 'm ' : '') + (c.pin ? 'pin key ' : '') + (c.pin && i === this.pins - 1 ? 'last ' : '');
  }

  cellStyle(c, i) {
    return c.pin ? { width: c.width + 'px', left: this.xs[i] + 'px' } : { width: c.width + 'px' };
  }

  rowElement(r, row, c0, c1) {
    const id = row && this.o.id(row);
    const el = h('div.r0', { role: 'row', 'aria-rowindex': r + 2 });
    el.lzRow = row;
    el.lzIndex = r;
    if (row) {
      if (id === this.open) el.classList.add('sel');
      if (this.chosen.has(id)) el.classList.add('chosen');
      el.setAttribute('aria-selected', String(this.o.choose ? this.chosen.has(id) : id === this.open));
    } else el.classList.add('wait');
    const cell = (c, i) => h('div.c', { role: 'gridcell', 'aria-colindex': i + 1, id: this.cellId(r, i), cls: this.cellClass(c, i) + (row && this.o.cls ? this.o.cls(row, c) || '' : ''), style: this.cellStyle(c, i) }, row ? c.cell(row) : h('span.sk'));
    for (let i = 0; i < this.pins; i++) el.append(cell(this.columns[i], i));
    const space = this.spacer(c0);
    if (space) el.append(space);
    for (let i = c0; i <= c1 && i < this.columns.length; i++) el.append(cell(this.columns[i], i));
    return el;
  }

  cellId(r, c) {
    return `g${this.no}-${r}-${c}`;
  }

  cellAt() {
    return document.getElementById(this.cellId(this.at.r, this.at.c));
  }

  mark() {
    for (const x of this.canvas.querySelectorAll('.at')) x.classList.remove('at');
    const cell = this.cellAt();
    if (cell) {
      cell.classList.add('at');
      this.setAttribute('aria-activedescendant', cell.id);
    } else this.removeAttribute('aria-activedescendant');
  }

  press(e) {
    const cell = e.target.closest('.c[role=gridcell]');
    const row = e.target.closest('.r0');
    if (!cell || !row || this.editing || e.button) return;
    this.at = { r: row.lzIndex, c: Number(cell.getAttribute('aria-colindex')) - 1 };
    this.mark();
    if (!row.lzRow) return;
    if (this.o.choose && (e.ctrlKey || e.metaKey)) this.toggle(this.at.r);
    else if (this.o.choose && e.shiftKey) this.extend(this.anchor ?? this.at.r, this.at.r);
    else {
      this.anchor = this.at.r;
      this.openRow(this.at.r);
    }
  }

  openRow(r) {
    const row = this.o.pages.row(r);
    if (!row || !this.o.onOpen) return;
    this.setOpen(this.o.id(row));
    this.o.onOpen(row, r);
  }

  /** Marks the row that the panel shows. */
  setOpen(id) {
    this.open = id;
    for (const el of this.live.values()) {
      const on = el.lzRow && this.o.id(el.lzRow) === id;
      el.classList.toggle('sel', Boolean(on));
      if (!this.o.choose && el.lzRow) el.setAttribute('aria-selected', String(Boolean(on)));
    }
  }

  toggle(r) {
    const row = this.o.pages.row(r);
    if (!row || !this.o.choose) return;
    const id = this.o.id(row);
    if (!this.chosen.delete(id)) this.chosen.add(id);
    this.anchor = r;
    this.chose();
  }

  extend(from, to) {
    this.chosen.clear();
    for (let r = Math.min(from, to); r <= Math.max(from, to); r++) {
      const row = this.o.pages.row(r);
      if (row) this.chosen.add(this.o.id(row));
    }
    this.anchor = from;
    this.chose();
  }

  choose(ids) {
    this.chosen = new Set(ids);
    this.chose();
  }

  chose() {
    this.refresh();
    if (this.o.onChosen) this.o.onChosen(this.chosen);
  }

  key(e) {
    if (this.editing) return;
    const pageRows = Math.max(1, Math.floor((this.clientHeight - HEAD) / this.rowHeight) - 1);
    const ctrl = e.ctrlKey || e.metaKey;
    const move = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [pageRows, 0], PageUp: [-pageRows, 0], Home: ctrl ? [-1e9, 0] : [0, -1e9], End: ctrl ? [1e9, 0] : [0, 1e9] }[e.key];
    if (e.altKey && e.shiftKey && (e.key === 'ArrowLeft' || e.key === 'ArrowRight')) {
      e.preventDefault();
      this.setWidth(this.at.c, this.columns[this.at.c].width + (e.key === 'ArrowRight' ? 16 : -16));
    } else if (move && !e.altKey) {
      e.preventDefault();
      const from = this.at.r;
      this.moveTo(this.at.r + move[0], this.at.c + move[1]);
      if (e.shiftKey && this.o.choose && move[0]) this.extend(this.anchor ?? from, this.at.r);
      else if (move[0]) this.anchor = null;
    } else if (e.key === 'Enter') {
      e.preventDefault();
      this.openRow(this.at.r);
    } else if (e.key === ' ' && this.o.choose) {
      e.preventDefault();
      this.toggle(this.at.r);
    } else if (e.key === 'F2') {
      e.preventDefault();
      this.editCell();
    } else if (e.key === 'Delete' && this.o.onDelete) {
      e.preventDefault();
      const row = this.o.pages.row(this.at.r);
      if (row) this.o.onDelete(row);
    } else if (ctrl && e.key.toLowerCase() === 'a' && this.o.choose) {
      e.preventDefault();
      this.choose([...this.o.pages.loaded()].map(this.o.id));
    } else if (ctrl && e.key.toLowerCase() === 'c' && !String(getSelection())) {
      const row = this.o.pages.row(this.at.r);
      if (row && navigator.clipboard) {
        e.preventDefault();
        navigator.clipboard.writeText(this.columns[this.at.c].text(row)).then(() => say(T.copied()), () => {});
      }
    }
  }

  moveTo(r, c) {
    this.at = { r: Math.max(0, Math.min(r, Math.max(0, this.o.pages.known - 1))), c: Math.max(0, Math.min(c, this.columns.length - 1)) };
    this.see();
    this.draw();
  }

  /** Scrolls so that the current cell is in sight and not under the header or the keys. */
  see() {
    const rowH = this.rowHeight;
    const y = this.at.r * rowH;
    const room = Math.max(rowH, this.clientHeight - HEAD - rowH);
    const top = this.scrollTop * (this.scale || 1);
    let want = top;
    if (y < top) want = y;
    else if (y > top + room) want = y - room;
    if (want !== top) {
      // The place that rows need may have grown since the last drawing.
      const full = this.total * rowH;
      if (full <= HEIGHT_MAX) this.canvas.style.height = full + 'px';
      this.scrollTop = want / (this.scale || 1);
    }
    const c = this.columns[this.at.c];
    if (c.pin) return;
    const x = this.xs[this.at.c];
    const pinned = getComputedStyle(this.head.querySelector('.c.pin') || this).position === 'sticky' ? this.pinned : 0;
    if (x < this.scrollLeft + pinned) this.scrollLeft = x - pinned;
    else if (x + c.width > this.scrollLeft + this.clientWidth) this.scrollLeft = x + c.width - this.clientWidth;
  }

  setWidth(i, px) {
    const c = this.columns[i];
    c.width = Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, px)));
    this.setColumns(this.columns);
    if (this.o.onWidth) this.o.onWidth(c.id, c.width);
  }

  resize(e, c, i) {
    e.preventDefault();
    e.stopPropagation();
    const from = e.clientX;
    const width = c.width;
    const move = m => this.setWidth(i, width + m.clientX - from);
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
  }

  editCell() {
    const row = this.o.pages.row(this.at.r);
    const c = this.columns[this.at.c];
    const cell = this.cellAt();
    if (!row || !cell || !this.o.edit || !this.o.edit.can(row, c)) return;
    this.editing = true;
    const old = this.o.edit.text(row, c);
    const input = h('input.ed', { value: old, 'aria-label': visible(c.name), spellcheck: 'false' });
    let over = false;
    const end = keep => {
      if (over) return;
      if (keep && input.value !== old) {
        const wrong = this.o.edit.stage(row, c, input.value);
        if (wrong) {
          input.setAttribute('aria-invalid', 'true');
          input.title = wrong;
          cell.classList.add('wrong');
          say(wrong);
          if (keep === 'leave') this.o.edit.refused?.(wrong);
          else return;
        }
      }
      over = true;
      this.editing = false;
      this.refresh();
      if (keep !== 'leave') this.focus({ preventScroll: true });
    };
    input.addEventListener('keydown', e => {
      e.stopPropagation();
      if (e.key === 'Enter' || e.key === 'Tab') {
        e.preventDefault();
        end('take');
      } else if (e.key === 'Escape') end(null);
    });
    input.addEventListener('blur', () => end('leave'));
    fill(cell, input);
    input.focus();
    input.select();
  }
}
customElements.define('lz-grid', LzGrid);

/** The layer over a grid: a sentence, an error. If there are rows, it is a line below them, and they stay. */
export function gridState(cover, pages, emptyState) {
  const kind = pages.error ? 'error' : pages.stopped ? 'stopped' : pages.slow ? 'slow' : pages.end && !pages.known ? 'empty' : '';
  const grid = cover.parentElement?.querySelector('lz-grid');
  if (grid) grid.setAttribute('aria-busy', String(pages.busy && !pages.known));
  // What only grows is written in place: a button that has the focus keeps it.
  if (kind === 'slow' && cover.lzKind === 'slow') return fill(cover.querySelector('.grow'), T.tables.scanning(pages.scanned));
  if (kind && kind !== 'empty' && kind === cover.lzKind && pages === cover.lzPages && pages.error === cover.lzError) return cover;
  [cover.lzKind, cover.lzPages, cover.lzError] = [kind, pages, pages.error];
  const act = (text, sign, run) => h('button.btn.small', { type: 'button', onclick: () => {
    run();
    grid?.focus({ preventScroll: true });
  } }, sign && icon(sign), text);
  const line = (sign, text, button) => h('div.body', { role: 'status' }, h('div.note', icon(sign), h('div.grow', text), button));
  cover.hidden = !kind;
  cover.classList.toggle('low', pages.known > 0);
  // Nobody walks into a grid that is covered.
  if (grid) grid.tabIndex = kind && !pages.known ? -1 : 0;
  fill(cover, kind === 'error' ? failed(pages.error, act(T.again, 'redo', () => pages.again()))
    : kind === 'stopped' ? line('info', T.stopped, act(T.again, 'redo', () => pages.again()))
      : kind === 'slow' ? line('job', T.tables.scanning(pages.scanned), act(T.stop, null, () => pages.stop()))
        : kind === 'empty' && emptyState());
  // On a small screen it may scroll; without a button in it, only the focus can do that.
  if (kind && !cover.querySelector('button, a, input')) cover.tabIndex = 0;
  else cover.removeAttribute('tabindex');
  return cover;
}
