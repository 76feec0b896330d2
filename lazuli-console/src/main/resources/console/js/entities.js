// A grid of entities with its panel, staged edits and chosen rows: the table view and the results of a query.
import { h, fill, remembered, visible } from './core.js';
import { call, post, get, path } from './api.js';
import { icon, dialog, toast, copy, empty, jsonText, sentence, note, say, save } from './ui.js';
import { T } from './texts.js';
import { Pages } from './pages.js';
import { gridState } from './grid.js';
import { panel } from './panel.js';
import { Staged, keyQuery } from './staged.js';
import { entity, idOf, show, text, parse, right, mono, jsonOf } from './value.js';
import { fields, addresses, addEntity, replaceEntity, chooseColumns } from './entity.js';
import { may } from './shell.js';
import { setGuard, to } from './router.js';

const COLUMNS_MAX = 255;
const JSON_ROWS = 200;
const WIDTHS = { String: 150, Int32: 92, Int64: 170, Double: 130, Boolean: 84, DateTime: 228, Guid: 290, Binary: 190 };
const rowId = row => row.k[0] + '\u0000' + row.k[1];

/**
 * Options: a, table, changed(pages) after each page, opened(entity or null), emptyState(pages), inPlace(route) whether
 * an address stays in this view.
 */
export function entityGrid({ a, table, changed, opened, emptyState, inPlace }) {
  const base = path('accounts', a, 'tables', table);
  const memory = 'grid.' + a + '.' + table;
  const hidden = new Set(remembered.get(memory + '.hidden', ['Timestamp']));
  const widths = new Map(Object.entries(remembered.get(memory + '.widths', {})));
  const seen = new Map();
  const cache = new WeakMap();
  const of = row => {
    let e = cache.get(row);
    if (!e) cache.set(row, (e = entity(row)));
    return e;
  };
  let pages = null;
  let open = null;
  let view = 'grid';
  const grid = document.createElement('lz-grid');
  const cover = h('div.cover');
  const json = h('div.scroll.rows-json', { tabindex: 0, role: 'region', 'aria-label': T.tables.jsonLabel });
  const over = h('div.over', grid, cover);
  const stage = h('div');
  const chosenBar = h('div');
  const content = h('div.content', over, chosenBar, stage);
  const split = h('div.split.sheet', content);
  const staged = new Staged(a, table, drawStaged);
  const edits = may('merge-entity');
  const side = panel(split, T.entity.panel, () => {
    open = null;
    grid.setOpen(null);
    grid.focus({ preventScroll: true });
    opened(null);
  });

  function columns() {
    const keys = [['#pk', 'PartitionKey', r => r.k[0]], ['#rk', 'RowKey', r => r.k[1]]].map(([id, name, key]) => ({ id, name, tag: 'String', pin: true, width: widths.get(id) || (id === '#pk' ? 130 : 170), cell: r => show({ t: 'String', v: key(r) }), text: key }));
    const time = { id: '#ts', name: 'Timestamp', tag: 'DateTime', width: widths.get('#ts') || WIDTHS.DateTime, mono: true, cell: r => show({ t: 'DateTime', v: r.ts }), text: r => r.ts };
    const props = [...seen].filter(([name]) => !hidden.has(name)).slice(0, COLUMNS_MAX).map(([name, set]) => {
      const types = [...set];
      return {
        id: 'p:' + name, name, prop: name, types, tag: types.join(', '), right: right(types), mono: mono(types), width: widths.get('p:' + name) || WIDTHS[types[0]] || 150,
        cell: r => show(value(r, name), types.length > 1), text: r => text(value(r, name)),
      };
    });
    return [...keys, ...(hidden.has('Timestamp') ? [] : [time]), ...props];
  }
  function value(row, name) {
    const s = staged.of(of(row), name);
    return s === undefined ? of(row).props.get(name) : s;
  }

  grid.setup({
    label: T.tables.gridLabel(table),
    pages: { known: 0, end: false, row() {}, need() {}, loaded: () => [], limit: 20 },
    columns: columns(),
    id: rowId,
    choose: true,
    onOpen: row => openEntity(of(row)),
    onDelete: may('delete-entity') ? row => removeRows([row]) : null,
    onChosen: drawChosen,
    onWidth: (id, px) => {
      widths.set(id, px);
      remembered.set(memory + '.widths', Object.fromEntries(widths));
    },
    onScroll: (first, last) => changed(pages, first, last),
    cls: (row, c) => {
      if (!c.prop) return '';
      const s = staged.of(of(row), c.prop);
      return s === undefined ? '' : s === null ? 'dirty drop' : 'dirty';
    },
    edit: edits ? {
      can: (row, c) => Boolean(c.prop) && of(row).props.get(c.prop)?.cut === undefined,
      text: (row, c) => text(value(row, c.prop)),
      stage: (row, c, typed) => {
        const old = of(row).props.get(c.prop);
        const got = parse((value(row, c.prop) || old)?.t || (c.types.length === 1 ? c.types[0] : 'String'), typed);
        if (got.wrong) return got.wrong;
        staged.change(of(row), c.prop, got.value);
        say(T.entity.changed(c.name, typed));
        return null;
      },
      refused: wrong => toast(wrong, 'bad'),
    } : null,
  });

  function refresh() {
    if (!pages) return;
    const page = pages.last;
    if (page && page !== refresh.page) {
      refresh.page = page;
      let fresh = false;
      for (const c of page.columns) {
        const types = seen.get(c.name) || new Set();
        const before = types.size;
        for (const t of c.types) types.add(t);
        if (!seen.has(c.name) || types.size !== before) fresh = true;
        seen.set(c.name, types);
      }
      if (fresh) grid.setColumns(columns());
    }
    gridState(cover, pages, () => emptyState(pages));
    if (view === 'json') drawJson();
    grid.refresh();
    changed(pages);
  }

  /** Reads anew: {filter, select, top, contains}. */
  function read(request) {
    pages?.close();
    refresh.page = null;
    const body = { filter: request.filter || '', ...(request.select ? { select: request.select } : {}), ...(request.contains ? { contains: request.contains } : {}) };
    pages = new Pages((after, limit, signal) => post(base + '/query', { ...body, limit, after }, signal), { changed: refresh, max: request.top || Infinity });
    grid.o.pages = pages;
    grid.at.r = 0;
    grid.scrollTop = 0;
    grid.choose([]);
    cover.hidden = true;
    pages.more();
    grid.refresh();
    return pages;
  }

  function drawJson() {
    const out = [];
    for (const row of pages.loaded()) {
      if (out.length === JSON_ROWS) break;
      out.push(jsonOf(staged.seen(of(row))));
    }
    fill(json, jsonText('[\n' + out.join(',\n') + '\n]'), out.length === JSON_ROWS && h('p.muted', T.query.found(JSON_ROWS, false)));
  }

  function drawStaged() {
    const n = staged.size;
    fill(stage, n > 0 && h('div.stage', { role: 'status' }, icon('info'), h('span.grow', h('b', T.staged.bar(n, staged.entries.size)[0]), T.staged.bar(n, staged.entries.size)[1] + '. ', staged.how()),
      h('button.btn.small', { type: 'button', onclick: () => staged.undo() }, T.staged.undo), h('button.btn.small', { type: 'button', onclick: () => staged.discard() }, T.staged.discard), h('button.btn.small.primary', { type: 'button', onclick: commit }, T.staged.commit, h('span.kbd.hide-s', T.staged.commitKey))));
    if (!n) fill(stage);
    grid.refresh();
    if (open && side.open && !side.body.firstElementChild?.lzUpdate?.()) side.redraw();
    if (view === 'json') drawJson();
    const guard = async target => {
      if (!staged.size || inPlace(target)) return true;
      return (await dialog(T.staged.leaveTitle, h('p', T.staged.leaveText(staged.size)), [{ text: T.staged.stay }, { text: T.staged.leave, kind: 'danger', value: 'leave' }])) === 'leave';
    };
    guard.dirty = () => staged.size > 0;
    setGuard(n ? guard : null);
  }

  async function commit() {
    if (!staged.size || commit.busy) return;
    commit.busy = true;
    try {
      const stored = await staged.commit();
      if (stored) took(stored);
    } catch (e) {
      toast(sentence(e), 'bad');
    } finally {
      commit.busy = false;
      drawStaged();
    }
  }
  function took(stored) {
    for (const [id, row] of stored) {
      if (row) pages.replace(r => rowId(r) === id, row);
      else pages.remove(r => rowId(r) === id);
      if (row) discover(row);
      if (open && idOf(open) === id) {
        if (row) openEntity(entity(row), false);
        else side.close();
      }
    }
    toast(T.staged.sent([...stored.values()].filter(Boolean).length));
  }
  /** A property that was added here gets its column at once. */
  function discover(row) {
    let fresh = false;
    for (const [name, v] of entity(row).props) {
      if (!seen.has(name)) fresh = true;
      seen.set(name, (seen.get(name) || new Set()).add(v.t));
    }
    if (fresh) grid.setColumns(columns());
  }

  async function openEntity(e, tell = true) {
    open = e;
    if (tell) opened(e);
    drawPanel();
    if ([...e.props.values()].some(v => v.cut !== undefined)) {
      try {
        const whole = entity(await get(base + '/entities', keyQuery(e)));
        if (open === e) {
          open = whole;
          drawPanel();
        }
      } catch (x) {
        if (open === e) fill(side.body, note('bad', 'warn', sentence(x)));
      }
    }
  }
  async function openKey(pk, rk) {
    if (open && open.pk === pk && open.rk === rk) return;
    const id = pk + '\u0000' + rk;
    const loaded = pages?.find(r => rowId(r) === id);
    grid.setOpen(id);
    if (loaded) return openEntity(of(loaded.row), false);
    try {
      await openEntity(entity(await get(base + '/entities', { pk, rk })), false);
    } catch (x) {
      open = null;
      side.show({ title: pk + ' / ' + rk, views: [['fields', T.entity.fields]], draw: () => empty('info', T.error.gone, x.status === 404 ? T.entity.gone : sentence(x)) });
    }
  }
  function drawPanel() {
    const e = open;
    const act = (sign, name, right0, run, cls = '') => may(right0) && h('button.btn.small', { type: 'button', cls, onclick: run }, sign && icon(sign), name);
    side.show({
      title: e.pk + ' / ' + e.rk,
      views: [['fields', T.entity.fields], ['json', T.entity.json], ['address', T.entity.address]],
      draw: id => (id === 'json' ? jsonText(jsonOf(staged.seen(e))) : id === 'address' ? addresses(a, table, e) : fields(e, edits ? staged : null)),
      acts: [h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.entity.copy, title: T.entity.copy, onclick: () => copy(jsonOf(e)) }, icon('copy'))],
      foot: [act('copy', T.entity.clone, 'insert-entity', () => add(staged.seen(e), T.entity.cloneTitle)), act(null, T.entity.replace, 'replace-entity', () => replaceEntity(a, table, e).then(row => row && row.k && took(new Map([[idOf(e), row]])))), h('span.grow'), act('trash', T.entity.remove, 'delete-entity', () => removeRows([{ k: [e.pk, e.rk], e: e.etag }]), 'danger')],
    });
  }

  async function add(like = null, title = T.entity.addTitle) {
    const row = await addEntity(a, table, like, title);
    if (!row || !row.k) return;
    discover(row);
    again();
    openEntity(entity(row));
  }

  /** Deletes rows that were read, each only if it is unchanged: one transaction per partition of at most 100. */
  function removeRows(rows) {
    return dialog(T.entity.deleteTitle(rows.length), h('p', rows.length === 1 ? T.entity.deleteOne(...rows[0].k.map(visible)) : T.entity.deleteMany), [{ text: T.keep }, {
      text: T.entity.deleteDo(rows.length), kind: 'danger', run: async () => {
        const parts = new Map();
        for (const r of rows) parts.set(r.k[0], [...(parts.get(r.k[0]) || []), r]);
        let n = 0;
        for (const list of parts.values()) {
          for (let i = 0; i < list.length; i += 100) {
            const some = list.slice(i, i + 100);
            if (some.length === 1) await call('DELETE', base + '/entities', { query: { pk: some[0].k[0], rk: some[0].k[1] }, headers: { 'If-Match': some[0].e } });
            else await call('POST', base + '/transaction', { body: { changes: some.map(r => ({ op: 'delete', k: r.k, e: r.e })) } });
            for (const r of some) {
              const id = rowId(r);
              pages.remove(x => rowId(x) === id);
              staged.discard(id);
              if (open && idOf(open) === id) side.close();
            }
            n += some.length;
          }
        }
        grid.choose([]);
        toast(T.entity.deleted(n));
      },
    }]);
  }

  function drawChosen(chosen) {
    const n = chosen.size;
    const rows = () => [...pages.loaded()].filter(r => chosen.has(rowId(r)));
    fill(chosenBar, n > 0 && h('div.stage.calm', { role: 'status' }, h('span.grow', h('b', T.tables.chosen(n))), h('button.btn.small', { type: 'button', onclick: () => grid.choose([]) }, T.tables.unchoose), h('button.btn.small', { type: 'button', onclick: () => copy('[' + rows().map(r => jsonOf(of(r))).join(',\n') + ']') }, icon('copy'), T.tables.copyChosen), may('delete-entity') && h('button.btn.small.danger', { type: 'button', onclick: () => removeRows(rows()) }, icon('trash'), T.tables.deleteChosen(n))));
  }

  function again() {
    if (self.request) self.read(self.request);
  }

  const self = {
    el: split,
    content,
    parts: [over, chosenBar, stage],
    grid,
    side,
    staged,
    add,
    again,
    commit,
    openKey,
    get pages() {
      return pages;
    },
    get properties() {
      return seen.size;
    },
    get names() {
      return [...seen.keys()];
    },
    request: null,
    read(request) {
      self.request = request;
      return read(request);
    },
    closePanel() {
      if (!open && !side.open) return;
      open = null;
      grid.setOpen(null);
      side.hide();
    },
    chooseColumns: () => chooseColumns(['Timestamp', ...seen.keys()], hidden, () => {
      remembered.set(memory + '.hidden', [...hidden]);
      grid.setColumns(columns());
    }),
    setView(v) {
      view = v;
      if (v === 'json') {
        grid.remove();
        over.prepend(json);
        if (pages) drawJson();
      } else {
        json.remove();
        over.prepend(grid);
        grid.refresh();
      }
    },
    /** The loaded entities, as JSON lines. */
    exportLoaded: () => save(table + '.jsonl', new Blob([[...pages.loaded()].map(r => JSON.stringify(JSON.parse(jsonOf(of(r))))).join('\n') + '\n'], { type: 'application/jsonl' })),
    removeLoaded: () => removeRows([...pages.loaded()]),
    /** Ctrl S commits, Ctrl Z takes back, Escape closes the panel. */
    keys(e) {
      const ctrl = e.ctrlKey || e.metaKey;
      if (document.querySelector('.scrim')) return;
      if (ctrl && e.key.toLowerCase() === 's') {
        e.preventDefault();
        // Text in a field of the panel is staged when the field loses the focus.
        const field = document.activeElement;
        if (side.side.contains(field)) {
          field.blur();
          field.focus();
        }
        commit();
      } else if (ctrl && e.key.toLowerCase() === 'z' && !/^(?:INPUT|TEXTAREA)$/.test(e.target.tagName)) {
        e.preventDefault();
        staged.undo();
      } else if (e.key === 'Escape' && side.open && !e.defaultPrevented) side.close();
    },
    close: () => {
      document.removeEventListener('keydown', onKey);
      pages?.close();
    },
    address: (e, params) => (e ? to(a, 'tables', table, e.pk, e.rk, params) : to(a, 'tables', table, params)),
  };
  // On the document: the keys must work also when nothing has the focus.
  const onKey = e => self.keys(e);
  document.addEventListener('keydown', onKey);
  return self;
}
