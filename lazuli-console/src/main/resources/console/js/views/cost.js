// Cost: operations and stored bytes over time, an estimate at prices of the person, and another period next to it.
import { h, fill, fmt, visible, remembered } from '../core.js';
import { get, path } from '../api.js';
import { icon, seg, note, empty, load as into, dialog, save } from '../ui.js';
import { T } from '../texts.js';
import { to, noteParams } from '../router.js';
import { at } from '../shell.js';
import { bars, SERIES_MAX } from '../bars.js';
import { C } from './cost-texts.js';

const HOUR = 3600e3, DAY = 24 * HOUR, MONTH = 30 * DAY, GIB = 2 ** 30;
const SPANS = { '24h': 24 * HOUR, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY };
const DAYS_MAX = 400;
/** Class of a price for each kind of operation. */
const CLASS = { read: 'read', query: 'list', scan: 'list', insert: 'write', write: 'write', batch: 'write', delete: 'delete', take: 'write' };
const CLASSES = ['read', 'list', 'write', 'delete'];
const SERVICES = ['table', 'queue', 'blob'];
/** Examples, not looked up: East US, locally redundant, hot, January 2024. */
const EXAMPLES = {
  currency: 'USD',
  table: { gib: 0.045, read: 0.00036, list: 0.00036, write: 0.00036, delete: 0.00036 },
  queue: { gib: 0.045, read: 0.004, list: 0.004, write: 0.004, delete: 0.004 },
  blob: { gib: 0.0208, read: 0.004, list: 0.05, write: 0.05, delete: 0 },
};

export const key = route => 'cost ' + route.parts[0];

const own = (map, name, otherwise) => (name && Object.hasOwn(map, name) ? name : otherwise);
const day = text => (/^\d{4}-\d\d-\d\d$/.test(text || '') && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : null);
const dayText = ms => fmt.time(ms).slice(0, 10);
const sumOf = numbers => numbers.reduce((t, x) => t + (x || 0), 0);

/** Checks the stored prices, because the browser's memory can hold anything. */
function storedPrices() {
  const got = remembered.get('prices', null);
  const fine = got && typeof got.currency === 'string' && SERVICES.every(s => got[s] && ['gib', ...CLASSES].every(c => Number.isFinite(got[s][c]) && got[s][c] >= 0));
  return fine ? got : { ...structuredClone(EXAMPLES), at: null };
}

export function view(route) {
  const a = route.parts[0];
  let state, answer = null, other = null, timer = 0, looks = 0, plot = null, prices = storedPrices();
  const sub = h('span.sub'), acts = h('div.acts.row.wrap'), body = h('div.stack3'), shown = h('div.stack3'), bar = h('div.row.wrap'), priceCard = h('section.card');

  function read0(params) {
    const from = day(params.get('from')), end = day(params.get('to'));
    const chosen = from !== null && end !== null && end >= from && (end - from) / DAY < DAYS_MAX;
    state = {
      span: own(SPANS, params.get('span'), '30d'), from: chosen ? from : null, to: chosen ? end + DAY : null, by: own(C.bys, params.get('by'), 'space'),
      compare: params.get('compare') === 'previous' ? 'previous' : day(params.get('compare')) === null ? '' : params.get('compare'),
    };
  }
  const keep = () => noteParams({ span: state.from !== null || state.span === '30d' ? '' : state.span, from: state.from === null ? '' : dayText(state.from), to: state.from === null ? '' : dayText(state.to - DAY), by: state.by === 'space' ? '' : state.by, compare: state.compare });
  /** Whole periods in UTC that include now. */
  function windowOf() {
    const short = state.from === null ? state.span === '24h' : state.to - state.from <= 2 * DAY && Date.now() - state.from < 13 * DAY;
    const step = short ? HOUR : DAY;
    if (state.from !== null) return { from: state.from, to: state.to, step };
    const end = Math.floor(Date.now() / step) * step + step;
    return { from: end - SPANS[state.span], to: end, step };
  }
  function otherWindow(w) {
    if (!state.compare) return null;
    const length = w.to - w.from, from = state.compare === 'previous' ? w.from - length : day(state.compare);
    return { from, to: from + length, step: w.step };
  }
  const ask = (w, signal) => get(path('accounts', a, 'cost'), { from: new Date(w.from).toISOString(), to: new Date(w.to).toISOString(), step: w.step === HOUR ? 'hour' : 'day' }, signal);

  async function read(quiet) {
    clearTimeout(timer);
    const w = windowOf(), o = otherWindow(w);
    const both = signal => Promise.all([ask(w, signal), o ? ask(o, signal) : null]);
    const take = ([now, then]) => {
      answer = now;
      other = then;
      draw();
      // Soon after the first look the sizes are there. Later, the counts of the last minute.
      timer = setTimeout(() => read(true), now.measured.running && looks++ < 20 ? 500 : 60000);
    };
    if (!quiet) return into(body, C.what, both, take);
    try {
      take(await both());
    } catch {
      timer = setTimeout(() => read(true), 60000);
    }
    return undefined;
  }

  /** Adds up an answer: operations and costs by group. */
  function figures(got) {
    const groups = new Map(), span = got.counted.since ? Math.max(60e3, Date.parse(got.counted.until) - Date.parse(got.counted.since)) : 0, whole = Math.max(span, 1);
    const group = (row, kind) => {
      const id = state.by === 'kind' ? kind : state.by === 'service' ? row.service : row.service + '/' + row.space;
      if (!groups.has(id)) groups.set(id, { id, service: row.service, name: state.by === 'kind' ? C.kinds[kind] || kind : state.by === 'service' ? C.services[row.service] : row.space || C.rest, operations: 0, scans: 0, bytes: null, opsCost: 0, storage: 0, series: new Array(got.columns).fill(0), history: null });
      return groups.get(id);
    };
    for (const row of got.rows) {
      if (!Object.hasOwn(CLASS, row.kind) || !SERVICES.includes(row.service)) continue;
      const g = group(row, row.kind), n = sumOf(row.operations);
      g.operations += n;
      if (row.kind === 'scan') g.scans += n;
      g.opsCost += (n / 10000) * prices[row.service][CLASS[row.kind]];
      row.operations.forEach((x, i) => (g.series[i] += x));
    }
    let bytes = 0, storage = 0;
    for (const row of got.stored) {
      bytes += row.bytes;
      const month = (row.bytes / GIB) * prices[row.service].gib;
      storage += month;
      if (state.by === 'kind') continue;
      const g = group(row, '');
      g.bytes = (g.bytes || 0) + row.bytes;
      g.storage += month;
      if (row.history.length) {
        g.history ||= new Array(got.columns).fill(null);
        row.history.forEach((x, i) => x !== null && (g.history[i] = (g.history[i] || 0) + x));
      }
    }
    const all = [...groups.values()].sort((x, y) => y.operations - x.operations || (y.bytes || 0) - (x.bytes || 0) || (x.id < y.id ? -1 : 1));
    for (const g of all) g.month = g.storage + (g.opsCost * MONTH) / whole;
    const operations = sumOf(all.map(g => g.operations)), opsCost = sumOf(all.map(g => g.opsCost));
    return { all, operations, bytes, storage, opsCost, span, window: opsCost + (storage * (got.counted.since ? span : 0)) / MONTH, month: storage + (opsCost * MONTH) / whole };
  }

  const money = x => C.money(x, prices.currency);
  const percent = x => (x >= 10 ? fmt.n(100 * x) : Number((100 * x).toFixed(1))) + ' %';
  function change(now, then) {
    if (!then) return now ? C.fromNothing : '–';
    const d = (now - then) / then;
    return (d > 0 ? '+' : d < 0 ? '−' : '±') + percent(Math.abs(d));
  }
  const times = got => Array.from({ length: got.columns }, (_, i) => {
    const t = fmt.time(Date.parse(got.from) + i * got.columnSeconds * 1000);
    return got.columnSeconds === 3600 ? t.slice(5, 16) : t.slice(0, 10);
  });
  /** The largest, and the rest as one. */
  function top(all, of, rest) {
    const some = all.filter(g => of(g) && of(g).some(x => x));
    if (some.length <= SERIES_MAX) return some.map(g => [g.name, of(g)]);
    const tail = some.slice(SERIES_MAX - 1).map(of);
    return [...some.slice(0, SERIES_MAX - 1).map(g => [g.name, of(g)]), [rest, tail[0].map((_, i) => (tail.every(x => x[i] === null) ? null : sumOf(tail.map(x => x[i]))))]];
  }

  function draw() {
    if (!answer) return;
    const f = figures(answer), o = other && figures(other), t = times(answer), step = answer.columnSeconds === 3600 ? 'hour' : 'day';
    fill(sub, C.sub);
    const lines = top(f.all, g => g.series, C.rest), totals = t.map((_, i) => sumOf(lines.map(l => l[1][i]))), hi = Math.max(...totals, 0), title = C.operationsBy(C.byName[state.by], C.steps[step]);
    plot = bars(title, lines, t, fmt.short, C.chart(title, fmt.n(f.operations), fmt.n(hi), t[totals.indexOf(hi)] ?? ''), C.exact);
    const sizes = step === 'day' && state.by !== 'kind' ? top([...f.all].sort((x, y) => (y.bytes || 0) - (x.bytes || 0)), g => g.history, C.rest) : [];
    const m = answer.measured, size = m.at ? C.measuredAt(fmt.time(m.at).slice(0, 16)) : m.running ? C.measuring : C.notMeasured;
    const tile = (label, v, how) => h('dl.tile', h('dt', label), h('dd.v', v), h('dd.d', { title: how }, how));
    fill(shown, !answer.counted.complete && note('gold', 'warn', C.incomplete),
      h('div.tiles', tile(C.tiles.operations, fmt.n(f.operations), answer.counted.since ? C.counted(fmt.time(answer.counted.since).slice(5, 16), fmt.time(answer.counted.until).slice(5, 16)) : C.countedNone), tile(C.tiles.stored, m.at ? fmt.bytes(f.bytes) : '–', size),
        tile(C.tiles.window, money(f.window), C.windowHow(fmt.span(f.span))), tile(C.tiles.month, money(f.month), C.monthHow(fmt.span(f.span)))),
      o && compared(f, o),
      f.all.length ? [f.operations > 0 ? plot.el : note('', 'info', h('b', C.none + '. '), C.noneText), table(f, o), sizes.length > 0 && bars(C.storedTitle, sizes, t, fmt.bytes, C.storedTitle, C.measured).el] : h('section.card', empty('cost', C.none, C.noneText)),
      h('p.muted', C.note));
    shown.setAttribute('aria-busy', String(m.running));
    if (!body.contains(shown)) fill(body, shown);
  }
  function compared(f, o) {
    const d = o.operations ? (f.operations - o.operations) / o.operations : null, what = C.operations.toLowerCase();
    const said = d === null ? C.fromNothing : d > 0 ? C.more(percent(d), what) : d < 0 ? C.fewer(percent(-d), what) : C.same(what);
    return note('info', 'info', C.compared(fmt.span(Date.parse(other.to) - Date.parse(other.from)), fmt.time(other.from).slice(0, 16), fmt.time(other.to).slice(0, 16)) + ' ', h('b', said), '. ' + C.tiles.window + ': ' + money(f.window) + ', ' + C.before.toLowerCase() + ' ' + money(o.window) + '.');
  }
  function table(f, o) {
    const before = new Map((o ? o.all : []).map(g => [g.id, g])), kinds = state.by === 'kind';
    const cells = ['name', 'operations', o && 'before', o && 'change', !kinds && 'scans', !kinds && 'stored', !kinds && 'storage', 'ops', 'month'].filter(Boolean);
    const heads = { name: C.head[state.by], operations: C.head.operations, before: C.before, change: C.change, scans: C.head.scans, stored: C.head.stored, storage: C.head.storage, ops: C.head.ops, month: C.head.month };
    const basis = { operations: C.exact, before: C.exact, change: C.exact, scans: C.exact, stored: C.measured, storage: C.estimate, ops: C.estimate, month: C.estimate };
    const small = new Set(['scans', 'storage', 'ops', 'before']);
    const link = g => (state.by === 'space' && g.name !== C.rest ? h('a', { href: to(a, { table: 'tables', queue: 'queues', blob: 'blobs' }[g.service], g.name) }, h('b', visible(g.name))) : h('b', visible(g.name)));
    const month = f.span ? MONTH / f.span : 0;
    const cell = (g, then) => ({ name: () => [link(g), ' ', state.by === 'space' && h('span.muted', C.one[g.service])], operations: () => fmt.n(g.operations), before: () => fmt.n(then ? then.operations : 0), change: () => change(g.operations, then ? then.operations : 0), scans: () => (g.operations ? percent(g.scans / g.operations) : '–'), stored: () => (g.bytes === null ? '–' : fmt.bytes(g.bytes)), storage: () => money(g.storage), ops: () => money(g.opsCost * month), month: () => h('b', money(g.month)) });
    const row = (g, then, attrs) => h('tr', attrs, cells.map(c => h(c === 'name' ? 'td' : 'td.num', { cls: small.has(c) ? 'hide-s' : '' }, cell(g, then)[c]())));
    const gone = o ? o.all.filter(g => !f.all.some(x => x.id === g.id)).map(g => ({ ...g, operations: 0, scans: 0, opsCost: 0, storage: 0, bytes: null, month: 0 })) : [];
    const sum = { id: '', name: C.all, operations: f.operations, scans: sumOf(f.all.map(g => g.scans)), bytes: answer.measured.at ? f.bytes : null, opsCost: f.opsCost, storage: f.storage, month: kinds ? sumOf(f.all.map(g => g.month)) : f.month };
    return h('section.card', h('header', h('h2', C.figures), h('span.muted', C.bys[state.by])), h('div.scrollx', { tabindex: 0, role: 'region', 'aria-label': C.figures }, h('table.t.costs', h('thead', h('tr', cells.map(c => h(c === 'name' ? 'th' : 'th.num', { scope: 'col', cls: small.has(c) ? 'hide-s' : '' }, heads[c], basis[c] && h('span.basis', basis[c])))) ), h('tbody', [...f.all, ...gone].map(g => row(g, before.get(g.id), null)), row({ ...sum, service: '', name: C.rest === C.all ? C.rest : C.all }, o, { cls: 'sum' })))));
  }

  function changed() {
    keep();
    drawBar();
    looks = 0;
    read(false);
  }
  function drawBar() {
    const fixed = state.from !== null;
    fill(acts, seg(fixed ? [...Object.entries(C.spans), ['', C.chosen]] : Object.entries(C.spans), fixed ? '' : state.span, v => {
      if (!v) return;
      state.span = v;
      state.from = state.to = null;
      changed();
    }, C.span), h('button.btn', { type: 'button', onclick: chooseDays }, C.days), h('button.btn', { type: 'button', 'aria-label': C.downloadTitle, onclick: download }, icon('download'), h('span.hide-s', C.download)));
    if (bar.contains(document.activeElement)) return;
    const date = h('input.field', { type: 'date', 'aria-label': C.compareDay, value: state.compare && state.compare !== 'previous' ? state.compare : '', onchange: e => day(e.target.value) !== null && ((state.compare = e.target.value), changed()) });
    fill(bar, seg(Object.entries(C.bys), state.by, v => ((state.by = v), keep(), draw()), C.by), h('span.grow'),
      h('label.row', C.compare, h('select.field', { value: state.compare && state.compare !== 'previous' ? 'day' : state.compare, onchange: e => ((state.compare = e.target.value === 'day' ? dayText(windowOf().from - 7 * DAY) : e.target.value), changed(), e.target.blur(), drawBar()) }, Object.entries(C.compares).map(([v, text]) => h('option', { value: v }, text)), h('option', { value: 'day' }, C.compareDay + '…'))), state.compare && state.compare !== 'previous' && date);
  }
  async function chooseDays() {
    const w = windowOf(), from = h('input.field', { type: 'date', value: dayText(w.from), autofocus: true }), last = h('input.field', { type: 'date', value: dayText(w.to - 1) });
    await dialog(C.days, h('div.stack3', h('label.lab', C.from, from), h('label.lab', C.to, last)), [{ text: T.cancel }, { text: C.show, kind: 'primary', run: async () => {
      const x = day(from.value), y = day(last.value);
      if (x === null || y === null || y < x || (y - x) / DAY >= DAYS_MAX) throw Object.assign(new Error(), { text: C.wrongDays });
      [state.from, state.to] = [x, y + DAY];
      changed();
    } }]);
  }

  function drawPrices() {
    const wrong = h('div', { role: 'alert' });
    const set = (service, name) => e => {
      const x = Number(e.target.value.trim().replace(',', '.'));
      const bad = !e.target.value.trim() || !Number.isFinite(x) || x < 0;
      e.target.setAttribute('aria-invalid', String(bad));
      fill(wrong, bad && note('bad', 'warn', C.wrongPrice));
      if (bad) return;
      prices = { ...prices, [service]: { ...prices[service], [name]: x } };
      kept();
    };
    const kept = () => {
      prices.at = dayText(Date.now());
      remembered.set('prices', prices);
      fill(how, C.pricesOwn(prices.at));
      draw();
    };
    const how = h('span', prices.at ? C.pricesOwn(prices.at) : C.pricesNote);
    const line = (name, text) => h('tr', h('th', { scope: 'row' }, text), SERVICES.map(s => h('td', h('input.field.num', { inputmode: 'decimal', value: String(prices[s][name]), 'aria-label': C.priceOf(text, C.services[s]), oninput: set(s, name) }))));
    fill(priceCard, h('header', h('h2', C.prices)), h('div.body.stack3', h('p.muted', how), wrong, h('div.scrollx', h('table.t.tight.prices', h('thead', h('tr', h('td'), SERVICES.map(s => h('th', { scope: 'col' }, C.services[s])))), h('tbody', line('gib', C.gib), CLASSES.map(c => line(c, C.classes[c] + ', ' + C.per.toLowerCase()))))),
      h('div.row.wrap', h('label.row', C.currency, h('input.field.w74', { value: prices.currency, maxlength: 8, oninput: e => e.target.value.trim() && ((prices = { ...prices, currency: e.target.value.trim() }), kept()) })), h('span.grow'), h('button.btn.small', { type: 'button', onclick: () => {
        prices = { ...structuredClone(EXAMPLES), at: null };
        remembered.set('prices', null);
        drawPrices();
        draw();
      } }, C.reset))));
  }

  async function download() {
    if (!answer) return;
    let format = 'csv';
    const name = 'cost-' + a.replace(/[^\w-]/g, '_');
    await dialog(C.downloadTitle, h('div.stack3', h('p.soft', C.downloadText), seg(C.formats, format, v => (format = v), C.download)), [{ text: T.cancel }, { text: C.download, kind: 'primary', run: async () => {
      if (format === 'svg') save(name + '.svg', new Blob([plot.svg()], { type: 'image/svg+xml' }));
      else if (format === 'png') save(name + '.png', await plot.png());
      else save(name + '.csv', new Blob([csv()], { type: 'text/csv' }));
    } }]);
  }
  /** A cell that a spreadsheet would take for a formula begins with a quote. */
  function csv() {
    const cell = x => {
      const text = /^[=+\-@\t\r]/.test(x) ? "'" + x : String(x);
      return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    };
    const out = [C.csvHead.map(cell).join(',')], step = answer.columnSeconds, time = i => new Date(Date.parse(answer.from) + i * step * 1000).toISOString();
    for (const r of answer.rows) r.operations.forEach((n, i) => n && out.push([r.service, r.space, r.kind, C.exact, time(i), step, n].map(x => cell(String(x))).join(',')));
    for (const r of answer.stored) {
      r.history.forEach((n, i) => n !== null && out.push([r.service, r.space, C.stored, C.measured, time(i), step, n].map(x => cell(String(x))).join(',')));
      if (answer.measured.at) out.push([r.service, r.space, C.stored, C.measured, answer.measured.at, 0, r.bytes].map(x => cell(String(x))).join(','));
    }
    return out.join('\r\n') + '\r\n';
  }

  function open(r) {
    read0(r.params);
    at('cost', [[a, to(a)], [C.title]]);
    drawBar();
    return read(false);
  }
  drawPrices();
  open(route);
  return {
    el: h('div.view', h('div.vhead', h('h1', C.title), sub, acts), h('div.cols', h('div.c8.stack3', bar, body), h('div.c4.stack3', priceCard))),
    update: open,
    close: () => clearTimeout(timer),
  };
}
