// Rows of a list that the server gives page by page, by token. Keeps the rows around the view; of pages far away only
// the token and the number of rows stay, and they are read again when somebody scrolls back.

import { whenBack } from './api.js';

/** 25 pages of 200 rows. */
const KEEP_ROWS = 5000;
/** After this time the page says which data it reads, and offers to stop. */
const SLOW_MS = 2000;

export class Pages {
  /** `fetchPage(after, limit, signal)` gives {rows, next, …}. `changed()` is called after each change. */
  constructor(fetchPage, { limit = 200, changed = () => {}, max = Infinity } = {}) {
    this.fetchPage = fetchPage;
    this.limit = limit;
    this.changed = changed;
    this.max = max;
    this.pages = [];
    this.starts = [];
    this.known = 0;
    this.next = undefined;
    this.error = null;
    this.busy = false;
    this.scanned = 0;
    this.last = null;
    this.control = new AbortController();
    this.stopped = false;
    this.slow = false;
    this.closed = false;
    this.around = 0;
  }

  /** Whether the last row is known. */
  get end() {
    return this.next === null;
  }

  /** Ends all requests; the object is not used any more. */
  close() {
    this.closed = true;
    this.control.abort();
    this.changed = () => {};
  }

  /** Stops reading on. `again` goes on. */
  stop() {
    this.stopped = true;
    this.control.abort();
    this.control = new AbortController();
  }

  again() {
    this.stopped = false;
    this.error = null;
    this.changed();
    this.more();
  }

  /** A page did not come. If nothing answered at all, it is read again as soon as the server is back. */
  failed(e) {
    if (e.name === 'AbortError') return;
    this.error = e;
    if (e.status === 0) whenBack(() => !this.closed && this.error === e && this.again());
  }

  /** The page that has row i, by binary search. */
  pageOf(i) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.starts[mid] <= i) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  /** Row i, or undefined if it is not loaded. Does not load. */
  row(i) {
    if (i < 0 || i >= this.known) return undefined;
    const p = this.pages[this.pageOf(i)];
    return p.rows ? p.rows[i - this.starts[this.pageOf(i)]] : undefined;
  }

  /** Loads what a view of rows first to last needs. */
  need(first, last) {
    this.around = (first + last) / 2;
    if (this.next === undefined || (this.next !== null && last >= this.known - this.limit / 4)) this.more();
    if (!this.known) return;
    for (let p = this.pageOf(Math.min(first, this.known - 1)); p < this.pages.length && this.starts[p] <= last; p++) if (!this.pages[p].rows) this.reread(p);
  }

  async more() {
    if (this.busy || this.next === null || this.stopped || this.error) return;
    this.busy = true;
    const { signal } = this.control;
    const late = setTimeout(() => {
      this.slow = true;
      this.changed();
    }, SLOW_MS);
    try {
      // A page may be empty and still have a next one: the server says how far it looked, and we go on.
      for (;;) {
        const after = this.next ?? null;
        const page = await this.fetchPage(after, Math.min(this.limit, this.max - this.known), signal);
        if (signal.aborted) return;
        this.last = page;
        this.scanned += page.scanned ?? page.rows.length;
        this.next = this.known + page.rows.length >= this.max ? null : page.next;
        if (page.rows.length) {
          this.pages.push({ after, count: page.rows.length, rows: page.rows });
          this.starts.push(this.known);
          this.known += page.rows.length;
        }
        if (page.rows.length || this.next === null) break;
        this.changed();
      }
      this.drop();
    } catch (e) {
      this.failed(e);
    } finally {
      clearTimeout(late);
      this.slow = false;
      this.busy = false;
      this.changed();
    }
  }

  async reread(p) {
    const page = this.pages[p];
    if (page.busy || this.stopped || this.error) return;
    page.busy = true;
    try {
      const got = await this.fetchPage(page.after, page.count, this.control.signal);
      page.rows = got.rows;
      if (got.rows.length !== page.count) {
        page.count = got.rows.length;
        this.recount(p);
      }
      this.drop();
    } catch (e) {
      this.failed(e);
    } finally {
      page.busy = false;
      this.changed();
    }
  }

  recount(from) {
    let at = from ? this.starts[from - 1] + this.pages[from - 1].count : 0;
    for (let p = from; p < this.pages.length; p++) {
      this.starts[p] = at;
      at += this.pages[p].count;
    }
    this.known = at;
  }

  /** Forgets the rows of the pages farthest from the view. */
  drop() {
    const held = this.pages.map((p, i) => i).filter(i => this.pages[i].rows);
    let rows = held.reduce((sum, i) => sum + this.pages[i].count, 0);
    if (rows <= KEEP_ROWS) return;
    const distance = i => Math.abs(this.starts[i] + this.pages[i].count / 2 - this.around);
    held.sort((a, b) => distance(b) - distance(a));
    for (const i of held) {
      if (rows <= KEEP_ROWS) break;
      rows -= this.pages[i].count;
      this.pages[i].rows = null;
    }
  }

  /** The rows that are loaded, in order. */
  *loaded() {
    for (const p of this.pages) if (p.rows) yield* p.rows;
  }

  /** The first loaded row for which `test` holds, with its place. */
  find(test) {
    for (let p = 0; p < this.pages.length; p++) {
      const i = this.pages[p].rows ? this.pages[p].rows.findIndex(test) : -1;
      if (i >= 0) return { i: this.starts[p] + i, row: this.pages[p].rows[i] };
    }
    return null;
  }

  replace(test, row) {
    const at = this.find(test);
    if (!at) return;
    const p = this.pageOf(at.i);
    this.pages[p].rows[at.i - this.starts[p]] = row;
    this.changed();
  }

  remove(test) {
    const at = this.find(test);
    if (!at) return;
    const p = this.pageOf(at.i);
    this.pages[p].rows.splice(at.i - this.starts[p], 1);
    this.pages[p].count--;
    this.recount(p);
    this.changed();
  }
}
