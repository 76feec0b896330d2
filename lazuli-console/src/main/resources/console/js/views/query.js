// Query: an editor that says what a filter costs while it is typed, and the result.
import { h, fill, fmt, debounce } from '../core.js';
import { get, post, path } from '../api.js';
import { icon, dialog, empty, seg, save, toast, copy, sentence } from '../ui.js';
import { T } from '../texts.js';
import { to, noteParams } from '../router.js';
import { at, used, palette, may } from '../shell.js';
import { entityGrid } from '../entities.js';
import { quote } from '../filter.js';
import '../explain.js';
import * as history from '../history.js';

/** Nothing that reads more than this starts without saying so. */
const DEAR = 100_000;
const SAVED_SHOWN = 6;

export const key = r => 'query ' + r.parts.slice(0, 3).join(' ');

export function view(route) {
  const [a, , table] = route.parts;
  if (!table) return choose(a);
  return query(route, a, table);
}

function choose(a) {
  at('query', [[a, to(a)], [T.nav.query]]);
  queueMicrotask(() => palette('', 'tables'));
  return { el: h('div.view', h('div.vhead', h('h1', T.nav.query)), empty('query', T.query.choose, T.query.notRunText, h('button.btn.primary', { type: 'button', onclick: () => palette('', 'tables') }, T.query.choose))) };
}

/** The first text after all that begin with a text. */
export function nextAfter(text) {
  const points = [...text].map(c => c.codePointAt(0));
  while (points.length) {
    const last = points.pop();
    if (last === 0xffff || last === 0x10ffff) continue;
    points.push(last + 1 === 0xd800 ? 0xe000 : last + 1);
    return String.fromCodePoint(...points);
  }
  return null;
}

function query(route, a, table) {
  const base = path('accounts', a, 'tables', table);
  let columns = [];
  let plan = null;
  let contains = null;
  let view = 'grid';
  let ran = false;
  const explain = document.createElement('lz-explain');
  const aside = h('aside.side.below', { 'aria-label': T.explain.title }, h('header', h('h2', T.explain.title), h('span.grow'), h('button.btn.small.quiet', { type: 'button', onclick: () => copy(http(), T.explain.asHttp) }, T.explain.asHttp)), h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': T.explain.title }, explain));
  const http = () => `GET /${a}/${table}()?$filter=${encodeURIComponent(editor.wanted)}\nx-lazuli-explain: only`;

  let asking = new AbortController();
  const ask = debounce(120, async text => {
    asking.abort();
    asking = new AbortController();
    try {
      plan = await post(base + '/explain', { filter: text }, asking.signal);
      explain.show(plan, false);
      editor.mark(plan.error);
    } catch (e) {
      if (e.name !== 'AbortError') explain.show({ error: { text: sentence(e) } });
    }
  });
  const editor = document.createElement('lz-filter').setup({
    value: route.params.get('filter') || '', label: T.query.editor, columns: () => columns, onInput: text => ask(text.replace(/\s*\n\s*/g, ' ').trim()), onRun: () => run(),
    keys: async (prefix, pk) => (await get(base + '/keys', { prefix, pk, limit: 20 })).keys,
  });
  const select = h('input.field.mono.w180', { value: route.params.get('select') || '', placeholder: T.query.selectHint, 'aria-label': T.query.select, spellcheck: 'false', onchange: () => noteParams({ select: select.value.trim() }) });
  const top = h('input.field.num.w74', { value: route.params.get('top') || '', inputmode: 'numeric', placeholder: T.query.topHint, 'aria-label': T.query.top, onchange: () => noteParams({ top: top.value.trim() }) });
  const summary = h('span.row.grow.cut');
  const result = h('div.result.content');
  const entities = entityGrid({
    a, table,
    inPlace: r => r.parts[0] === a && r.parts[1] === 'query' && r.parts[2] === table,
    opened: e => (e ? aside.remove() : entities.el.append(aside)),
    emptyState: pages => empty('filter', T.tables.noMatch, T.tables.noMatchText(pages.scanned)),
    changed: pages => {
      if (!pages) return;
      const busy = pages.busy && !pages.known;
      fill(summary, h('b', T.query.found(pages.known, pages.end)), h('span.muted', T.query.read(pages.scanned) + (pages.last?.servedIn === undefined ? '' : ' · ' + fmt.ms(pages.last.servedIn))));
      runButton.hidden = busy;
      stopButton.hidden = !busy;
      if (pages.error?.body?.error) {
        editor.mark(pages.error.body.error);
        explain.show({ error: pages.error.body.error });
      } else if (pages.last?.explain && ran) {
        const x = pages.last.explain;
        explain.show({ ...x, complete: true, read: { ...x.read, n: pages.scanned }, returned: { ...x.returned, n: pages.known } }, true);
      }
    },
  });

  const filterText = () => editor.wanted;
  async function run() {
    ask.cancel();
    asking.abort();
    const filter = filterText();
    if (plan && plan.read?.n > DEAR && plan.complete && (await dialog(T.query.costsTitle, h('p', T.query.costs(plan.read.n), ' ', plan.readText || ''), [{ text: T.cancel }, { text: T.query.runAnyway, kind: 'primary', value: true }])) !== true) return;
    noteParams({ filter: editor.value.trim(), select: select.value.trim(), top: top.value.trim() });
    ran = true;
    showResult();
    const names = select.value.split(',').map(x => x.trim()).filter(Boolean);
    entities.read({ filter, select: names.length ? names : null, top: Number(top.value) > 0 ? Number(top.value) : null, contains });
    if (filter) {
      await history.add({ account: a, table, filter, name: null });
      drawSaved();
    }
  }
  const runButton = h('button.btn.primary', { type: 'button', onclick: run }, icon('play'), T.query.run, h('span.kbd.hide-s', T.query.runKey));
  const stopButton = h('button.btn', { type: 'button', hidden: true, onclick: () => entities.pages.stop() }, T.query.stop);

  const saved = h('div.row.wrap.tight');
  async function drawSaved() {
    const all = (await history.entries(a, table)).filter(x => x.name);
    fill(saved, all.length > 0 && h('span.muted', T.query.saved), all.slice(0, SAVED_SHOWN).map(x => h('button.btn.small', { type: 'button', title: x.filter, onclick: () => use(x.filter) }, x.name)));
  }
  function use(filter) {
    editor.value = filter;
    run();
  }
  function saveQuery() {
    const name = h('input.field', { autofocus: true });
    return dialog(T.query.saveTitle, h('div.stack3', h('label.lab', T.nameLabel, name), h('pre.code.wrap', filterText())), [{ text: T.cancel }, {
      text: T.query.save, kind: 'primary', when: () => name.value.trim() !== '', run: async () => {
        await history.add({ account: a, table, filter: filterText(), name: name.value.trim() });
        toast(T.query.savedAs(name.value.trim()));
        drawSaved();
      },
    }]);
  }
  async function showHistory() {
    let all = await history.entries(a, table);
    const list = h('div.checks');
    const search = h('input.field', { 'aria-label': T.query.search, placeholder: T.query.search, autofocus: true, oninput: () => draw() });
    const draw = () => {
      const q = search.value.toLowerCase();
      const rows = all.filter(x => (x.name || '').toLowerCase().includes(q) || x.filter.toLowerCase().includes(q));
      fill(list, rows.map(x => h('div.row.histrow', h('div.grow.stack0', x.name && h('b', x.name), h('code.rest', x.filter), h('span.muted', fmt.time(x.at))), h('button.btn.small', { type: 'button', onclick: () => {
        editor.value = x.filter;
        document.querySelector('.scrim footer .btn').click();
        editor.area.focus();
      } }, T.query.use), h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.query.drop, title: T.query.drop, onclick: async () => {
        await history.remove(x.id);
        all = all.filter(y => y !== x);
        draw();
        drawSaved();
      } }, icon('trash')))), !rows.length && h('p.muted', T.query.historyNone));
    };
    draw();
    const take = async e => {
      try {
        const got = JSON.parse(await e.target.files[0].text());
        for (const x of got.queries) await history.add({ account: a, table, filter: String(x.filter), name: x.name ? String(x.name) : null });
        all = await history.entries(a, table);
        draw();
        drawSaved();
      } catch {
        toast(T.query.importBad, 'bad');
      }
    };
    dialog(T.query.historyTitle, h('div.stack3', search, list, h('div.row', h('button.btn.small', { type: 'button', onclick: () => save('queries.json', new Blob([JSON.stringify({ queries: all.map(x => ({ name: x.name, filter: x.filter })) }, null, 2)], { type: 'application/json' })) }, icon('download'), T.query.exported), h('label.btn.small', icon('upload'), T.query.imported, h('input.sr', { type: 'file', accept: '.json', onchange: take })))), [{ text: T.close }], { wide: true });
  }
  function prefixForm() {
    const which = h('select.field', { value: 'RowKey', 'aria-label': T.query.prefixOf }, ['RowKey', 'PartitionKey'].map(x => h('option', { value: x }, x)));
    const pk = h('input.field.mono', { spellcheck: 'false' });
    const begins = h('input.field.mono', { autofocus: true, spellcheck: 'false' });
    const becomes = h('pre.code.wrap');
    const text = () => {
      const upper = nextAfter(begins.value);
      const range = `${which.value} ge ${quote(begins.value)}` + (upper ? ` and ${which.value} lt ${quote(upper)}` : '');
      return which.value === 'RowKey' ? `PartitionKey eq ${quote(pk.value)} and ${range}` : range;
    };
    const draw = () => {
      pk.disabled = which.value !== 'RowKey';
      fill(becomes, text());
    };
    const form = h('div.stack3', { oninput: draw, onchange: draw }, h('div.formgrid', h('label.lab', T.query.prefixOf, which), h('label.lab', T.query.partition, pk)), h('label.lab', T.query.begins, begins), h('div.stack', h('b', T.query.becomes), becomes), h('p.muted', T.query.prefixHow));
    draw();
    dialog(T.query.prefixTitle, form, [{ text: T.cancel }, { text: T.query.insert, kind: 'primary', run: async () => {
      editor.value = text();
    } }]).then(() => editor.area.focus());
  }
  function containsForm() {
    const text = h('input.field', { value: contains || '', autofocus: true });
    dialog(T.query.containsTitle, h('div.stack3', h('label.lab', T.query.containsText, text), h('p.soft', T.query.containsHow), plan?.readText && h('p.soft', plan.readText)), [{ text: T.cancel }, { text: T.query.containsRun, kind: 'primary', value: 'run' }]).then(done => {
      if (done !== 'run') return;
      contains = text.value || null;
      drawContains();
      run();
    });
  }
  const containsChip = h('span');
  function drawContains() {
    fill(containsChip, contains && h('span.chip.info', T.query.containsOn(contains), h('button.chipx', { type: 'button', 'aria-label': T.query.containsOff, onclick: () => {
      contains = null;
      drawContains();
    } }, icon('close'))));
  }
  /** A job needs a filter. A search in the loaded entities, or a limit, works on the loaded entities only. */
  const byFilter = () => may('start-job') && !contains && !(Number(top.value) > 0);
  async function removeFound() {
    if (!entities.pages?.known) return;
    if (byFilter() && !entities.pages.end) await (await import('../jobs.js')).deleteMatching(a, table, entities.request.filter);
    else await entities.removeLoaded();
  }
  async function exportFound() {
    if (byFilter()) await (await import('../jobs.js')).exportMatching(a, table, entities.request.filter);
    else entities.exportLoaded();
  }
  function showResult() {
    if (result.firstElementChild?.classList.contains('bar')) return;
    fill(result, h('div.bar', summary, h('button.btn.small.quiet', { type: 'button', onclick: () => entities.chooseColumns() }, icon('columns'), T.query.columns), may('delete-entity') && h('button.btn.small.quiet.hide-s', { type: 'button', onclick: removeFound }, T.query.delete), h('button.btn.small.quiet.hide-s', { type: 'button', onclick: exportFound }, icon('download'), may('start-job') ? T.query.exportThis : T.query.export), seg([['grid', T.tables.grid], ['json', T.tables.json]], view, v => {
      view = v;
      entities.setView(v);
    }, T.query.as)), entities.parts);
  }
  const top0 = h('div.pad.stack', saved, editor, h('div.row.wrap.gap3', h('label.row', h('span.muted', T.query.select), select), h('label.row', h('span.muted', T.query.top), top), h('button.btn.small', { type: 'button', onclick: prefixForm }, T.query.prefix), h('button.btn.small', { type: 'button', onclick: containsForm }, T.query.contains), containsChip, h('span.muted.hide-s', T.query.hint)));
  fill(result, empty('query', T.query.notRun, T.query.notRunText));
  fill(entities.content, top0, result);
  entities.el.classList.add('query');
  entities.el.append(aside);
  const el = h('div.view.full', h('div.vhead', h('h1', T.query.title(table)), h('div.acts', h('button.btn.quiet', { type: 'button', onclick: showHistory }, T.query.history), h('button.btn', { type: 'button', onclick: saveQuery }, T.query.save), runButton, stopButton)), entities.el);
  at('query', [[a, to(a)], [T.nav.query, to(a, 'query')], [table]], table);
  used('tables', table);
  drawSaved();
  get(base + '/columns').then(c => (columns = c.columns), () => {});
  ask(editor.wanted);
  if (route.params.has('filter')) run();
  queueMicrotask(() => matchMedia('(min-width: 860px)').matches && editor.area.focus());
  return {
    el,
    close: () => {
      ask.cancel();
      asking.abort();
      entities.close();
    },
    update: r => {
      const f = r.params.get('filter') || '';
      if (f !== editor.value.trim()) use(f);
    },
  };
}
