// Live: requests as they end, the dearest shapes of queries, errors by code, and why a request was refused.
import { h, fill, fmt, list, visible, debounce, remembered } from '../core.js';
import { get, path, BASE } from '../api.js';
import { icon, seg, tabs, note, empty, load as into, save, say, copy, walk, failed } from '../ui.js';
import { go, to, note as address, noteParams } from '../router.js';
import { at, may } from '../shell.js';
import { panel } from '../panel.js';
import { V } from './live-texts.js';

const KEPT = 200, ALL = 1000, SLOW = 100, CALM = 5000;
const KINDS = { none: 'point', point: 'point', range: 'range', seeks: 'seeks', 'partition scan': 'pscan', 'table scan': 'tscan' };
const REFUSED = [401, 403];

export const key = route => 'live ' + route.parts[0];
const chip = (plan, otherwise) => h('span.chip', { cls: KINDS[plan] || '' }, plan || otherwise);
const clock = t => fmt.clock(t) + '.' + String(new Date(t).getUTCMilliseconds()).padStart(3, '0');
const ms = x => (x >= 100 ? fmt.n(x) : x.toFixed(1));

export function view(first) {
  const a = first.parts[0];
  let rows = [], share = 1, last = 0, source = null, paused = false, unseen = 0, tab = 'requests', opened = null, ended = false;
  let status = first.params.get('slow') ? 'slow' : first.params.get('status') === 'errors' ? 'errors' : 'all', text = first.params.get('text') || '';
  const body = walk(h('tbody.live')), content = h('div.content'), split = h('div.split.sheet'), foot = h('div.bar.foot'), nothing = h('div'), pill = h('span.pill'), bar = h('div.bar'), other = h('div.scroll', { tabindex: 0, role: 'region' });
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const where = (id = null) => to(a, 'live', ...(id ? [id] : tab === 'requests' ? [] : [tab]), tab === 'requests' ? { status: status === 'errors' ? 'errors' : '', slow: status === 'slow' ? '1' : '', text } : {});
  const side = panel(split, V.panel, () => {
    const row = body.lzKeyed?.get(opened?.n);
    opened = null;
    address(where());
    draw();
    (row?.isConnected ? row : content.querySelector('input'))?.focus();
  });
  const shortTarget = r => r.target.replace(new RegExp('^/' + a + '(?=/)'), '').replace(/^\//, '') || '/';
  const hit = r => (status === 'all' || (status === 'errors' ? r.status >= 400 : r.millis >= SLOW)) && (!text || [r.target, r.plan, r.operation, r.peer, r.code, r.agent].some(x => x.toLowerCase().includes(text.toLowerCase())));

  function row(r) {
    return h('tr', { tabindex: 0, cls: r.fresh && !calm.matches ? 'in' : '', onclick: () => go(where(r.id)) }, h('td.num.mono.soft.hide-s', clock(r.at)), h('td.num', { cls: r.status >= 400 ? 'bad' : '' }, h('b', r.status)), h('td.mono.cut', { title: visible(r.target) }, h('span.muted', r.method + ' '), visible(decoded(shortTarget(r)))), h('td', chip(r.plan, r.operation)), h('td.num.hide-s', r.plan ? [fmt.short(r.read), h('span.muted', ' → '), fmt.short(r.returned)] : h('span.muted', '–')), h('td.num', { cls: r.millis > 1000 ? 'bad' : '' }, ms(r.millis)), h('td.soft.nowrap.who.hide-s', visible(r.peer)));
  }
  function draw() {
    const shown = rows.filter(hit);
    list(body, shown, r => r.n, row);
    for (const r of shown) body.lzKeyed.get(r.n).setAttribute('aria-selected', String(opened?.id === r.id));
    fill(nothing, !shown.length && (rows.length ? empty('filter', V.noMatch, V.noMatchText(rows.length)) : empty('live', V.none, V.noneText)));
    fill(foot, h('span.cut', V.share(share)), h('span', ' · ' + V.kept(rows.length)));
    fill(count, paused && unseen ? V.waiting(unseen) : '');
  }
  let drawn = 0;
  const later = debounce(CALM, () => !ended && draw());
  function take(answer, fresh) {
    share = answer.share;
    last = Math.max(last, answer.last);
    const known = new Set(rows.map(r => r.n));
    const added = answer.requests.filter(r => !known.has(r.n)).map(r => ({ ...r, fresh }));
    if (!added.length) return;
    held.push(...added);
    if (paused) {
      unseen += added.length;
      fill(count, V.waiting(unseen));
      return;
    }
    pour();
    if (!calm.matches || Date.now() - drawn > CALM) {
      drawn = Date.now();
      draw();
    } else later();
  }
  let held = [];
  function pour() {
    rows = [...held.sort((x, y) => y.n - x.n), ...rows].slice(0, Math.max(KEPT, opened ? rows.findIndex(r => r.id === opened.id) + held.length + 1 : 0));
    held = [];
    unseen = 0;
  }

  const mark = s => {
    pill.className = 'pill ' + (s === 'open' ? 'ok' : 'warn');
    fill(pill, V.state[s]);
  };
  function open() {
    if (source || document.hidden || ended || !may('live')) return;
    source = new EventSource(`${BASE}/live?account=${encodeURIComponent(a)}&after=${last}`);
    source.onopen = () => mark('open');
    source.addEventListener('requests', e => take(JSON.parse(e.data), true));
    source.onerror = () => mark(source?.readyState === EventSource.CLOSED ? 'off' : 'wait');
  }
  function close() {
    source?.close();
    source = null;
  }
  const seen = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', seen);

  const count = h('span.badge');
  const pauseButton = h('button.btn.small', { type: 'button', onclick: pause });
  function pause() {
    paused = !paused;
    drawPause();
    if (!paused) pour();
    draw();
  }
  function drawPause() {
    pauseButton.setAttribute('aria-pressed', String(paused));
    fill(pauseButton, icon(paused ? 'play' : 'pause'), paused ? V.goOn : V.pause);
  }
  function nextError() {
    const errors = rows.filter(r => r.status >= 400 && (status === 'slow' ? hit(r) : true));
    const i = opened ? errors.findIndex(r => r.n < opened.n) : 0;
    const next = errors[i < 0 ? 0 : i];
    if (!next) return say(V.noError);
    if (!hit(next)) {
      status = 'errors';
      text = '';
      drawBar();
    }
    return go(where(next.id)).then(() => body.lzKeyed.get(next.n)?.focus());
  }
  function keys(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || tab !== 'requests' || /^(?:INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || document.querySelector('.scrim') || !remembered.get('keys', true)) return;
    if (e.key === 'p') pause();
    else if (e.key === 'e') nextError();
  }
  addEventListener('keydown', keys);

  function drawBar() {
    const input = h('input.field.w220', { 'data-filter': '', type: 'search', placeholder: V.filterHint, 'aria-label': V.filter, value: text, oninput: e => ((text = e.target.value), noteParams({ text }), draw()) });
    fill(bar, pauseButton, count, seg(Object.entries(V.status), status, v => ((status = v), noteParams({ status: v === 'errors' ? v : '', slow: v === 'slow' ? '1' : '' }), draw()), V.which), h('button.btn.small', { type: 'button', onclick: nextError }, V.nextError), h('span.grow'), input);
  }
  const table = h('div.scroll', { role: 'region', 'aria-label': V.list, tabindex: 0 }, h('table.t.fixed.requests', h('caption.sr', V.list), h('thead', h('tr', h('th.num.hide-s.t1', { scope: 'col' }, V.head.time), h('th.num.t2', { scope: 'col' }, V.head.status), h('th', { scope: 'col' }, V.head.request), h('th.t3', { scope: 'col' }, V.head.kind), h('th.num.hide-s.t4', { scope: 'col' }, V.head.read), h('th.num.t5', { scope: 'col' }, V.head.ms), h('th.who.hide-s.t6', { scope: 'col' }, V.head.caller))), body), nothing);

  function shapes() {
    into(other, V.whatShapes, signal => get(path('accounts', a, 'live', 'shapes'), { limit: 100 }, signal), got => {
      const all = got.shapes.reduce((t, x) => t + x.millis, 0) || 1;
      fill(other, got.shapes.length ? h('table.t', h('thead', h('tr', V.shapesHead.map((x, i) => h('th', { scope: 'col', cls: i > 2 ? (i > 3 && i < 7 ? 'num hide-s' : 'num') : '' }, x)))), h('tbody', got.shapes.map(x => h('tr', h('td', h('b', visible(x.table))), h('td.mono.rest', visible(x.shape), x.example && may('explain') && [' ', h('a', { href: to(a, 'query', x.table, { filter: x.example }) }, V.explain)]), h('td', chip(x.kind, '–')), h('td.num', fmt.n(x.runs)), h('td.num.hide-s', fmt.n(x.read / x.runs)), h('td.num.hide-s', fmt.n(x.returned / x.runs)), h('td.num.hide-s', ms(x.millis50)), h('td.num', ms(x.millis99)), h('td.num', V.sharesOf(((100 * x.millis) / all).toFixed(1)))))))
        : empty('query', V.shapesNone, V.shapesNoneText));
    });
  }
  function errors() {
    into(other, V.whatErrors, signal => get(path('accounts', a, 'live', 'errors'), null, signal), got => {
      fill(other, got.errors.length ? h('table.t', h('thead', h('tr', V.errorsHead.map((x, i) => h('th', { scope: 'col', cls: i === 4 ? 'num' : i === 2 || i === 3 ? 'hide-s' : '' }, x)))), h('tbody', got.errors.map(x => h('tr', h('td', h('b', { cls: x.status >= 500 ? 'bad' : '' }, x.status)), h('td.mono.rest', visible(x.code) || '–'), h('td.hide-s', x.service), h('td.hide-s', x.operation), h('td.num', fmt.n(x.lastHour)), h('td', x.lastId ? h('a', { href: to(a, 'live', x.lastId), 'aria-label': V.openLast(x.lastId) }, fmt.clock(x.last)) : fmt.clock(x.last))))))
        : empty('ok', V.errorsNone, V.errorsNoneText));
    });
  }
  function main() {
    const strip = tabs(Object.entries(V.tabs), tab, id => {
      tab = id;
      side.hide();
      opened = null;
      address(where());
      middle();
    }, V.as);
    const place = h('div.over');
    const middle = () => {
      if (tab === 'requests') {
        fill(place, bar, table, foot);
        draw();
      } else {
        other.setAttribute('aria-label', V.tabs[tab]);
        fill(other);
        fill(place, other);
        (tab === 'shapes' ? shapes : errors)();
      }
      at('live', [[a, to(a)], [V.title, to(a, 'live')], ...(tab === 'requests' ? [] : [[V.tabs[tab]]])]);
    };
    fill(content, strip, place);
    middle();
  }

  function details(r) {
    const pair = (k, v) => [h('dt', k), h('dd', v)];
    return h('div.stack3', h('pre.code.wrap', { tabindex: 0, role: 'region', 'aria-label': V.head.request }, r.method + ' ' + visible(decoded(r.target))),
      h('dl.kv', pair(V.at, fmt.time(r.at) + ' UTC'), pair(V.head.status, r.status), r.code && pair(V.code, visible(r.code)), pair(V.service, r.service), pair(V.operation, r.operation), pair(V.plan, chip(r.plan, '–')), pair(V.readReturned, fmt.n(r.read) + ', ' + fmt.n(r.returned)), pair(V.serverTime, r.millis.toFixed(2) + ' ms'), pair(V.bytes, fmt.bytes(r.bytesIn) + ', ' + fmt.bytes(r.bytesOut)), pair(V.peer, visible(r.peer)), pair(V.agent, visible(r.agent) || V.noAgent),
        pair(V.id, h('span.row', h('span.mono.rest', r.id), h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': V.copyId, title: V.copyId, onclick: () => copy(r.id, V.id) }, icon('copy'))))),
      r.standsFor > 1 && note('', 'info', V.standsFor(r.standsFor)), REFUSED.includes(r.status) && !may('why') && note('', 'lock', V.adminOnly));
  }
  function why(r) {
    const box = h('div');
    into(box, V.whatWhy, signal => get(path('accounts', a, 'live', 'requests', r.id, 'why'), null, signal).catch(e => {
      if (e.status !== 404) throw e;
      return null;
    }), got => fill(box, got ? h('div.stack3', note('bad', 'lock', h('b', visible(got.text))), got.scheme && h('dl.kv', h('dt', V.scheme), h('dd', got.scheme)),
      got.fields.length > 0 && h('div.stack', h('b', V.fields), h('table.t.fixed.tight', h('thead', h('tr', V.fieldHead.map(x => h('th', { scope: 'col' }, x)))), h('tbody', got.fields.map(f => h('tr', h('td.soft', visible(f.name)), h('td.mono', f.ours ? visible(f.ours) : h('span.muted', V.emptyField))))))),
      got.checked.length > 0 && h('div.stack', h('b', V.checked), h('ul.stack', got.checked.map(x => h('li.row.soft', icon('info', 'muted'), h('span', visible(x)))))), note('', 'eye', V.whySecret)) : note('', 'info', V.whyGone)));
    return box;
  }
  async function show(id) {
    let r = rows.find(x => x.id === id);
    if (!r) {
      // Older than what this tab has: the server may still keep it.
      const got = await get(path('accounts', a, 'live', 'requests'), { limit: ALL });
      r = got.requests.find(x => x.id === id);
    }
    if (ended) return;
    opened = r || { id, n: Infinity };
    if (!r) side.show({ title: V.panel, views: [['gone', V.details]], draw: () => empty('info', V.gone, V.goneText) });
    else side.show({ title: r.method + ' ' + r.status, acts: [chip(r.plan, r.code || r.operation)], views: REFUSED.includes(r.status) && may('why') ? [['why', V.why(r.status)], ['details', V.details]] : [['details', V.details]], draw: view0 => (view0 === 'why' ? why(r) : details(r)) });
    draw();
  }

  async function update(route) {
    const x = route.parts[2];
    const next = x === 'shapes' || x === 'errors' ? x : 'requests';
    if (next !== tab || !content.firstChild) {
      tab = next;
      main();
    }
    if (x && next === 'requests') await show(x);
    else if (side.open) {
      side.hide();
      opened = null;
      draw();
    }
  }
  async function begin() {
    try {
      take(await get(path('accounts', a, 'live', 'requests'), { limit: KEPT }), false);
    } catch (e) {
      if (!ended) fill(nothing, failed(e, begin));
      return;
    }
    // What failed before may be shown, and there may be no request that draws it over.
    draw();
    open();
  }

  drawPause();
  drawBar();
  mark('wait');
  fill(split, content);
  split.classList.add('closed');
  begin().then(() => update(first));
  main();
  return {
    el: h('div.view.full', h('div.vhead', h('h1', V.title), pill, h('div.acts', h('button.btn', { type: 'button', onclick: () => save('requests.jsonl', new Blob([rows.filter(hit).map(({ fresh, ...r }) => JSON.stringify(r) + '\n').join('')], { type: 'application/jsonl' })) }, icon('download'), V.jsonLines))), split),
    update,
    close: () => {
      ended = true;
      later.cancel();
      close();
      document.removeEventListener('visibilitychange', seen);
      removeEventListener('keydown', keys);
    },
  };
}

/** A target as people read it; as it is if its escapes are not text. */
function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
