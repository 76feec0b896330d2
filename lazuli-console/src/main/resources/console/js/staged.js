// Edits that are not sent yet, by entity. Commit sends them with the ETag that was read; a conflict is shown, never overwritten.
import { h, visible } from './core.js';
import { call, path } from './api.js';
import { dialog, note } from './ui.js';
import { T } from './texts.js';
import { entity, idOf, show, same, wireProps } from './value.js';

const TRANSACTION_MAX = 100;

export class Staged {
  constructor(account, table, changed) {
    this.base = path('accounts', account, 'tables', table);
    this.changed = changed;
    /** id → {entity as it was read, changes: Map of name → value, or null for "removed"} */
    this.entries = new Map();
    this.log = [];
  }

  get size() {
    let n = 0;
    for (const e of this.entries.values()) n += e.changes.size;
    return n;
  }

  get partitions() {
    return new Set([...this.entries.values()].map(e => e.entity.pk)).size;
  }

  change(e, name, value) {
    const id = idOf(e);
    const entry = this.entries.get(id) || { entity: e, changes: new Map() };
    this.log.push([id, name, entry.changes.has(name) ? [entry.changes.get(name)] : null]);
    const stored = entry.entity.props.get(name);
    if (value === null ? !stored : same(value, stored)) entry.changes.delete(name);
    else entry.changes.set(name, value);
    if (entry.changes.size) this.entries.set(id, entry);
    else this.entries.delete(id);
    this.changed();
  }

  undo() {
    const last = this.log.pop();
    if (!last) return;
    const [id, name, before] = last;
    const entry = this.entries.get(id);
    if (!entry) return this.undo();
    if (before) entry.changes.set(name, before[0]);
    else entry.changes.delete(name);
    if (!entry.changes.size) this.entries.delete(id);
    this.changed();
  }

  discard(id) {
    if (id === undefined) {
      this.entries.clear();
      this.log = [];
    } else this.entries.delete(id);
    this.changed();
  }

  /** The entity with what is staged. */
  seen(e) {
    const entry = this.entries.get(idOf(e));
    if (!entry) return e;
    const props = new Map(e.props);
    for (const [k, v] of entry.changes) {
      if (v === null) props.delete(k);
      else props.set(k, v);
    }
    return { ...e, props };
  }

  /** The staged value of a property: undefined if there is none, null if it is removed. */
  of(e, name) {
    return this.entries.get(idOf(e))?.changes.get(name);
  }

  /** The sentence about how it will be sent. */
  how() {
    const n = this.entries.size;
    if (n < 2) return '';
    if (this.partitions > 1) return T.staged.apart(this.partitions);
    return n > TRANSACTION_MAX ? T.staged.many(n) : T.staged.same(n);
  }

  async operation(entry) {
    const { entity: e, changes } = entry;
    const k = [e.pk, e.rk];
    if (![...changes.values()].includes(null)) return { op: 'merge', k, e: e.etag, v: wireProps(changes) };
    // A merge cannot remove: the whole entity is sent, and for that all of it must be there.
    let whole = e;
    if ([...e.props.values()].some(v => v.cut !== undefined)) whole = { ...entity(await call('GET', this.base + '/entities', { query: keyQuery(e) })), etag: e.etag };
    const props = new Map(whole.props);
    for (const [name, v] of changes) {
      if (v === null) props.delete(name);
      else props.set(name, v);
    }
    return { op: 'replace', k, e: e.etag, v: wireProps(props) };
  }

  /** Sends everything. Gives the stored rows by id; throws every error that is not a conflict. Undefined if the person cancelled. */
  async commit() {
    const stored = new Map();
    for (;;) {
      const list = [...this.entries.values()];
      if (!list.length) return stored;
      const together = list.length > 1 && this.partitions === 1 && list.length <= TRANSACTION_MAX;
      let at = 0;
      try {
        if (together) {
          const changes = await Promise.all(list.map(x => this.operation(x)));
          const { rows } = await call('POST', this.base + '/transaction', { body: { changes } });
          rows.forEach((row, i) => this.stored(list[i], row, stored));
        } else {
          for (; at < list.length; at++) {
            const o = await this.operation(list[at]);
            const row = await call(o.op === 'merge' ? 'PATCH' : 'PUT', this.base + '/entities', { query: keyQuery(list[at].entity), headers: { 'If-Match': o.e }, body: { v: o.v } });
            this.stored(list[at], row, stored);
          }
        }
        return stored;
      } catch (e) {
        const gone = e.status === 404 && e.code !== 'TableNotFound';
        if (e.status !== 412 && !gone) {
          if (stored.size) e.text = T.staged.partly(stored.size) + ' ' + e.text;
          throw e;
        }
        const entry = list[together ? e.body?.index ?? 0 : at];
        const answer = await conflict(entry, e.body?.stored ? entity(e.body.stored) : null);
        if (answer === undefined) {
          this.changed();
          return stored.size ? stored : undefined;
        }
        await this.resolve(entry, answer, e.body?.stored ? entity(e.body.stored) : null, stored);
      }
    }
  }

  stored(entry, row, into) {
    into.set(idOf(entry.entity), row);
    this.entries.delete(idOf(entry.entity));
    this.log = this.log.filter(l => l[0] !== idOf(entry.entity));
  }

  async resolve(entry, answer, theirs, stored) {
    const id = idOf(entry.entity);
    if (answer === 'theirs') {
      this.entries.delete(id);
      stored.set(id, theirs ? { k: [theirs.pk, theirs.rk], e: theirs.etag, ts: theirs.ts, v: wireProps(theirs.props) } : null);
    } else if (answer === 'merge') {
      entry.entity = theirs;
    } else {
      const mine = this.seen(entry.entity);
      const row = await call('POST', this.base + '/entities', { body: { k: [mine.pk, mine.rk], v: wireProps(mine.props) } });
      this.stored(entry, row, stored);
    }
    this.changed();
  }
}

export const keyQuery = e => ({ pk: e.pk, rk: e.rk });

/** Shows what was read, what is staged and what is stored, for each property that differs. */
export function conflict(entry, theirs) {
  const { entity: read, changes } = entry;
  if (!theirs) {
    return dialog(T.conflict.goneTitle, h('p.soft', T.conflict.gone(visible(read.pk), visible(read.rk))), [{ text: T.cancel }, { text: T.conflict.drop, value: 'theirs' }, { text: T.conflict.insert, kind: 'primary', value: 'insert' }]);
  }
  const names = [...new Set([...read.props.keys(), ...changes.keys(), ...theirs.props.keys()])].filter(n => changes.has(n) || !same(read.props.get(n), theirs.props.get(n)));
  const cell = v => (v ? show(v, true) : h('span.muted', T.value.absent));
  const rows = names.map(n => {
    const mine = changes.get(n);
    const moved = !same(read.props.get(n), theirs.props.get(n));
    return h('tr', h('td', h('b', visible(n))), h('td', cell(read.props.get(n))), h('td', { cls: changes.has(n) ? 'warn' : '' }, !changes.has(n) ? h('span.muted', T.conflict.unchanged) : mine === null ? T.conflict.removed : h('b', cell(mine))), h('td', { cls: moved ? 'bad' : '' }, moved ? h('b', cell(theirs.props.get(n))) : cell(theirs.props.get(n))));
  });
  return dialog(T.conflict.title, h('div.stack3', h('p.soft', T.conflict.text(visible(read.pk), visible(read.rk))), rows.length ? h('div.scrollx', h('table.t.conflict', h('thead', h('tr', T.conflict.head.map(x => h('th', { scope: 'col' }, x)))), h('tbody', rows))) : note('', 'info', T.conflict.unchanged)),
    [{ text: T.cancel }, { text: T.conflict.theirs, value: 'theirs' }, { text: T.conflict.merge, kind: 'primary', value: 'merge' }], { wide: true });
}
