// Load: the heat map of an account or of one table, the figures of a partition, and the diagnoses next to them.
import { h, fill, fmt, visible } from '../core.js';
import { get, post, path } from '../api.js';
import { icon, seg, note, empty, load as into, dialog, save, toast, sentence, failed } from '../ui.js';
import { T } from '../texts.js';
import { go, to, noteParams } from '../router.js';
import { at, may } from '../shell.js';
import { heat, decoded, value, when, stamp, keyText, rowName, LAYERS } from '../heat.js';
import { chart } from '../chart.js';
import { L } from './load-texts.js';

const SPANS = { '1h': 3600e3, '6h': 6 * 3600e3, '24h': 24 * 3600e3, '14d': 14 * 24 * 3600e3 };
const MINUTE = 60e3, QUARTER = 15 * MINUTE;
const TOP = 25;
const SIGNS = { failing: ['fire', 'bad'], warning: ['warn', 'warn'], advice: ['bulb', 'muted'] };

export const key = route => 'load ' + JSON.stringify(route.parts.slice(0, 4).concat(route.params.get('service') || ''));
export const sign = level => SIGNS[level] || SIGNS.advice;

export function view(route) {
  const [a, , space = '', pk] = route.parts, q = route.params;
  const own = name => (name && Object.hasOwn(L.metrics, name) ? name : 'requests');
  const time = name => (Number.isNaN(Date.parse(q.get(name))) ? null : Date.parse(q.get(name)));
  const state = {
    metric: own(q.get('metric')), side: Object.hasOwn(L.sides, q.get('dir') || '') ? q.get('dir') : 'both', span: Object.hasOwn(SPANS, q.get('span') || '') ? q.get('span') : '1h',
    from: time('from'), to: time('to'), table: q.get('view') === 'table' || (!q.get('view') && matchMedia('(forced-colors: active)').matches), diagnosis: q.get('diagnosis') || '', service: q.get('service') || (space ? 'table' : ''), exponent: 0.36,
  };
  let map = null, area = null, diagnoses = [], timer = 0, control = new AbortController();
  const frame = h('div.content'), under = h('div.stack0'), body = h('div.over'), sub = h('span.sub'), diags = h('div.diags'), count = h('span.badge.warn', { hidden: true }), controls = h('div.bar'), hi = h('span.muted');
  const fixed = () => state.from !== null && state.to !== null && state.to > state.from;
  const level = ms => (ms > SPANS['6h'] ? QUARTER : MINUTE);
  /** A window ends with the last period that is complete. */
  const window0 = () => {
    if (fixed()) return [state.from, state.to];
    const step = level(SPANS[state.span]), end = Math.floor((Date.now() - 5000) / step) * step;
    return [end - SPANS[state.span], end];
  };
  const keep = () => noteParams({ metric: state.metric === 'requests' ? '' : state.metric, dir: state.side === 'both' ? '' : state.side, span: state.span === '1h' ? '' : state.span, from: fixed() ? new Date(state.from).toISOString() : '', to: fixed() ? new Date(state.to).toISOString() : '', view: state.table ? 'table' : '', diagnosis: state.diagnosis });
  const params = () => Object.fromEntries(new URLSearchParams(location.search));
  const up = () => (pk !== undefined ? to(a, 'load', space, params()) : to(a, 'load', { ...params(), service: '' }));

  const plot = heat({
    pick: (row, whole) => (space && !whole ? go(to(a, 'load', space, row.from, { ...params(), diagnosis: '' })) : go(to(a, 'load', row.space, { ...params(), diagnosis: '', service: row.service === 'table' ? '' : row.service }))),
    out: () => space && go(up()),
    select: next => ((area = next), drawUnder()),
    table: toggle,
    shift,
  });

  function changed() {
    area = null;
    plot.frame(null);
    keep();
    drawControls();
    read();
  }
  async function read(quiet = false) {
    const [from, end] = window0();
    const ask = signal => get(path('accounts', a, 'load'), { metric: 'all', from: new Date(from).toISOString(), to: new Date(end).toISOString(), space: space || null, service: state.service || null, rows: space ? 192 : 96, columns: 180 }, signal);
    if (quiet) {
      control.abort();
      control = new AbortController();
      try {
        map = decoded(await ask(control.signal));
        draw();
      } catch (e) {
        if (e.name !== 'AbortError') fill(under, failed(e, () => read(true)));
      }
      return;
    }
    await into(body, L.what, ask, answer => {
      map = decoded(answer);
      draw();
    });
    frameDiagnosis();
  }
  const rowsOf = (service, name, partition) => {
    const rows = [];
    map.rows.forEach((r, i) => {
      if (r.service === service && r.space === name && (!partition || (r.from <= partition && (r.to === '' || partition < r.to)))) rows.push(i);
    });
    return rows;
  };

  function draw() {
    if (!map) return;
    fill(sub, L.shownTime(when(map, 0), when(map, map.columns)), h('span.hide-s', ' · ' + L.ranges(map.rows.length) + ' · ' + L.each(fmt.span(map.step))));
    if (!map.rows.length) {
      fill(body, empty('heat', L.none, fixed() || state.span === '14d' ? L.noneWindow : L.noneText));
      fill(under);
      return;
    }
    if (pk !== undefined) fill(body, partition());
    else if (state.table) fill(body, table());
    else {
      if (!body.contains(plot.el)) fill(body, plot.el);
      plot.show(map, { metric: state.metric, side: state.side, exponent: state.exponent, grouping: !space, title: space ? visible(space) : a });
    }
    fill(hi, L.unit[state.metric](highest()));
    drawUnder();
  }
  function highest() {
    let max = 0;
    for (let r = 0; r < map.rows.length; r++) for (let x = 0; x < map.columns; x++) max = Math.max(max, value(map, state.metric, state.side, r, x));
    return max;
  }
  /** The figures of the selection: totals of its time, not rates. */
  function drawUnder() {
    if (!area || !map?.rows.length || state.table) return fill(under);
    const sum = name => {
      let t = 0;
      for (let r = area.r0; r <= area.r1; r++) for (let x = area.x0; x <= area.x1; x++) t += map.layers[name][r * map.columns + x];
      return (t * map.step) / 1000;
    };
    let all = 0, chosen = 0;
    for (let r = 0; r < map.rows.length; r++) for (let x = 0; x < map.columns; x++) {
      const v = value(map, state.metric, state.side, r, x);
      all += v;
      if (r >= area.r0 && r <= area.r1 && x >= area.x0 && x <= area.x1) chosen += v;
    }
    const first = map.rows[area.r0], last = map.rows[area.r1];
    const where = first === last ? rowName(first) : rowName(first) + ' – ' + (last.space === first.space ? keyText(last.to, L.last) : rowName(last));
    fill(under, h('section.bar.foot.selection', { 'aria-label': L.selection }, h('div.grow', h('div', h('b', L.area(where, when(map, area.x0), when(map, area.x1 + 1)))),
      h('dl.figures', LAYERS.map(name => h('div', h('dt', L.cell[name].replace('/s', '')), h('dd', name.startsWith('bytes') ? fmt.bytes(Math.round(sum(name))) : fmt.n(sum(name)))))), h('div', L.share(all ? ((100 * chosen) / all).toFixed(1) : '0'))),
      h('button.btn.small', { type: 'button', onclick: () => ((state.from = stamp(map, area.x0)), (state.to = stamp(map, area.x1 + 1)), changed()) }, L.zoom),
      may('live-requests') && T.nav.live && h('a.btn.small', { href: to(a, 'live', { text: first.space }) }, L.requests),
      h('button.btn.small.quiet', { type: 'button', onclick: () => (plot.frame(null), (area = null), drawUnder()) }, L.clear)));
  }
  function table() {
    const rows = map.rows.map((row, r) => {
      let sum = 0, max = 0, best = 0;
      for (let x = 0; x < map.columns; x++) {
        const v = value(map, state.metric, state.side, r, x);
        sum += v;
        if (v > max) [max, best] = [v, x];
      }
      return { row, average: sum / map.columns, max, best };
    });
    const all = rows.reduce((t, r) => t + r.average, 0) || 1, show = L.unit[state.metric];
    const top = rows.sort((x, y) => y.average - x.average).slice(0, TOP);
    return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': L.tableTitle, onkeydown: e => (e.key === 't' || e.key === 'T') && toggle() }, h('table.t', h('caption.sr', L.tableHint(TOP)), h('thead', h('tr', L.head.map((t, i) => h('th', { scope: 'col', cls: i > 1 ? (i > 3 ? 'num hide-s' : 'num') : '' }, t)))),
      h('tbody', top.map(t => h('tr', h('td', h('a', { href: to(a, 'load', t.row.space, { ...params(), service: t.row.service === 'table' ? '' : t.row.service }) }, h('b', visible(t.row.space))), ' ', h('span.muted', L.services[t.row.service])), h('td.mono.rest', t.row.about && h('span.muted', L.about + ' '), keyText(t.row.from, L.first)), h('td.num', show(t.average)), h('td.num', show(t.max)), h('td.num.hide-s', when(map, t.best)), h('td.num.hide-s', ((100 * t.average) / all).toFixed(1) + ' %'))))));
  }
  function partition() {
    const rows = rowsOf(state.service, space, pk || '');
    if (!rows.length) return empty('heat', L.none, L.noneWindow);
    const r = pk === '' ? rows[0] : rows[rows.length - 1], row = map.rows[r], times = Array.from({ length: map.columns }, (_, x) => when(map, x));
    const line = name => Array.from(map.layers[name].subarray(r * map.columns, (r + 1) * map.columns));
    return h('div.scroll.pad.stack3', { tabindex: 0, role: 'region', 'aria-label': L.partition(visible(pk)) }, note('', 'info', L.partitionNote(keyText(row.from, L.first), keyText(row.to, L.last))),
      [['requests', 'reads', 'writes'], ['entities', 'entitiesRead', 'entitiesWritten'], ['bytes', 'bytesOut', 'bytesIn']].map(([m, x, y]) => chart(L.charts[m], [[L.reads, line(x)], [L.writes, line(y)]], times, L.unit[m])));
  }

  const asTable = h('button.btn.small', { type: 'button', onclick: () => toggle() }, L.asTable);
  /** Map or table. The keyboard stays in what is shown. */
  function toggle() {
    const inside = body.contains(document.activeElement);
    state.table = !state.table;
    asTable.setAttribute('aria-pressed', String(state.table));
    keep();
    draw();
    if (inside) body.querySelector(state.table ? '.scroll' : '.plot')?.focus();
  }
  function drawControls() {
    asTable.setAttribute('aria-pressed', String(state.table));
    const set = (name, redraw) => v => ((state[name] = v), keep(), redraw ? draw() : read());
    fill(controls, pk === undefined && [seg(Object.entries(L.metrics), state.metric, set('metric', true), L.metric), seg(Object.entries(L.sides), state.side, set('side', true), L.side)], h('span.grow'),
      pk === undefined && [h('label.row.hide-s', { title: L.bright }, h('span.muted', '0'), h('span.ramp', { 'aria-hidden': 'true' }), hi, h('input.bright', { type: 'range', min: 0, max: 80, value: 80 - Math.round((state.exponent - 0.2) * 100), 'aria-label': L.bright, oninput: e => ((state.exponent = 0.2 + (80 - e.target.value) / 100), draw()) })), asTable, h('button.btn.small', { type: 'button', 'aria-label': L.downloadTitle, onclick: download }, icon('download'), h('span.hide-s', L.download))]);
    fill(spans, h('button.btn.icon', { type: 'button', 'aria-label': L.earlier, title: L.earlier, onclick: () => shift(-1) }, icon('left')), h('button.btn.icon', { type: 'button', 'aria-label': L.later, title: L.later, disabled: !fixed(), onclick: () => shift(1) }, icon('right')),
      seg(fixed() ? [...Object.entries(L.spans), ['', L.fixed]] : Object.entries(L.spans), fixed() ? '' : state.span, v => {
        if (!v) return;
        state.span = v;
        state.from = state.to = null;
        changed();
      }, L.span));
  }
  const spans = h('div.acts.row.wrap');
  function shift(d) {
    const [from, end] = window0(), half = (end - from) / 2;
    if (end + d * half > Date.now()) state.from = state.to = null;
    else [state.from, state.to] = [from + d * half, end + d * half];
    changed();
  }

  async function download() {
    if (!map?.rows.length) return;
    let chosen = 'png';
    const name = 'load-' + (space || a).replace(/[^\w-]/g, '_');
    await dialog(L.downloadTitle, h('div.stack3', h('p.soft', L.downloadText), seg(L.formats, chosen, v => (chosen = v), L.download)), [{ text: T.cancel }, { text: L.download, kind: 'primary', run: async () => {
      plot.show(map, { metric: state.metric, side: state.side, exponent: state.exponent, grouping: !space, title: space || a });
      if (chosen === 'png') save(name + '.png', await plot.png());
      else if (chosen === 'svg') save(name + '.svg', new Blob([plot.svg()], { type: 'image/svg+xml' }));
      else save(name + '.csv', new Blob([csv()], { type: 'text/csv' }));
    } }]);
  }
  /** A cell that a spreadsheet would take for a formula begins with a quote. */
  function csv() {
    const cell = x => {
      const t = /^[=+\-@\t\r]/.test(x) ? "'" + x : String(x);
      return /[",\n\r]/.test(t) ? '"' + t.replaceAll('"', '""') + '"' : t;
    };
    const out = [L.csvHead.map(cell).join(',')];
    map.rows.forEach((row, r) => {
      for (let x = 0; x < map.columns; x++) out.push([row.service, row.space, row.from, row.to, row.about, new Date(stamp(map, x)).toISOString(), map.step / 1000].map(y => cell(String(y))).concat(LAYERS.map(n => Number(map.layers[n][r * map.columns + x].toPrecision(6)))).join(','));
    });
    return out.join('\r\n') + '\r\n';
  }

  async function readDiagnoses(quiet) {
    const take = got => {
      diagnoses = got.diagnoses;
      list();
      frameDiagnosis();
    };
    const ask = signal => get(path('accounts', a, 'load', 'diagnoses'), null, signal);
    if (quiet) ask().then(take, () => {});
    else await into(diags, L.whatDiagnoses, ask, take);
  }
  const minute = t => (Date.now() - Date.parse(t) > 864e5 ? fmt.time(t).slice(5, 16) : fmt.time(t).slice(11, 16));
  function list() {
    const open = diagnoses.filter(d => !d.over && !d.silencedUntil);
    count.hidden = !open.length;
    fill(count, open.length);
    fill(diags, diagnoses.length ? diagnoses.map(one) : empty('ok', L.healthy, L.healthyText));
  }
  function one(d) {
    const on = d.id === state.diagnosis;
    const state0 = d.over ? L.over(minute(d.over)) : d.silencedUntil ? L.silenced(fmt.time(d.silencedUntil).slice(0, 10)) : L.levels[d.level] + ', ' + L.since(minute(d.since));
    return h('section.diag', { cls: (on ? 'on ' : '') + (d.over || d.silencedUntil ? 'past' : '') }, h('button', { type: 'button', 'aria-expanded': String(on), onclick: () => choose(d) }, icon(...sign(d.level)), h('span.t', d.title), h('span.muted', state0), h('span.w', visible(d.space) + (d.partition ? ' / ' + visible(d.partition) : ''))), h('p.soft.fact', visible(d.fact)),
      on && h('div.more', h('dl.kv.evidence', d.evidence.map(e => [h('dt', visible(e.label)), h('dd.num', visible(e.value), e.bound && h('span.muted', ' (' + L.bound(e.bound) + ')'))])), note('gold', 'bulb', d.remedy),
        h('div.row.wrap', h('span.muted', L.pattern + ': ', h('code', 'docs/patterns/' + d.pattern + '.md'))), h('div.row.wrap', d.space && h('a.btn.small', { href: to(a, { table: 'tables', queue: 'queues', blob: 'blobs' }[d.service] || 'tables', d.space) }, L.openData), h('span.grow'), may('silence') && !d.over && !d.silencedUntil && h('button.btn.small.quiet', { type: 'button', onclick: () => silence(d) }, L.quiet))));
  }
  async function silence(d) {
    try {
      await post(path('accounts', a, 'load', 'diagnoses', 'silence'), { id: d.id, days: 7 });
      toast(L.silenceDone);
      await readDiagnoses(true);
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }
  function choose(d) {
    state.diagnosis = state.diagnosis === d.id ? '' : d.id;
    const focus = diagnoses.indexOf(d);
    list();
    diags.querySelectorAll('.diag > button')[focus]?.focus();
    if (!state.diagnosis) {
      plot.frame(null);
      keep();
      return;
    }
    if (space && (space !== d.space || pk !== undefined)) {
      go(to(a, 'load', { ...params(), diagnosis: d.id, service: '' }));
      return;
    }
    const begin = Date.parse(d.since), [from, end] = window0();
    if (begin < from || (d.over && Date.parse(d.over) < from) || begin > end) {
      // The window does not have it: the shortest one that does.
      state.from = state.to = null;
      state.span = Object.keys(SPANS).find(s => Date.now() - SPANS[s] < begin) || '14d';
      drawControls();
      keep();
      read();
      return;
    }
    keep();
    frameDiagnosis();
  }
  /** The rows and the time of the chosen diagnosis. A pattern that moves has the whole table. */
  function frameDiagnosis() {
    const d = diagnoses.find(x => x.id === state.diagnosis);
    if (!d || !map?.rows.length || pk !== undefined) return;
    const moves = d.kind === 'append' || d.kind === 'prepend';
    let rows = rowsOf(d.service, d.space, moves ? '' : d.partition);
    if (!rows.length) rows = rowsOf(d.service, d.space, '');
    if (!rows.length) return plot.frame(null);
    const column = t => Math.max(0, Math.min(map.columns - 1, Math.floor((t - map.from) / map.step)));
    area = { r0: rows[0], r1: rows[rows.length - 1], x0: column(Date.parse(d.since)), x1: d.over ? column(Date.parse(d.over)) : map.columns - 1 };
    plot.frame(area);
    drawUnder();
  }

  drawControls();
  read();
  readDiagnoses();
  timer = setInterval(() => {
    if (document.hidden || fixed()) return;
    read(true);
    readDiagnoses(true);
  }, MINUTE);
  fill(frame, controls, body, under);
  const trail = [[a, to(a)], [L.title, to(a, 'load')]];
  if (space) trail.push([space, to(a, 'load', space)]);
  if (pk !== undefined) trail.push([pk === '' ? L.first : pk]);
  at('load', trail);
  return {
    el: h('div.view.full', h('div.vhead', space && h('a.btn.icon.quiet', { href: up(), 'aria-label': L.out, title: L.out }, icon('left')), h('h1', pk !== undefined ? L.partition(pk === '' ? L.first : visible(pk)) : space ? L.title + ': ' + visible(space) : L.title), sub, spans),
      h('div.split.flow', frame, h('aside.side', { 'aria-label': L.diagnoses }, h('header', h('h2', L.diagnoses), count), h('div.scroll.flush', { tabindex: 0, role: 'region', 'aria-label': L.diagnoses }, diags)))),
    close: () => {
      clearInterval(timer);
      control.abort();
      plot.close();
    },
  };
}
