// lz-chart: lines over time as SVG, with a table of the same numbers.
import { h, s, fill } from './core.js';
import { seg } from './ui.js';
import { L } from './views/load-texts.js';

const W = 640, H = 150, PAD = 18;
const ROWS_MAX = 400;

/** `lines`: [[name, numbers]…], at most two; `times`: texts of the points; `show(number)` gives its text. */
export function chart(title, lines, times, show) {
  const all = lines.flatMap(l => l[1]), hi = Math.max(...all, 0), top = hi || 1;
  const place = values => values.map((v, i) => `${((i / Math.max(1, values.length - 1)) * W).toFixed(1)} ${(H - 2 - (v / top) * (H - PAD)).toFixed(1)}`).join('L');
  const peak = lines.map(([name, values]) => L.chart(name, show(Math.max(...values, 0)), times[values.indexOf(Math.max(...values))] ?? '')).join('; ');
  const body = h('div');
  const line = () => [s('svg', { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', class: 'plotline', role: 'img', 'aria-label': title + ', ' + peak }, lines.map(([, values], i) => values.length > 1 && s('path', { d: 'M' + place(values), class: i ? 'line two' : 'line' }))),
    h('div.row.between.muted', h('span', times[0] ?? ''), h('span', times[times.length - 1] ?? ''))];
  const table = () => h('div.charttable', { tabindex: 0, role: 'region', 'aria-label': title }, h('table.t.tight', h('thead', h('tr', h('th', { scope: 'col' }, L.time), lines.map(l => h('th.num', { scope: 'col' }, l[0])))), h('tbody', times.slice(-ROWS_MAX).map((t, k) => {
    const i = Math.max(0, times.length - ROWS_MAX) + k;
    return h('tr', h('td', t), lines.map(l => h('td.num', show(l[1][i]))));
  }))));
  const paint = as => fill(body, as === 'table' ? table() : line());
  paint('line');
  return h('lz-chart.card.chart', h('header', h('h2', title), lines.length > 1 && h('span.row', lines.map(([name], i) => h('span.legend', { cls: i ? 'two' : '' }, name))), h('span.grow'), h('span.muted', L.highest(show(hi))), seg(Object.entries(L.chartAs), 'line', paint, title)), h('div.body', body));
}
