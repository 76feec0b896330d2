// Tables: the list, and the entities of one table in key order.
import { h, fill, fmt, debounce } from '../core.js';
import { call, post, get, path } from '../api.js';
import { icon, toast, empty, seg } from '../ui.js';
import { T } from '../texts.js';
import { go, to, note, noteParams } from '../router.js';
import { at, may, used, changedLists } from '../shell.js';
import { resourceList, deleteByName } from './lists.js';
import { entityGrid } from '../entities.js';
import { chip } from '../explain.js';

export const key = r => (r.parts.length > 2 ? 'table ' + r.parts[0] + ' ' + r.parts[2] : 'tables ' + r.parts[0]);

export function view(route) {
  if (route.parts.length > 2) return explorer(route);
  return resourceList(route, {
    kind: 'tables', section: 'tables', texts: T.tables, sign: 'table', right: 'create-table',
    columns: [{ id: 'n', name: T.tables.head[1], width: 160, right: true, cell: r => h('span.val', T.estimate(r.entities)), text: r => String(r.entities?.n ?? '') }],
  });
}

function explorer(route) {
  const [a, , table] = route.parts;
  let filter = route.params.get('filter') || '';
  const status = h('span.grow.cut');
  const sub = h('span.sub');
  const params = () => ({ filter, view: shown === 'json' ? 'json' : null });
  let shown = route.params.get('view') === 'json' ? 'json' : 'grid';
  const entities = entityGrid({
    a, table,
    inPlace: r => r.parts[0] === a && r.parts[1] === 'tables' && r.parts[2] === table,
    changed: (pages, first, last) => {
      if (first !== undefined) entities.range = [first, last];
      const [f, l] = entities.range || [0, 0];
      if (!pages || !pages.known) return fill(status);
      return fill(status, T.tables.status(f + 1, Math.max(f, l) + 1, T.tables.known(pages.known, pages.end), entities.properties), pages.last?.servedIn !== undefined && h('span.hide-s', ' · ' + T.tables.served(pages.last.servedIn)));
    },
    opened: e => {
      // Opening adds a step, so that Back closes the panel; going from row to row does not.
      const address = entities.address(e, params());
      const was = location.pathname !== to(a, 'tables', table);
      if (e && !was) go(address);
      else note(address);
      trail(e);
    },
    emptyState: pages => (filter ? empty('filter', T.tables.noMatch, T.tables.noMatchText(pages.scanned), h('button.btn', { type: 'button', onclick: () => apply('') }, T.tables.clear)) : empty('table', T.tables.empty, T.tables.emptyText, may('insert-entity') && h('button.btn.primary', { type: 'button', onclick: () => entities.add() }, icon('plus'), T.tables.entity))),
  });
  const trail = e => at('tables', [[a, to(a)], [T.nav.tables, to(a, 'tables')], [table, to(a, 'tables', table)], ...(e ? [[e.pk + ' / ' + e.rk]] : [])], table);

  const plan = h('span');
  let asking = new AbortController();
  const explain = debounce(120, async () => {
    asking.abort();
    asking = new AbortController();
    const text = input.value.trim();
    if (!text) return fill(plan, h('span.chip', T.tables.browsing));
    try {
      fill(plan, chip(await post(path('accounts', a, 'tables', table, 'explain'), { filter: text }, asking.signal)));
    } catch (e) {
      if (e.name !== 'AbortError') fill(plan);
    }
    return undefined;
  });
  const input = h('input.field.mono', { 'data-filter': '', value: filter, placeholder: T.tables.filterHint, 'aria-label': T.tables.filter, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', oninput: explain });
  const apply = text => {
    filter = text.trim();
    input.value = filter;
    noteParams({ filter });
    explain();
    entities.read({ filter });
  };
  const remove = () => deleteByName(T.tables.deleteTitle(table), T.tables.deleteText, T.tables.typeName, table, T.tables.deleteAll, async () => {
    await call('DELETE', path('accounts', a, 'tables', table));
    toast(T.tables.deleted(table));
    entities.staged.discard();
    changedLists();
    go(to(a, 'tables'));
  });
  entities.content.append(h('div.bar.foot', status, seg([['grid', T.tables.grid], ['json', T.tables.json]], shown, v => {
    shown = v;
    entities.setView(v);
    noteParams({ view: v === 'json' ? 'json' : null });
  }, T.tables.view)));
  const el = h('div.view.full',
    h('div.vhead', h('h1', table), sub, h('div.acts', may('start-job') && h('button.btn.quiet', { type: 'button', onclick: () => import('../jobs.js').then(m => m.bulk(a, table, filter, entities.names)) }, icon('job'), T.tables.bulk), may('delete-table') && h('button.btn.quiet.hide-s', { type: 'button', onclick: remove }, T.remove + '…'), h('button.btn.quiet', { type: 'button', onclick: () => entities.chooseColumns() }, icon('columns'), T.tables.columns), h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.tables.reload, title: T.tables.reload, onclick: () => entities.again() }, icon('redo')),
      h('a.btn', { href: to(a, 'query', table, { filter }), ref: x => x.addEventListener('click', () => x.setAttribute('href', to(a, 'query', table, { filter })), true) }, icon('query'), T.tables.query), may('insert-entity') && h('button.btn.primary', { type: 'button', onclick: () => entities.add() }, icon('plus'), T.tables.entity))),
    h('form.bar', { onsubmit: e => (e.preventDefault(), apply(input.value)) }, icon('filter', 'muted'), h('div.grow.min180', input), plan, h('button.btn', { type: 'submit' }, T.tables.apply)),
    entities.el);
  used('tables', table);
  explain();
  entities.setView(shown);
  entities.read({ filter });
  get(path('accounts', a, 'tables'), { prefix: table, limit: 1 }).then(r => {
    const row = r.rows.find(x => x.name === table);
    if (row && row.entities && row.entities.n !== null) fill(sub, T.estimate(row.entities) + ' ' + (row.entities.n === 1 ? T.entities(1).slice(2) : T.entities(2).slice(2)));
  }, () => {});
  const place = r => {
    if (r.parts.length > 4) {
      entities.openKey(r.parts[3], r.parts[4]);
      trail({ pk: r.parts[3], rk: r.parts[4] });
    } else {
      entities.closePanel();
      trail(null);
    }
  };
  place(route);
  return {
    el,
    close: () => {
      explain.cancel();
      asking.abort();
      entities.close();
    },
    update: r => {
      const f = r.params.get('filter') || '';
      if (f !== filter) apply(f);
      place(r);
    },
  };
}
