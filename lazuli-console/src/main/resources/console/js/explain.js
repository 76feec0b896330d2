// lz-explain: what a filter costs, before and after it runs.
import { h, fmt, fill } from './core.js';
import { icon, java, note } from './ui.js';
import { T } from './texts.js';

const STEP = { point: 'point', seeks: 'point', range: 'range', 'partition scan': 'pscan', 'table scan': 'tscan' };

const about = x => {
  if (!x || x.n === null || x.n === undefined) return null;
  if (x.basis === 'bound') return T.explain.upTo(x.n);
  return (x.basis === 'samples' ? T.about + ' ' : '') + fmt.n(x.n);
};

/** The kind in short, next to a filter. */
export function chip(x) {
  if (x.error) return h('span.chip.badc', x.error.text);
  const read = about(x.read);
  return h('span.chip', { cls: STEP[x.kind] || '' }, (x.headline || T.explain.kinds[x.kind]) + (read ? ' · ' + T.explain.reads(read) : ''));
}

const end = (k, open) => (k === null ? open : k[1] === null ? `${k[0]} / ${open}` : `${k[0]} / ${k[1]}`);
function range(r) {
  if (r.whole) return `${r.from[0]} / ${T.explain.all}`;
  const from = end(r.from, T.explain.start);
  const to = end(r.to, T.explain.end);
  return from === to && r.toIncluded !== false ? from : `${from}  ${r.toIncluded === false ? T.explain.to + ' ' + T.explain.below : T.explain.to}  ${to}`;
}

class LzExplain extends HTMLElement {
  /** `x` is the object of the route explain; `ran` tells that its figures are measured. */
  show(x, ran = false) {
    fill(this, x ? this.draw(x, ran) : null);
  }

  draw(x, ran) {
    if (x.error) return h('div.stack3', note('bad', 'warn', h('b', T.explain.wrong + ' '), x.error.text), h('p.soft', T.explain.help));
    const on = STEP[x.kind];
    const read = about(x.read);
    const returned = about(x.returned);
    const share = x.read?.n > 0 && x.returned?.n !== null && x.returned?.n !== undefined ? Math.min(1, x.returned.n / x.read.n) : null;
    return h('div.stack3',
      h('div.row.between', h('div.h1', x.headline || T.explain.kinds[x.kind]), h('span.chip', { cls: x.complete ? on || '' : '' }, !x.complete ? T.explain.soFar : ran ? T.explain.measured : T.explain.estimate)),
      x.line && h('p.soft', x.line),
      h('ol.ladder', { 'aria-label': T.explain.ladder }, T.explain.steps.map(([id, name, sub]) => h('li', { cls: id + (on === id ? ' on' : ''), 'aria-current': on === id ? 'step' : null }, id === 'point' && x.kind === 'seeks' ? T.explain.seeks : name, h('span', sub)))),
      h('div.stack', h('div.row.between.wrap', read === null ? h('span.soft', T.explain.unknown) : h('span', T.explain.read(h('b', read), h('b', returned ?? '?'))), share !== null && h('span.muted', share >= 0.995 ? T.explain.vain : T.explain.each(Math.round(x.read.n / Math.max(1, x.returned.n))))),
        share !== null && h('div.meter.tall', { role: 'img', 'aria-label': T.explain.share(Math.round(share * 100)) }, h('i', { cls: share > 0.5 ? 'okf' : share > 0.05 ? 'gold' : 'badf', style: { width: Math.max(1.5, share * 100) + '%' } }))),
      h('dl.kv', h('dt', T.explain.partitions), h('dd', T.estimate(x.partitions)),
        x.ranges?.length > 0 && [h('dt', T.explain.ranges), h('dd.mono', x.ranges.slice(0, 6).map(r => h('div', range(r))), (x.ranges.length > 6 || x.moreRanges > 0) && h('div.muted', T.explain.moreRanges(Math.max(0, x.ranges.length - 6) + (x.moreRanges || 0))))],
        h('dt', T.explain.rest), h('dd.mono', x.rest || T.explain.nothing),
        (x.bytes !== null || x.millis !== null) && [h('dt', T.explain.cost), h('dd', [x.bytes !== null && x.bytes !== undefined && fmt.bytes(x.bytes), x.millis !== null && x.millis !== undefined && fmt.ms(x.millis)].filter(Boolean).join(', '))],
        x.azure?.text && [h('dt', T.explain.azure), h('dd', x.azure.text.replace(/^On Azure: (.)/, (_, c) => c.toUpperCase()))],
        x.basisText && [h('dt', T.explain.basis), h('dd', x.basisText)]),
      x.narrowed && note('info', 'info', x.narrowed),
      x.advice && note(on === 'point' || /\.ok$/.test(x.advice.key) ? 'okn' : 'gold', on === 'point' || /\.ok$/.test(x.advice.key) ? 'ok' : 'bulb', h('div.stack', h('div', x.advice.text), x.advice.page && h('div.muted', T.explain.pattern + ': ', h('code', x.advice.page)))),
      x.advice?.code && java(x.advice.code));
  }
}
customElements.define('lz-explain', LzExplain);
export { icon };
