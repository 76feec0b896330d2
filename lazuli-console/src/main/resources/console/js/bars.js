// Stacked bars over time as SVG, with a table of the same numbers, and the bars as a picture of their own.
import { h, s, fill, visible } from './core.js';
import { seg } from './ui.js';
import { L } from './views/load-texts.js';

const W = 760, H = 200, LEFT = 54, LOW = 18, TOP = 8;
const COLOURS = ['--accent', '--gold-mark', '--syn-op', '--ok', '--syn-num', '--heat-2', '--control'];
/** The series that are drawn apart; the caller sums the others. */
export const SERIES_MAX = COLOURS.length;

/** The next 1, 2 or 5 times a power of ten. */
function nice(x) {
  if (!(x > 0)) return 1;
  const ten = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map(f => f * ten).find(v => v >= x * 0.999);
}

/** Draws with `draw`: rect(x, y, w, h, series), line(x, y, w), text(x, y, text, anchor). */
function picture(draw, series, times, show) {
  const n = times.length, width = (W - LEFT) / Math.max(1, n), top = nice(Math.max(...times.map((_, i) => series.reduce((t, l) => t + (l[1][i] || 0), 0)), 0));
  const y = v => H - LOW - (v / top) * (H - LOW - TOP);
  for (const part of [0, 0.5, 1]) {
    draw.line(LEFT, y(top * part), W - LEFT);
    draw.text(LEFT - 6, y(top * part) + 4, show(top * part), 'end');
  }
  const gap = width > 6 ? 2 : width > 3 ? 1 : 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    series.forEach((l, k) => {
      const v = l[1][i] || 0;
      if (v > 0) draw.rect(LEFT + i * width + gap / 2, y(sum + v), Math.max(0.5, width - gap), Math.max(0.5, y(sum) - y(sum + v)), k);
      sum += v;
    });
  }
  const step = Math.max(1, Math.ceil(n / 6));
  for (let i = 0; i < n; i += step) draw.text(LEFT + i * width, H - 4, times[i], 'start');
}

/**
 * `series`: [[name, numbers]…], at most SERIES_MAX, numbers may be null; `times`: texts of the periods; `label` says in a sentence what a
 * screen reader should know. Gives {el, svg(), png()}.
 */
export function bars(title, series, times, show, label, sub) {
  const body = h('div');
  const drawn = () => {
    const el = s('svg', { viewBox: `0 0 ${W} ${H}`, class: 'bars', role: 'img', 'aria-label': label });
    picture({
      rect: (x, y, w, ht, k) => el.append(s('rect', { x: x.toFixed(1), y: y.toFixed(1), width: w.toFixed(1), height: ht.toFixed(1), class: 'c' + k })),
      line: (x, y, w) => el.append(s('line', { x1: x, x2: x + w, y1: y.toFixed(1), y2: y.toFixed(1) })),
      text: (x, y, t, anchor) => el.append(s('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor }, t)),
    }, series, times, show);
    return el;
  };
  const table = () => h('div.charttable', { tabindex: 0, role: 'region', 'aria-label': title }, h('table.t.tight', h('thead', h('tr', h('th', { scope: 'col' }, L.time), series.map(l => h('th.num', { scope: 'col' }, visible(l[0]))))), h('tbody', times.map((t, i) => h('tr', h('td.nowrap', t), series.map(l => h('td.num', l[1][i] === null || l[1][i] === undefined ? '–' : show(l[1][i]))))))));
  const paint = as => fill(body, as === 'table' ? table() : drawn());
  paint('line');
  const colours = () => {
    const css = getComputedStyle(document.documentElement);
    return { of: name => css.getPropertyValue(name).trim() };
  };
  return {
    el: h('lz-chart.card.chart', h('header', h('h2', title), sub && h('span.muted', sub), h('span.grow'), h('span.row.wrap', series.map(([name], k) => h('span.legend', { cls: 'c' + k }, visible(name)))), seg(Object.entries(L.chartAs), 'line', paint, title)), h('div.body', body)),
    svg() {
      const c = colours(), text = t => String(t).replace(/[&<>"]/g, x => '&#' + x.charCodeAt(0) + ';'), f = x => Number(x.toFixed(2));
      const out = [`<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H + 60}" viewBox="0 -40 ${W} ${H + 60}" font-family="system-ui, sans-serif" font-size="11"><rect y="-40" width="${W}" height="${H + 60}" fill="${c.of('--surface')}"/><text x="8" y="-20" font-size="14" fill="${c.of('--text')}">${text(title)}</text>`];
      picture({
        rect: (x, y, w, ht, k) => out.push(`<rect x="${f(x)}" y="${f(y)}" width="${f(w)}" height="${f(ht)}" fill="${c.of(COLOURS[k])}"/>`),
        line: (x, y, w) => out.push(`<path d="M${f(x)} ${f(y)}h${f(w)}" stroke="${c.of('--line')}"/>`),
        text: (x, y, t, anchor) => out.push(`<text x="${f(x)}" y="${f(y)}" text-anchor="${anchor}" fill="${c.of('--text-3')}">${text(t)}</text>`),
      }, series, times, show);
      let x = LEFT;
      series.forEach(([name], k) => {
        out.push(`<rect x="${x}" y="${H + 4}" width="10" height="10" fill="${c.of(COLOURS[k])}"/><text x="${x + 14}" y="${H + 13}" fill="${c.of('--text-2')}">${text(visible(name).slice(0, 24))}</text>`);
        x += 26 + 6 * Math.min(24, name.length);
      });
      return out.join('') + '</svg>';
    },
    async png() {
      const href = URL.createObjectURL(new Blob([this.svg()], { type: 'image/svg+xml' }));
      try {
        const img = new Image(2 * W, 2 * (H + 60));
        img.src = href;
        await img.decode();
        const c = h('canvas', { width: 2 * W, height: 2 * (H + 60) });
        c.getContext('2d').drawImage(img, 0, 0, 2 * W, 2 * (H + 60));
        return await new Promise(resolve => c.toBlob(resolve, 'image/png'));
      } finally {
        URL.revokeObjectURL(href);
      }
    },
  };
}
