// Overview of an account, or the list of accounts.
import { h, fill, fmt, visible } from '../core.js';
import { get, path } from '../api.js';
import { icon, spark, load, empty, failed } from '../ui.js';
import { T } from '../texts.js';
import { go, to } from '../router.js';
import { at, may, accounts, account } from '../shell.js';
import { summaries } from '../events.js';
import { createResource } from './lists.js';

/** Points of the lines: five minutes at a summary every 5 s. */
const POINTS = 60;
const SHOWN = 8;

export const key = route => 'overview ' + route.parts[0];

export function view(route) {
  return route.parts.length ? overview(route.parts[0]) : accountList();
}

function accountList() {
  at('overview', [[T.overview.accounts]]);
  const list = accounts.value;
  return { el: h('div.view', h('div.vhead', h('h1', T.overview.accounts)), h('section.card', list.length ? h('ul.list', list.map(a => h('li', icon('user', 'muted'), h('a', { href: to(a) }, h('b', visible(a)))))) : empty('user', T.overview.noAccounts, T.overview.noAccountsText))) };
}

function overview(a) {
  const tiles = h('div.tiles');
  const history = { requests: [], errors: [], p99: [] };
  const push = (list, x) => {
    list.push(x ?? 0);
    if (list.length > POINTS) list.shift();
  };
  const tile = (name, value, unit, under, line, cls = '') => h('dl.tile', h('dt', name), h('dd.v', value, unit && h('small', ' ' + unit)), h('dd', spark(line, name + ', ' + T.overview.line)), h('dd.d', { cls }, under));
  const draw = s => {
    drawWork.refresh?.();
    const r = s.requests || {};
    push(history.requests, r.perSecond);
    push(history.errors, r.errorsPerSecond);
    push(history.p99, r.millis99);
    const share = r.perSecond > 0 ? (100 * r.errorsPerSecond) / r.perSecond : 0;
    fill(tiles,
      tile(T.overview.tiles.requests, r.perSecond === undefined ? '–' : r.perSecond < 10 ? r.perSecond.toFixed(1) : fmt.n(r.perSecond), T.overview.perSecond, T.overview.allAccounts, history.requests),
      tile(T.overview.tiles.p99, r.millis99 === null || r.millis99 === undefined ? '–' : Number(r.millis99.toFixed(1)), r.millis99 === null ? '' : 'ms', T.overview.allAccounts, history.p99),
      tile(T.overview.tiles.errors, r.errorsPerSecond === undefined ? '–' : Number(r.errorsPerSecond.toFixed(2)), T.overview.perSecond, T.overview.ofRequests(share.toFixed(1)), history.errors, share > 1 ? 'bad' : ''),
      tile(T.overview.tiles.stored, s.stored?.n === null || s.stored?.n === undefined ? '–' : fmt.bytes(s.stored.n), '', s.stored?.n === null ? T.unknown : s.stored?.exact ? '' : T.about, null),
      tile(T.overview.health, s.health?.status || '–', '', s.health?.detail || T.overview.since(fmt.clock(s.at)), null, s.health && s.health.status !== 'ok' ? 'bad' : ''));
  };
  const cards = h('div.cols');
  const card = (kind, section, sign, texts, right, figures) => {
    const body = h('div');
    const create = () => createResource(kind, texts).then(name => name && go(to(a, section, name)));
    load(body, texts.title, signal => get(path('accounts', a, kind), { limit: SHOWN }, signal), got => {
      fill(body, got.rows.length ? h('table.t', h('thead', h('tr', h('th', { scope: 'col' }, texts.head[0]), figures && h('th.num', { scope: 'col' }, texts.head[texts.head.length > 2 ? 2 : 1]))), h('tbody', got.rows.map(r => h('tr', h('td.rest', h('a', { href: to(a, section, r.name) }, h('b', visible(r.name)))), figures && h('td.num', figures(r))))))
        : empty(sign, texts.none, texts.noneText));
    });
    return h('section.card.c4', h('header', icon(sign, 'muted'), h('h2', texts.title), h('a.more', { href: to(a, section) }, T.overview.all), may(right) && h('button.btn.small', { type: 'button', onclick: create }, icon('plus'), texts.create)), body);
  };
  const figure = c => (c && c.n !== null && c.n !== undefined ? [!c.exact && h('span.muted', T.about + ' '), fmt.n(c.n)] : h('span.muted', T.unknown));
  const counted = r => [figure(r.entities), may('start-job') && (r.entities?.n === null || r.entities?.n === undefined || !r.entities.exact) && h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.overview.countOf(visible(r.name)), title: T.overview.count, onclick: () => import('../jobs.js').then(m => m.countMatching(a, r.name)) }, icon('redo'))];
  fill(cards, may('tables') && card('tables', 'tables', 'table', T.tables, 'create-table', r => counted(r)), may('queues') && card('queues', 'queues', 'queue', T.queues, 'create-queue', r => figure(r.messages)), may('containers') && card('containers', 'blobs', 'blob', T.blobs, 'create-container', r => h('span.soft', T.blobs.access[r.public] || r.public)));
  // They stand above the cards and push them down when they come, so the view is busy until then.
  const attention = h('section.card', { hidden: true }), hour = h('div'), work = h('section.card.jobs', { hidden: true });
  const drawWork = may('jobs') ? underWay(a, work) : () => {};
  if (may('diagnoses')) needsAttention(a, attention);
  if (may('load')) lastHour(a, hour);
  tiles.hidden = !may('summary');
  const end = may('summary') ? summaries(a, draw, e => tiles.children.length || fill(tiles, failed(e)), drawWork) : () => {};
  at('overview', [[a]]);
  return {
    el: h('div.view', h('div.vhead', h('h1', visible(account.value)), h('span.sub', T.overview.estimates), h('div.acts', h('a.btn.primary', { href: to(a, 'query') }, icon('query'), T.overview.newQuery))), tiles, attention, work, hour, cards),
    close: end,
  };
}

/** Jobs that are not over. Nothing is shown if there are none. Gives what takes a job that changed. */
function underWay(a, box) {
  const jobs = new Map();
  const body = h('div');
  const draw = async () => {
    const open = [...jobs.values()];
    box.hidden = !open.length;
    if (!open.length) return;
    const m = await import('../jobs.js');
    if (!box.children.length) fill(box, h('header', icon('job', 'muted'), h('h2', T.overview.work), h('a.more', { href: to(a, 'jobs') }, T.nav.jobs)), body);
    m.jobCards(body, a, open, take);
  };
  const take = j => {
    if (['done', 'cancelled', 'failed'].includes(j.state)) jobs.delete(j.id);
    else if (!jobs.has(j.id) || j.version >= jobs.get(j.id).version) jobs.set(j.id, j);
    draw();
  };
  // An event may have been missed before the stream was open, so those that are shown are fetched with each summary.
  take.again = () => get(path('accounts', a, 'jobs')).then(got => got.jobs.forEach(take), () => {});
  take.refresh = () => jobs.size && take.again();
  return take;
}

/** Open diagnoses, the worst first, each a link into the map. Nothing is shown if there are none. */
async function needsAttention(a, box) {
  box.setAttribute('aria-busy', 'true');
  const got = await get(path('accounts', a, 'load', 'diagnoses')).catch(() => ({ diagnoses: [] }));
  box.removeAttribute('aria-busy');
  const open = got.diagnoses.filter(d => !d.over && !d.silencedUntil);
  box.hidden = !open.length;
  fill(box, h('header', icon('warn', 'warn'), h('h2', T.overview.attention), h('a.more', { href: to(a, 'load') }, T.nav.load)),
    h('ul.list', open.slice(0, SHOWN).map(d => h('li', icon(...(SIGNS[d.level] || SIGNS.advice)), h('div.grow', h('a', { href: to(a, 'load', { diagnosis: d.id }) }, h('b', d.title)), ' ', h('span.muted', visible(d.space)), h('div.soft.rest', visible(d.fact))), h('span.muted', d.level)))));
}
const SIGNS = { failing: ['fire', 'bad'], warning: ['warn', 'warn'], advice: ['bulb', 'muted'] };

/** The account's requests of the last hour by minute, if there were any. */
async function lastHour(a, box) {
  box.setAttribute('aria-busy', 'true');
  const to0 = Math.floor((Date.now() - 5000) / 60e3) * 60e3;
  const window = { from: new Date(to0 - 3600e3).toISOString(), to: new Date(to0).toISOString(), rows: 256, columns: 60 };
  try {
    const [{ chart }, got] = await Promise.all([import('../chart.js'), get(path('accounts', a, 'load'), { ...window, side: 'apart' })]);
    const times = Array.from({ length: got.columns }, (_, i) => fmt.clock(Date.parse(got.from) + i * got.columnSeconds * 1000).slice(0, 5));
    if (got.rows.length) fill(box, chart(T.overview.hour, [[T.overview.reads, got.reads], [T.overview.writes, got.writes]], times, v => (v < 100 ? v.toFixed(1) : fmt.n(v)) + T.overview.perSecond));
  } catch {
    // The tiles above say what is wrong.
  } finally {
    box.removeAttribute('aria-busy');
  }
}
