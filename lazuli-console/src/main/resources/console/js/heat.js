// lz-heat: load by ranges of keys (down) and time (across) on a canvas, with the sum above, a cursor and a selection.
import { h, fill, fmt, visible } from './core.js';
import { say } from './ui.js';
import { L } from './views/load-texts.js';

export const LAYERS = ['reads', 'writes', 'entitiesRead', 'entitiesWritten', 'bytesOut', 'bytesIn'];
const OF = { requests: ['reads', 'writes'], entities: ['entitiesRead', 'entitiesWritten'], bytes: ['bytesOut', 'bytesIn'] };
const HATCH = 7;

function floats(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** What the server answered, as numbers. `groups` are the rows of one table, queue or container. */
export function decoded(answer) {
  const map = { level: answer.level, from: Date.parse(answer.from), step: answer.columnSeconds * 1000, columns: answer.columns, rows: answer.rows, layers: {}, groups: [], gaps: answer.gaps.map(g => ({ server: g.server, from: Date.parse(g.from), to: Date.parse(g.to) })) };
  for (const name of LAYERS) map.layers[name] = floats(answer.layers[name]);
  return grouped(map);
}

function grouped(map) {
  map.groups = [];
  map.rows.forEach((r, i) => {
    const last = map.groups[map.groups.length - 1];
    if (last && last.space === r.space && last.service === r.service) last.rows++;
    else map.groups.push({ service: r.service, space: r.space, first: i, rows: 1, from: r.from });
  });
  return map;
}

/** The value of a cell for a quantity and a direction. */
export function value(map, metric, side, r, x) {
  const i = r * map.columns + x;
  const [reads, writes] = OF[metric];
  return (side === 'writes' ? 0 : map.layers[reads][i]) + (side === 'reads' ? 0 : map.layers[writes][i]);
}

export const stamp = (map, x) => map.from + x * map.step;
/** A time as short as the window allows. */
export const when = (map, x) => (map.columns * map.step > 864e5 ? fmt.time(stamp(map, x)).slice(5, 16) : fmt.time(stamp(map, x)).slice(11, 16));
export const keyText = (key, otherwise) => (key === '' ? otherwise : visible(key));
export const rowName = row => visible(row.space) + ' ' + keyText(row.from, L.first);
const isGap = (map, x) => map.gaps.some(g => g.from < stamp(map, x + 1) && g.to > stamp(map, x));

const css = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
function ramp() {
  const stops = [0, 1, 2, 3, 4, 5].map(i => css('heat-' + i)).map(c => [1, 3, 5].map(k => parseInt(c.slice(k, k + 2), 16)));
  return v => {
    const p = Math.min(0.9999, Math.max(0, v)) * 5, i = Math.floor(p), f = p - i;
    return stops[i].map((a, k) => Math.round(a + (stops[i + 1][k] - a) * f));
  };
}

/** `on`: pick(row, column) opens, out() goes back, select(area or null), table() and shift(−1 or 1). */
export function heat(on) {
  let map = null, metric = 'requests', side = 'both', exponent = 0.36, grouping = true;
  let cursor = null, area = null, anchor = null, sums = [], max = 0;
  const canvas = h('canvas', { 'aria-hidden': 'true' }), top = h('canvas', { 'aria-hidden': 'true' });
  const cross = h('div.cross', { hidden: true }), box = h('div.selbox', { hidden: true }), tip = h('div.tip', { hidden: true });
  const keys = h('div.ykeys'), times = h('div.xtimes'), corner = h('div.corner'), sumBox = h('div.sum', top);
  const plot = h('div.plot', { tabindex: 0, role: 'application', 'aria-roledescription': L.role, 'aria-label': L.map }, canvas, box, cross, tip);
  const el = h('lz-heat.heat', corner, sumBox, keys, plot, times);

  function measure() {
    sums = new Array(map.columns).fill(0);
    max = 0;
    for (let r = 0; r < map.rows.length; r++) for (let x = 0; x < map.columns; x++) {
      const v = value(map, metric, side, r, x);
      sums[x] += v;
      if (v > max) max = v;
    }
  }
  /** Draws through `out`, which is a canvas or a text of SVG, so that both pictures are the same. */
  function paintMap(out, x0, y0, w, ht) {
    const color = ramp(), n = map.rows.length, cw = w / map.columns, ch = ht / n;
    for (let r = 0; r < n; r++) {
      let from = 0, last = null;
      for (let x = 0; x <= map.columns; x++) {
        const c = x < map.columns ? 'rgb(' + color(Math.pow(value(map, metric, side, r, x) / (max || 1), exponent)).join(' ') + ')' : null;
        if (c === last) continue;
        if (last !== null) out.rect(x0 + from * cw, y0 + r * ch, (x - from) * cw, ch, last);
        from = x;
        last = c;
      }
    }
    paintLines(out, x0, y0, w, ht);
  }
  function paintLines(out, x0, y0, w, ht) {
    const n = map.rows.length, cw = w / map.columns;
    if (grouping) for (const g of map.groups) if (g.first) out.rect(x0, y0 + (g.first / n) * ht - 1, w, 2, css('surface'));
    for (let x = 0; x < map.columns; x++) {
      if (!isGap(map, x)) continue;
      out.rect(x0 + x * cw, y0, cw, ht, css('sunk'));
      for (let y = 0; y < ht; y += HATCH) out.line([[x0 + x * cw, y0 + Math.min(ht, y + HATCH)], [x0 + (x + 1) * cw, y0 + y]], css('control'), 1);
    }
  }
  function paintSum(out, x0, y0, w, ht) {
    const hi = Math.max(...sums, 0) || 1;
    const points = sums.map((v, x) => [x0 + ((x + 0.5) / map.columns) * w, y0 + ht - 1 - (v / hi) * (ht - 22)]);
    out.line(points, css('accent'), 1.5);
    out.text(x0 + 6, y0 + 14, L.unit[metric](Math.max(...sums, 0)), css('text-3'));
  }
  const onCanvas = g => ({
    rect: (x, y, w, ht, c) => ((g.fillStyle = c), g.fillRect(x, y, w, ht)),
    line: (points, c, width) => {
      g.beginPath();
      points.forEach(([x, y], i) => g[i ? 'lineTo' : 'moveTo'](x, y));
      g.strokeStyle = c;
      g.lineWidth = width;
      g.stroke();
    },
    text: (x, y, t, c) => ((g.fillStyle = c), (g.font = '12px system-ui, sans-serif'), g.fillText(t, x, y)),
  });
  /** The cells as one image that is scaled: 8 ms for 256 × 360. */
  function pixels() {
    const color = ramp(), n = map.rows.length, off = new OffscreenCanvas(map.columns, n), o = off.getContext('2d'), img = o.createImageData(map.columns, n);
    for (let r = 0, k = 0; r < n; r++) for (let x = 0; x < map.columns; x++, k += 4) {
      const c = color(Math.pow(value(map, metric, side, r, x) / (max || 1), exponent));
      img.data[k] = c[0];
      img.data[k + 1] = c[1];
      img.data[k + 2] = c[2];
      img.data[k + 3] = 255;
    }
    o.putImageData(img, 0, 0);
    return off;
  }
  function sized(c, parent) {
    const d = devicePixelRatio || 1, w = parent.clientWidth, ht = parent.clientHeight;
    c.width = w * d;
    c.height = ht * d;
    const g = c.getContext('2d');
    g.scale(d, d);
    return { g, w, ht };
  }
  function draw() {
    if (!map || !map.rows.length || !plot.clientWidth) return;
    const p = sized(canvas, plot);
    p.g.imageSmoothingEnabled = false;
    p.g.drawImage(pixels(), 0, 0, p.w, p.ht);
    paintLines(onCanvas(p.g), 0, 0, p.w, p.ht);
    const t = sized(top, sumBox);
    paintSum(onCanvas(t.g), 0, 0, t.w, t.ht);
    axes(p.w);
    mark();
  }
  function axes(w) {
    const n = map.rows.length, every = Math.max(1, Math.ceil(n / 18));
    fill(keys, grouping
      ? map.groups.map(g => {
        // A table with few rows has a thin strip: its button keeps its place, and its text is cut.
        const b = h('button', { type: 'button', 'aria-label': L.open(visible(g.space)), title: visible(g.space), onclick: () => on.pick(map.rows[g.first], true) }, h('span.cut', visible(g.space)), g.rows / n > 0.12 && h('small.cut', L.services[g.service] + (g.from ? ' · ' + visible(g.from) : '')));
        b.style.top = (g.first / n) * 100 + '%';
        b.style.height = (g.rows / n) * 100 + '%';
        return b;
      })
      : map.rows.filter((_, i) => i % every === 0).map((r, i) => {
        const label = h('span.mono', { title: keyText(r.from, L.first) }, keyText(r.from, L.first));
        label.style.top = ((i * every + 0.5) / n) * 100 + '%';
        return label;
      }));
    const ticks = w < 480 ? 3 : 6;
    fill(times, Array.from({ length: ticks + 1 }, (_, i) => {
      const t = h('span', { cls: i === 0 ? 'a' : i === ticks ? 'z' : '' }, when(map, (i / ticks) * map.columns));
      t.style.left = (i / ticks) * 100 + '%';
      return t;
    }));
  }
  function mark() {
    const n = map.rows.length, w = plot.clientWidth, ht = plot.clientHeight, cw = w / map.columns, ch = ht / n;
    cross.hidden = tip.hidden = !cursor;
    box.hidden = !area;
    const place = (e, x, y, width, height) => ['left', 'top', 'width', 'height'].forEach((k, i) => (e.style[k] = [x, y, width, height][i] + 'px'));
    if (area) place(box, area.x0 * cw, area.r0 * ch, (area.x1 - area.x0 + 1) * cw, (area.r1 - area.r0 + 1) * ch);
    if (!cursor) return;
    place(cross, cursor.x * cw - 1, cursor.r * ch - 1, Math.max(4, cw + 2), Math.max(4, ch + 2));
    const row = map.rows[cursor.r], i = cursor.r * map.columns + cursor.x;
    fill(tip, h('div', h('b', visible(row.space)), ' ', h('span.mono', keyText(row.from, L.first) + ' …')), h('div.muted', when(map, cursor.x) + ' – ' + when(map, cursor.x + 1)),
      h('dl.kv', LAYERS.map(name => [h('dt', L.cell[name]), h('dd', name.startsWith('bytes') ? fmt.bytes(Math.round(map.layers[name][i])) : L.unit.requests(map.layers[name][i]).replace('/s', ''))])),
      row.about && h('div.muted', L.aboutCell), isGap(map, cursor.x) && h('div.muted', L.gap));
    tip.style.left = Math.max(0, cursor.x * cw + 16 + 240 > w ? cursor.x * cw - 250 : cursor.x * cw + 16) + 'px';
    tip.style.top = Math.max(0, Math.min(ht - tip.offsetHeight - 4, cursor.r * ch + ch + 10)) + 'px';
  }
  const clamp = (v, hi) => Math.max(0, Math.min(hi - 1, v));
  const at = e => {
    const b = plot.getBoundingClientRect();
    return { x: clamp(Math.floor(((e.clientX - b.left) / b.width) * map.columns), map.columns), r: clamp(Math.floor(((e.clientY - b.top) / b.height) * map.rows.length), map.rows.length) };
  };
  const span = (a, b) => ({ x0: Math.min(a.x, b.x), x1: Math.max(a.x, b.x), r0: Math.min(a.r, b.r), r1: Math.max(a.r, b.r) });
  function choose(next) {
    area = next;
    mark();
    on.select(area);
  }
  plot.addEventListener('pointermove', e => {
    if (!map?.rows.length) return;
    cursor = at(e);
    mark();
  });
  plot.addEventListener('pointerleave', () => {
    if (!map || document.activeElement === plot) return;
    cursor = null;
    mark();
  });
  plot.addEventListener('pointerdown', e => {
    if (e.button || !map?.rows.length) return;
    const from = at(e);
    let moved = false;
    const move = m => {
      const b = at(m);
      if (!moved && b.x === from.x && b.r === from.r) return;
      moved = true;
      area = span(from, b);
      mark();
    };
    const up = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      if (moved) choose(area);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
  });
  plot.addEventListener('dblclick', e => map?.rows.length && on.pick(map.rows[at(e).r], false));
  function moved(d, by) {
    cursor = cursor ? { x: clamp(cursor.x + d[0] * by, map.columns), r: clamp(cursor.r + d[1] * by, map.rows.length) } : { x: map.columns - 1, r: 0 };
    if (anchor) area = span(anchor, cursor);
    mark();
    say(L.said(rowName(map.rows[cursor.r]), when(map, cursor.x), L.unit[metric](value(map, metric, side, cursor.r, cursor.x)).replace('/s', ''), metric));
  }
  plot.addEventListener('keydown', e => {
    if (!map?.rows.length || e.ctrlKey || e.metaKey || e.altKey) return;
    const d = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[e.key];
    if (d) moved(d, e.shiftKey ? 10 : 1);
    else if (e.key === 'Enter' && cursor) on.pick(map.rows[cursor.r], false);
    else if (e.key === ' ' && cursor) {
      if (anchor) {
        anchor = null;
        choose(area);
      } else {
        anchor = { ...cursor };
        area = span(anchor, cursor);
        mark();
        say(L.saidSelect);
      }
    } else if (e.key === 'Escape') {
      if (anchor || area) {
        anchor = null;
        choose(null);
      } else on.out();
    } else if (e.key === 't' || e.key === 'T') on.table();
    else if (e.key === '[' || e.key === ']') on.shift(e.key === '[' ? -1 : 1);
    else return;
    e.preventDefault();
  });
  plot.addEventListener('blur', () => {
    cursor = null;
    if (map?.rows.length) mark();
  });
  const watch = new ResizeObserver(() => draw());
  const themes = new MutationObserver(() => draw());
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  watch.observe(plot);

  /** The picture as a file: the same drawing, with names and times. */
  function picture(out, w, ht) {
    const left = 150, head = 80, foot = 24, n = map.rows.length;
    out.rect(0, 0, w, ht, css('surface'));
    paintSum(out, left, 0, w - left, head);
    paintMap(out, left, head, w - left, ht - head - foot);
    for (const g of map.groups) out.text(8, head + ((g.first + g.rows / 2) / n) * (ht - head - foot) + 4, visible(g.space).slice(0, 22), css('text'));
    for (let i = 0; i < 6; i++) out.text(left + (i / 6) * (w - left), ht - 8, when(map, (i / 6) * map.columns), css('text-3'));
  }
  return {
    el, plot, draw,
    show(next, options) {
      map = next;
      ({ metric, side, exponent, grouping } = options);
      fill(corner, h('b', options.title), h('div', L.keys));
      if (cursor && (cursor.x >= map.columns || cursor.r >= map.rows.length)) cursor = null;
      if (area && (area.x1 >= map.columns || area.r1 >= map.rows.length)) area = null;
      measure();
      draw();
    },
    /** Frames an area, for example that of a diagnosis. */
    frame(next) {
      area = next;
      if (map?.rows.length) mark();
    },
    get max() {
      return max;
    },
    png: () => new Promise(resolve => {
      const c = h('canvas', { width: 1600, height: 900 });
      picture(onCanvas(c.getContext('2d')), 1600, 900);
      c.toBlob(resolve, 'image/png');
    }),
    svg() {
      const text = t => String(t).replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';');
      const parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" font-family="system-ui, sans-serif" font-size="12">'];
      const f = x => Number(x.toFixed(2));
      picture({
        rect: (x, y, w, ht, c) => parts.push(`<rect x="${f(x)}" y="${f(y)}" width="${f(w)}" height="${f(ht)}" fill="${c}"/>`),
        line: (points, c, width) => parts.push(`<path d="M${points.map(p => p.map(f).join(' ')).join('L')}" fill="none" stroke="${c}" stroke-width="${width}"/>`),
        text: (x, y, t, c) => parts.push(`<text x="${f(x)}" y="${f(y)}" fill="${c}">${text(t)}</text>`),
      }, 1600, 900);
      return parts.join('') + '</svg>';
    },
    close() {
      watch.disconnect();
      themes.disconnect();
    },
  };
}
