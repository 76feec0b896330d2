// The frame around every view: rail, top bar, drawer and tabs on small screens, theme, palette, keys, sign-in.
import { h, fill, list, store, fmt, remembered, debounce, visible } from './core.js';
import { get, call, path, online, onSignedOut, BASE } from './api.js';
import { icon, brand, layer, dialog, toast, say, copy } from './ui.js';
import { T } from './texts.js';
import { go, to, parse } from './router.js';
import { follow as followEvents, jobsOpen } from './events.js';

export const session = store(null);
export const account = store(null);
export const accounts = store([]);

/** Whether the role may use a route, by its name in the list of routes. */
export const may = name => Boolean(session.value && session.value.may.includes(name)) && (session.value.server.writable || READS.test(name));
const READS = /^(?:session|sign-out|limits|accounts|summary|events|tables|query|explain|columns|keys|near|entity|queues|messages?|containers|blobs?|content|blocks|policies|sas|load|diagnoses|live.*|why|jobs|job|job-log|job-result|models?|model-examples|propose|cost)$/;

/** The rail. `kind` names the list that opens below an item. */
const ITEMS = [
  { id: 'overview', group: null, icon: 'home', key: 'o', path: a => to(a) },
  { id: 'tables', right: 'query', group: 'data', icon: 'table', key: 't', path: a => to(a, 'tables'), kind: 'tables', child: (a, n) => to(a, 'tables', n), tab: true },
  { id: 'queues', right: 'messages', group: 'data', icon: 'queue', key: 'q', path: a => to(a, 'queues'), kind: 'queues', child: (a, n) => to(a, 'queues', n), tab: true },
  { id: 'blobs', right: 'blobs', group: 'data', icon: 'blob', key: 'b', path: a => to(a, 'blobs'), kind: 'containers', child: (a, n) => to(a, 'blobs', n), tab: true },
  { id: 'query', right: 'query', group: 'data', icon: 'query', key: 'y', path: a => to(a, 'query'), kind: 'tables', child: (a, n) => to(a, 'query', n), tab: true },
  { id: 'load', right: 'load', group: 'understand', icon: 'heat', key: 'l', path: a => to(a, 'load') },
  { id: 'live', right: 'live-requests', group: 'understand', icon: 'live', key: 'r', path: a => to(a, 'live') },
  { id: 'cost', right: 'cost', group: 'understand', icon: 'cost', key: 'c', path: a => to(a, 'cost') },
  { id: 'model', right: 'models', group: 'understand', icon: 'model', key: 'm', path: a => to(a, 'model') },
  { id: 'jobs', right: 'jobs', group: 'work', icon: 'job', key: 'j', path: a => to(a, 'jobs') },
  { id: 'access', right: 'sas', group: 'work', icon: 'key', key: 'a', path: a => to(a, 'access', 'sas') },
  { id: 'server', group: 'work', icon: 'server', key: 's', path: () => '/-/server' },
];
/** A role, or a server without a route, leaves items out. */
const items = () => ITEMS.filter(i => !i.right || may(i.right));
const SHOWN_MAX = 12;

const main = h('main.main', { id: 'main', tabindex: -1 });
export const stage = main;

// Theme: the system's unless the person chose one.
const system = matchMedia('(prefers-color-scheme: dark)');
const dark = () => (remembered.get('theme', null) || (system.matches ? 'dark' : 'light')) === 'dark';
const themeButton = h('button.btn.icon.quiet', { type: 'button', onclick: () => (remembered.set('theme', dark() ? 'light' : 'dark'), theme()) });
function theme() {
  document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
  themeButton.setAttribute('aria-label', dark() ? T.shell.light : T.shell.dark);
  themeButton.title = dark() ? T.shell.light : T.shell.dark;
  fill(themeButton, icon(dark() ? 'sun' : 'moon'));
}
system.addEventListener('change', theme);

const crumbs = h('nav.crumbs', { 'aria-label': T.shell.path });
const lines = h('div.lines');
const sub = h('div.sub');
const rail = h('nav', { 'aria-label': T.shell.views });
const bottom = h('nav.tabs-bottom', { 'aria-label': T.shell.mainViews });
const accountButton = h('button.account', { type: 'button', 'aria-haspopup': 'dialog', onclick: () => palette('', 'accounts') });
const foot = h('div.foot');
const app = document.getElementById('app');
let drawerBack = null;

function drawer(open) {
  if (app.classList.contains('open') === open) return;
  app.classList.toggle('open', open);
  menuButton.setAttribute('aria-expanded', String(open));
  for (const x of app.children) x.inert = open && x !== nav && x !== scrim;
  if (open) {
    drawerBack = document.activeElement;
    nav.querySelector('a, button').focus();
  } else if (drawerBack) drawerBack.focus();
}
const menuButton = h('button.btn.icon.quiet.menu-btn', { type: 'button', 'aria-label': T.shell.menu, 'aria-expanded': 'false', onclick: () => drawer(true) }, icon('menu'));
const nav = h('div.nav', { id: 'nav', onkeydown: e => e.key === 'Escape' && drawer(false) },
  h('div.row.between', h('a.brand', { href: '/' }, brand(), T.name),
    h('button.btn.icon.quiet.menu-btn', { type: 'button', 'aria-label': T.shell.closeMenu, onclick: () => drawer(false) }, icon('close'))),
  accountButton, rail, foot);
const userButton = h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.shell.user, title: T.shell.user, 'aria-haspopup': 'dialog', onclick: userDialog }, icon('user'));
const top = h('header.top', menuButton, crumbs,
  h('button.find', { type: 'button', 'aria-label': T.shell.find + ', ' + T.shell.findKey, onclick: () => palette() }, icon('search'), h('span', T.shell.find), h('span.kbd', T.shell.findKey)), themeButton, userButton);
const scrim = h('div.drawer-scrim', { onclick: () => drawer(false) });

/** Puts the frame on the page, without what needs a session. */
export function frame() {
  theme();
  fill(app, nav, scrim, h('div.head', top, lines), main, bottom);
}

/** Draws the frame anew when what it shows changes. */
export function follow() {
  session.watch(warnings);
  session.watch(drawRail);
  online.watch(warnings);
  account.watch(drawRail);
  accounts.watch(drawAccount);
  jobsOpen.watch(drawJobs);
  const events = () => followEvents(session.value && account.value && may('events') ? account.value : null);
  session.watch(events);
  account.watch(events);
  account.watch(drawAccount);
}

/** A plain page without the frame, for signing in. */
export function bare(el) {
  theme();
  app.className = 'app bare';
  fill(app, main);
  fill(main, el);
}

export function framed() {
  if (app.classList.contains('bare')) {
    app.className = 'app';
    frame();
  }
}

function drawAccount() {
  fill(accountButton, h('span.dot'), h('span.grow.cut', account.value || T.shell.noAccount), accounts.value.length > 1 && icon('down'));
  accountButton.setAttribute('aria-label', T.shell.account(account.value || T.shell.noAccount));
}

function warnings() {
  const s = session.value;
  const gold = [];
  if (!online.value) gold.push(T.line.offline);
  if (s) {
    if (!s.server.writable) gold.push(T.line.readOnly);
    if (s.server.rehearsing) gold.push(T.line.rehearsing);
    if (!s.server.durable) gold.push(T.line.notDurable);
    if (s.open) gold.push(T.line.open);
    fill(foot, h('span.pill', { cls: online.value ? 'ok' : 'bad' }, online.value ? T.shell.healthy : T.shell.noAnswer), h('span.grow'), h('span', s.server.version));
  }
  document.documentElement.classList.toggle('offline', !online.value);
  list(lines, gold, x => x, x => h('div.line', { role: 'status' }, icon('warn'), x));
}

let current = { id: '', name: '' };
function item(i) {
  const on = i.id === current.id;
  return h('a.item', { href: account.value || i.id === 'server' ? i.path(account.value) : '/', 'aria-current': on ? 'page' : null, onclick: () => drawer(false) }, icon(i.icon), T.nav[i.id], i.id === 'jobs' && jobsBadge);
}
const jobsBadge = h('span.badge.run');
function drawJobs(n) {
  fill(jobsBadge, n > 0 && [fmt.n(n), h('span.sr', ' ' + T.shell.jobsOpen)]);
}
function drawRail() {
  const groups = [null, 'data', 'understand', 'work'];
  const shown = items();
  fill(rail, groups.map(g => [g && shown.some(i => i.group === g) && h('h2', T.nav.groups[g]), shown.filter(i => i.group === g).map(i => [item(i), i.id === current.id && i.kind ? sub : null])]));
  fill(bottom, [ITEMS[0], ...shown.filter(i => i.tab)].map(i => h('a', { href: account.value ? i.path(account.value) : '/', 'aria-current': i.id === current.id ? 'page' : null }, icon(i.icon), T.nav[i.id])));
}

// The list below the open item: the last used first, then by a prefix that the server looks up.
const last = kind => remembered.get('last.' + kind + '.' + account.value, []);
export function used(kind, name) {
  remembered.set('last.' + kind + '.' + account.value, [name, ...last(kind).filter(x => x !== name)].slice(0, SHOWN_MAX));
}
export const counted = row => row.entities || row.messages || null;
const figure = row => {
  const c = counted(row);
  return c && c.n !== null && c.n !== undefined ? (c.exact ? '' : '~') + fmt.short(c.n) : '';
};
let subFor = '';
let subRows = [];
async function drawSub(force) {
  const i = ITEMS.find(x => x.id === current.id);
  if (!i || !i.kind || !account.value) return fill(sub);
  const of = account.value + '/' + i.kind;
  if (force || subFor !== of) {
    subFor = of;
    sub.ariaBusy = 'true';
    const got = await get(path('accounts', account.value, i.kind), { limit: SHOWN_MAX }).catch(() => null);
    if (subFor !== of) return undefined;
    sub.ariaBusy = 'false';
    if (!got) {
      subFor = '';
      return undefined;
    }
    subRows = got.rows;
    subRows.more = got.next !== null;
  }
  const first = last(i.kind).filter(n => subRows.more || subRows.some(r => r.name === n));
  const names = [...new Set([...first, ...subRows.map(r => r.name)])].slice(0, SHOWN_MAX);
  return fill(sub, names.map(n => h('a', { href: i.child(account.value, n), title: n, 'aria-current': n === current.name ? 'page' : null, onclick: () => drawer(false) }, h('span.cut', visible(n)), h('span.num', figure(subRows.find(r => r.name === n) || {})))),
    (subRows.more || names.length < subRows.length) && h('button.all', { type: 'button', onclick: () => (drawer(false), palette('', i.kind)) }, T.shell.all[i.kind]));
}
/** After something was created or deleted. */
export const changedLists = () => drawSub(true);

/** Says where we are: item of the rail, name of the resource, and the path on top. */
export function at(id, trail, name = '') {
  const moved = current.id !== id;
  current = { id, name };
  if (moved || !rail.children.length) drawRail();
  drawSub(false);
  fill(crumbs, trail.map(([text, href], i) => [i > 0 && h('span.muted', { 'aria-hidden': 'true' }, '/'), href && i < trail.length - 1 ? h('a', { href }, visible(text)) : h('span', { 'aria-current': 'page' }, visible(text))]));
  const title = trail.map(x => visible(x[0])).reverse().join(' · ');
  document.title = title + ' · ' + T.name;
  say(T.opened(visible(trail[trail.length - 1][0])));
}

// Ctrl K: views, and names that begin with what is typed, looked up by the server.
export function palette(start = '', only = null) {
  let chosen = 0;
  let shown = [];
  let control = new AbortController();
  const found = h('ul', { id: 'palette-list', role: 'listbox', 'aria-label': T.palette.matches });
  const input = h('input', { value: start, placeholder: only ? T.palette.only[only] : T.palette.hint, role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-autocomplete': 'list', 'aria-label': T.palette.label, autocomplete: 'off', spellcheck: 'false' });
  const pick = i => {
    if (!shown[i]) return;
    close();
    shown[i].run ? shown[i].run() : go(shown[i].href);
  };
  const draw = () => {
    chosen = Math.max(0, Math.min(chosen, shown.length - 1));
    fill(found, shown.map((x, i) => h('li', { role: 'option', id: 'palette-' + i, 'aria-selected': String(i === chosen), onclick: () => pick(i) }, icon(x.icon), h('span.cut', visible(x.text)), h('span.muted', x.kind))), !shown.length && h('li.none', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, T.palette.none(input.value)));
    if (shown.length) input.setAttribute('aria-activedescendant', 'palette-' + chosen);
    else input.removeAttribute('aria-activedescendant');
    found.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const local = q => {
    const a = account.value;
    const views = only ? [] : items().filter(i => a || i.id === 'server').map(i => ({ icon: i.icon, text: T.palette.goTo(T.nav[i.id]), href: i.path(a), kind: T.palette.view }));
    const own = only && only !== 'accounts' ? [] : accounts.value.filter(x => only || x !== a).map(x => ({ icon: 'user', text: x, href: to(x), kind: T.palette.account }));
    return [...(only ? [] : views), ...own].filter(x => x.text.toLowerCase().includes(q.toLowerCase()));
  };
  const ask = debounce(90, async () => {
    const a = account.value;
    const q = input.value.trim();
    control.abort();
    control = new AbortController();
    if (!a || only === 'accounts') return;
    const kinds = only ? [only] : ['tables', 'queues', 'containers'].filter(may);
    const results = await Promise.all(kinds.map(k => names(k, q, only ? 50 : 6, control.signal).then(rows => rows.map(r => [k, r.name]), () => [])));
    if (control.signal.aborted) return;
    const rows = results.flat().map(([k, n]) => ({ icon: { tables: 'table', queues: 'queue', containers: 'blob' }[k], text: n, kind: T.palette.kinds[k], href: to(a, k === 'containers' ? 'blobs' : current.id === 'query' && k === 'tables' && only ? 'query' : k, n) }));
    const keep = shown[chosen]?.text;
    shown = [...rows, ...(q || !rows.length || !only ? local(q) : [])];
    if (chosen && keep) chosen = Math.max(0, shown.findIndex(x => x.text === keep));
    draw();
  });
  const box = h('lz-palette.dialog.palette', { role: 'dialog', 'aria-modal': 'true', 'aria-label': T.palette.label }, input, found);
  const close = layer(box, { onclose: () => control.abort() });
  input.addEventListener('input', () => {
    chosen = 0;
    shown = local(input.value.trim());
    draw();
    ask();
  });
  input.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault();
      chosen = (chosen + (e.key === 'ArrowDown' ? 1 : -1) + shown.length) % Math.max(1, shown.length);
      draw();
    } else if (e.key === 'Enter') {
      e.preventDefault();
      pick(chosen);
    }
  });
  shown = local(start);
  draw();
  ask();
  input.focus();
}

/** Names that begin with a text in any of its usual spellings; the server's prefix is by case. */
async function names(kind, q, limit, signal) {
  const spellings = kind === 'tables' && q ? [...new Set([q, q.toLowerCase(), q[0].toUpperCase() + q.slice(1)])] : [q.toLowerCase()];
  const pages = await Promise.all(spellings.map(prefix => get(path('accounts', account.value, kind), { prefix: prefix || null, limit }, signal)));
  const seen = new Map();
  for (const p of pages) for (const r of p.rows) seen.set(r.name, r);
  return [...seen.values()].slice(0, limit);
}

function userDialog() {
  const s = session.value;
  if (!s) return;
  const single = h('input', { type: 'checkbox', checked: remembered.get('keys', true), onchange: e => remembered.set('keys', e.target.checked) });
  dialog(T.shell.user, h('div.stack3', h('dl.kv', h('dt', T.session.user), h('dd', s.open ? T.session.openUser : s.user), h('dt', T.session.role), h('dd', s.role), !s.open && s.ends && [h('dt', T.session.ends), h('dd', fmt.time(s.ends) + ' UTC')]),
    h('label.check', single, T.shell.singleKeys)),
  [{ text: T.close }, ...(s.open ? [] : [{ text: T.session.signOut, kind: 'danger', run: signOut }])]);
}
async function signOut() {
  await call('DELETE', path('session'));
  session.set(null);
  go('/-/sign-in');
}

function keysDialog() {
  dialog(T.keys.title, h('table.t.tight', h('thead', h('tr', T.keys.head.map(x => h('th', { scope: 'col' }, x)))), h('tbody', T.keys.rows.map(r => h('tr', h('td', h('span.kbd', r[0])), h('td', r[1]), h('td', r[2]))))), [{ text: T.close }], { wide: true });
}

let chord = 0;
export function keyboard() {
  addEventListener('keydown', e => {
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') {
      e.preventDefault();
      if (!document.querySelector('.scrim') && session.value) palette();
      return;
    }
    const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== 'checkbox';
    if (typing || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('.scrim') || !remembered.get('keys', true)) return;
    if (e.key === '/') {
      const f = document.querySelector('[data-filter]');
      if (f) {
        e.preventDefault();
        f.focus();
      }
    } else if (e.key === '?') keysDialog();
    else if (chord && Date.now() - chord < 1500) {
      const i = items().find(x => x.key === e.key);
      chord = 0;
      if (i && (account.value || i.id === 'server')) {
        e.preventDefault();
        go(i.path(account.value));
      }
    } else chord = e.key === 'g' ? Date.now() : 0;
  });
}

/** Fetches who I am. Gives false and shows the sign-in page if nobody is signed in. */
export async function who() {
  session.set(await get(BASE + '/session'));
  accounts.set((await get(path('accounts'))).accounts.map(a => a.name));
}
onSignedOut(() => {
  if (parse(location.href).parts[1] === 'sign-in') return;
  session.set(null);
  const here = location.pathname + location.search;
  go('/-/sign-in' + (here === '/' ? '' : '?to=' + encodeURIComponent(here)));
});

export { toast, copy };
