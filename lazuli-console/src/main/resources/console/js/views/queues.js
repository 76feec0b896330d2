// Queues: the list, and all messages of one queue: visible, hidden and expired. Nothing is taken by looking.
import { h, fill, fmt, debounce, visible } from '../core.js';
import { get, post, call, path } from '../api.js';
import { icon, dialog, toast, empty, jsonText, sentence, note, copy } from '../ui.js';
import { T } from '../texts.js';
import { go, to, note as noteAddress, noteParams } from '../router.js';
import { at, may, used, changedLists } from '../shell.js';
import { Pages } from '../pages.js';
import { gridState } from '../grid.js';
import { panel } from '../panel.js';
import { resourceList, deleteByName } from './lists.js';
import { decode } from '../decode.js';

export const key = r => (r.parts.length > 2 ? 'queue ' + r.parts[0] + ' ' + r.parts[2] : 'queues ' + r.parts[0]);

export function view(route) {
  if (route.parts.length > 2) return queue(route);
  return resourceList(route, {
    kind: 'queues', section: 'queues', texts: T.queues, sign: 'queue', right: 'create-queue',
    columns: [{ id: 'n', name: T.queues.head[1], width: 160, right: true, cell: r => h('span.val', T.estimate(r.messages)), text: r => String(r.messages?.n ?? '') }],
  });
}

const STATES = ['all', 'visible', 'hidden', 'expired'];
const COLOURS = { visible: 'ok', hidden: 'warn', expired: 'muted' };
const narrow = matchMedia('(max-width: 860px)');
const POISON = '-poison';
const OFTEN = 3;

function queue(route) {
  const [a, , name] = route.parts;
  const base = path('accounts', a, 'queues', name);
  let state = STATES.includes(route.params.get('state')) ? route.params.get('state') : 'all';
  let contains = route.params.get('contains') || '';
  let pages = null;
  let counts = null;
  let open = null;
  const grid = document.createElement('lz-grid');
  const cover = h('div.cover');
  const split = h('div.split.sheet');
  const side = panel(split, T.message.panel, () => {
    open = null;
    grid.setOpen(null);
    grid.focus({ preventScroll: true });
    noteAddress(to(a, 'queues', name, params()));
  });
  const params = () => ({ state: state === 'all' ? null : state, contains });
  const sub = h('span.sub');
  const bar = h('div.grow.hide-s.max320');
  const filters = h('div.row.wrap');
  const foot = h('span.grow.cut');

  const columns = () => {
    const c = T.queues.columns;
    const later = x => {
      const left = new Date(x).getTime() - Date.now();
      return left > 0 ? T.queues.in(fmt.span(left)) : T.queues.passed;
    };
    const all = [
      { id: 'state', name: c.state, width: 96, cell: m => h('span.val.pill', { cls: COLOURS[m.state] }, T.queues.state[m.state]), text: m => m.state },
      { id: 'id', name: c.id, width: 96, mono: true, cell: m => h('span.val', { title: m.id }, m.id.slice(0, 8)), text: m => m.id },
      { id: 'inserted', name: c.inserted, width: 164, right: true, small: true, cell: m => h('span.val', fmt.time(m.inserted)), text: m => m.inserted },
      { id: 'visible', name: c.visible, width: 118, right: true, small: true, cell: m => h('span.val', m.state === 'hidden' ? later(m.visible) : '–'), text: m => m.visible },
      { id: 'expires', name: c.expires, width: 118, right: true, small: true, cell: m => h('span.val', m.expires === null ? T.queues.never : later(m.expires)), text: m => m.expires || '' },
      { id: 'taken', name: c.taken, width: 64, right: true, cell: m => h('span.val', { cls: m.taken >= OFTEN ? 'bad' : '' }, m.taken >= OFTEN ? h('b', m.taken) : m.taken), text: m => String(m.taken) },
      { id: 'body', name: c.body, width: 620, mono: true, cell: m => h('span.val', visible(decode(m.body).text.slice(0, 300).replace(/\s+/g, ' '))), text: m => m.body },
    ];
    return narrow.matches ? all.filter(x => !x.small) : all;
  };
  grid.setup({ label: T.queues.label(name), pages: { known: 0, end: false, row() {}, need() {}, loaded: () => [], limit: 20 }, columns: columns(), id: m => m.id, onOpen: m => openMessage(m), onDelete: may('delete-message') ? m => remove(m) : null });

  const refresh = () => {
    const got = pages.last?.counts;
    if (got && got !== counts) {
      counts = got;
      drawCounts();
    }
    gridState(cover, pages, () => (contains || state !== 'all' ? empty('filter', T.queues.noMatch, T.queues.noMatchText(pages.scanned)) : empty('queue', T.queues.empty, T.queues.emptyText)));
    fill(foot, T.queues.shown(pages.known, pages.end), contains && ' · ' + T.queues.looked(pages.scanned), h('span.hide-s', ' · ' + T.queues.foot), contains && pages.busy && [' ', h('button.btn.small', { type: 'button', onclick: () => pages.stop() }, T.stop)]);
    grid.refresh();
  };
  const read = () => {
    pages?.close();
    pages = new Pages((after, limit, signal) => get(base + '/messages', { state: state === 'all' ? null : state, contains: contains || null, after, limit }, signal), { changed: refresh });
    grid.o.pages = pages;
    grid.scrollTop = 0;
    grid.at.r = 0;
    pages.more();
    refresh();
  };
  const n = s => (counts ? counts[s].n ?? 0 : 0);
  function drawCounts() {
    const sum = n('visible') + n('hidden') + n('expired');
    const exact = counts && Object.values(counts).every(c => c.exact);
    fill(sub, counts && T.estimate({ n: sum, exact }) + ' ' + T.messages(sum === 1 ? 1 : 2).slice(2));
    fill(filters, STATES.map(s => h('button.btn.small', { type: 'button', 'aria-pressed': String(state === s), onclick: () => {
      state = s;
      noteParams({ state: s === 'all' ? null : s });
      drawCounts();
      read();
    } }, T.queues.states[s], counts && h('span.badge', fmt.n(s === 'all' ? sum : n(s))))));
    fill(bar, sum > 0 && h('div.segbar', { role: 'img', 'aria-label': STATES.slice(1).map(s => fmt.n(n(s)) + ' ' + T.queues.state[s]).join(', ') }, [['visible', 'bg-ok'], ['hidden', 'bg-gold'], ['expired', 'bg-dim']].filter(([s]) => n(s) > 0).map(([s, c]) => h('i', { cls: c, style: { flex: String(Math.max(0.01, n(s) / sum)) } }))));
  }

  async function openMessage(m, tell = true) {
    open = m;
    if (tell) noteAddress(to(a, 'queues', name, m.id, params()));
    draw();
    if (m.cut) {
      try {
        const whole = await get(base + '/message', { id: m.id });
        if (open === m) {
          open = whole;
          draw();
        }
      } catch (e) {
        fill(side.body, note('bad', 'warn', sentence(e)));
      }
    }
  }
  function draw() {
    const m = open;
    const d = decode(m.body);
    const left = new Date(m.visible).getTime() - Date.now();
    const act = (text, right, run, cls = '', sign = null) => may(right) && h('button.btn.small', { type: 'button', cls, onclick: run }, sign && icon(sign), text);
    side.show({
      title: m.id,
      views: [['decoded', T.message.decoded], ['sent', T.message.sent]],
      acts: [h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.entity.copy, title: T.entity.copy, onclick: () => copy(d.text) }, icon('copy'))],
      draw: id => h('div.stack3', id === 'sent' ? h('pre.code.wrap', { tabindex: 0 }, visible(m.body)) : d.json ? jsonText(d.text) : h('pre.code.wrap', { tabindex: 0 }, visible(d.text).replace(/\u240a/g, '\n').replace(/\u2409/g, '\t')),
        h('dl.kv', h('dt', T.message.state), h('dd', h('span.pill', { cls: COLOURS[m.state] }, T.queues.state[m.state]), m.state === 'hidden' && left > 0 && h('span.soft', T.message.toVisible(fmt.span(left)))), h('dt', T.message.inserted), h('dd', fmt.time(m.inserted) + ' ' + T.utc), h('dt', T.message.visible), h('dd', fmt.time(m.visible) + ' ' + T.utc), h('dt', T.message.expires), h('dd', m.expires === null ? T.queues.never : fmt.time(m.expires) + ' ' + T.utc), h('dt', T.message.taken), h('dd', T.message.times(m.taken)), h('dt', T.message.size), h('dd', fmt.bytes(m.bytes) + ', ' + T.message.form[d.form])),
        note('info', 'eye', T.message.calm)),
      foot: [act(T.message.copy, 'put-message', () => put(m.body), '', 'copy'), m.state === 'hidden' ? act(T.message.show, 'show-message', () => makeVisible(m)) : act(T.message.move, 'requeue', () => requeue([m.id])), h('span.grow'), act(T.message.remove, 'delete-message', () => remove(m), 'danger', 'trash')],
    });
  }
  async function openById(id) {
    if (open?.id === id) return;
    const loaded = pages?.find(m => m.id === id);
    grid.setOpen(id);
    if (loaded) return openMessage(loaded.row, false);
    try {
      await openMessage(await get(base + '/message', { id }), false);
    } catch (e) {
      side.show({ title: id, views: [['x', '']], draw: () => empty('info', T.error.gone, e.status === 404 ? T.message.gone : sentence(e)) });
    }
  }
  const tried = async run => {
    try {
      await run();
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  };
  const makeVisible = m => tried(async () => {
    const row = await call('POST', base + '/message/visible', { query: { id: m.id } });
    pages.replace(x => x.id === m.id, row);
    if (open?.id === m.id) {
      open = row;
      draw();
    }
    toast(T.message.shown);
    if (counts) {
      counts = { ...counts, hidden: { ...counts.hidden, n: n('hidden') - 1 }, visible: { ...counts.visible, n: n('visible') + 1 } };
      drawCounts();
    }
  });
  const remove = m => dialog(T.message.removeTitle, h('p', T.message.removeText), [{ text: T.keep }, { text: T.message.remove, kind: 'danger', run: async () => {
    await call('DELETE', base + '/message', { query: { id: m.id } });
    pages.remove(x => x.id === m.id);
    if (open?.id === m.id) side.close();
    if (counts?.[m.state]) {
      counts = { ...counts, [m.state]: { ...counts[m.state], n: n(m.state) - 1 } };
      drawCounts();
    }
    toast(T.message.removed);
  } }]);
  function put(body = '') {
    const area = h('textarea.field.mono', { rows: 8, autofocus: true, spellcheck: 'false' });
    area.value = body;
    const encode = h('input', { type: 'checkbox' });
    const delay = h('input.field.num', { value: '0', inputmode: 'numeric' });
    const ttl = h('input.field.num', { value: '168', inputmode: 'numeric' });
    return dialog(T.queues.putTitle, h('div.stack3', h('label.lab', T.queues.body, area), h('label.check', encode, T.queues.base64), h('div.formgrid', h('label.lab', T.queues.delay, delay), h('label.lab', T.queues.ttl, ttl))), [{ text: T.cancel }, {
      text: T.queues.putDo, kind: 'primary', run: async () => {
        const text = encode.checked ? btoa(String.fromCharCode(...new TextEncoder().encode(area.value))) : area.value;
        await post(base + '/messages', { body: text, hiddenSeconds: Number(delay.value) || 0, ttlSeconds: ttl.value.trim() === '' ? null : Math.round(Number(ttl.value) * 3600) });
        toast(T.queues.sent);
        read();
      },
    }], { wide: true });
  }
  function requeue(ids = null) {
    const target = h('input.field.mono', { value: name.endsWith(POISON) ? name.slice(0, -POISON.length) : '', autofocus: true, spellcheck: 'false' });
    const progress = h('p.soft');
    return dialog(T.queues.requeueTitle(name), h('div.stack3', h('p', T.queues.requeueText), h('label.lab', T.queues.target, target), progress), [{ text: T.cancel }, {
      text: T.queues.requeueDo, kind: 'primary', when: () => target.value.trim() !== '', run: async () => {
        let moved = 0;
        for (;;) {
          const got = await post(base + '/requeue', { to: target.value.trim(), ...(ids ? { ids } : {}) });
          moved += got.moved;
          fill(progress, T.queues.moving(moved));
          if (ids || !got.left || !got.moved) break;
        }
        toast(T.queues.moved(moved));
        if (ids) side.close();
        changedLists();
        read();
      },
    }]);
  }
  const purge = () => deleteByName(T.queues.purgeTitle(name), T.queues.purgeText(counts ? fmt.n(n('visible') + n('hidden') + n('expired')) : ''), T.queues.typeName, name, T.queues.purgeDo, async () => {
    await post(base + '/purge', { name });
    toast(T.queues.purged);
    if (side.open) side.close();
    counts = null;
    changedLists();
    read();
  });
  const removeQueue = () => deleteByName(T.queues.removeTitle(name), T.queues.removeText, T.queues.typeName, name, T.queues.remove, async () => {
    await call('DELETE', base);
    toast(T.queues.removed(name));
    changedLists();
    go(to(a, 'queues'));
  });
  const search = h('input.field.w220', { type: 'search', 'data-filter': '', value: contains, placeholder: T.queues.search, 'aria-label': T.queues.search, oninput: debounce(300, () => {
    contains = search.value;
    noteParams({ contains });
    read();
  }) });
  split.prepend(h('div.content', h('div.bar', filters, h('span.grow'), search), h('div.over', grid, cover), h('div.bar.foot', foot)));
  const resized = () => grid.setColumns(columns());
  narrow.addEventListener('change', resized);
  const el = h('div.view.full', { onkeydown: e => e.key === 'Escape' && side.open && side.close() }, h('div.vhead', h('h1', name), sub, bar, h('div.acts', may('delete-queue') && h('button.btn.quiet.hide-s', { type: 'button', onclick: removeQueue }, T.remove + '…'), may('purge') && h('button.btn.danger', { type: 'button', onclick: purge }, T.queues.purge), may('requeue') && h('button.btn', { type: 'button', onclick: () => requeue() }, T.queues.requeue), h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.tables.reload, title: T.tables.reload, onclick: read }, icon('redo')), may('put-message') && h('button.btn.primary', { type: 'button', onclick: () => put() }, icon('plus'), T.queues.put))), split);
  at('queues', [[a, to(a)], [T.nav.queues, to(a, 'queues')], [name]], name);
  used('queues', name);
  drawCounts();
  read();
  const place = r => {
    if (r.parts.length > 3) openById(r.parts[3]);
    else if (side.open) {
      open = null;
      grid.setOpen(null);
      side.hide();
    }
  };
  place(route);
  return {
    el,
    update: place,
    close: () => {
      narrow.removeEventListener('change', resized);
      pages.close();
    },
  };
}
