// Access: makes shared access signatures and says in words what they allow; stored access policies; keys; CORS; logging.
import { h, fill, fmt } from '../core.js';
import { get, post, call, path } from '../api.js';
import { icon, toast, empty, note, copy, seg, sentence, load } from '../ui.js';
import { T } from '../texts.js';
import { to } from '../router.js';
import { at, may } from '../shell.js';
import { A } from './access-texts.js';

const PERMISSIONS = { account: 'rwdlacup', table: 'raud', queue: 'raup', container: 'racwdl', directory: 'racwdl', blob: 'racwd', snapshot: 'rd', version: 'rd' };
const START = { account: 'rl', table: 'r', queue: 'r', container: 'rl', directory: 'r', blob: 'r', snapshot: 'r', version: 'r' };
const POLICIES_MAX = 5;
const HOUR = 3600e3;
const SHOWN_MS = 30e3;
const PAGES = { sas, policies, keys, cors, logging };

export const key = r => 'access ' + r.parts[0] + ' ' + (r.parts[2] || 'sas');

export function view(route) {
  const a = route.parts[0];
  const tab = Object.hasOwn(PAGES, route.parts[2] || '') ? route.parts[2] : 'sas';
  at('access', [[a, to(a)], [T.access.title, to(a, 'access', 'sas')], [A.tabs[tab]]]);
  const page = may('sas') ? PAGES[tab](a, route) : note('bad', 'lock', h('b', T.error.refused));
  return {
    close: () => page.close?.(),
    el: h('div.view', h('div.vhead', h('h1', T.access.title), h('span.sub', a)), h('nav.tabs.pad0', { 'aria-label': T.access.title }, Object.entries(A.tabs).map(([id, text]) => h('a', { href: to(a, 'access', id), 'aria-current': id === tab ? 'page' : null }, text))), page),
  };
}

const lab = (text, el) => h('label.lab', text, el);

function sas(a, route) {
  const st = { kind: 'table', resource: '', at: '', permissions: new Set(START.table), services: new Set('bqt'), types: new Set('co'), hours: '8', ip: '', https: false, policy: '', fromPartition: '', fromRow: '', toPartition: '', toRow: '' };
  if (Object.hasOwn(A.kinds, route.params.get('kind') || '')) st.kind = route.params.get('kind');
  st.resource = route.params.get('resource') || '';
  st.permissions = new Set(START[st.kind]);
  const form = h('div.stack3');
  const out = h('div.stack3', { 'aria-live': 'polite' });
  const stale = h('div');
  let made = false;
  const changed = () => fill(stale, made && note('gold', 'info', T.access.changedForm));
  const names = h('datalist', { id: 'sas-names' });
  const text = (k, hint, extra = {}) => h('input.field', { value: st[k], placeholder: hint, spellcheck: 'false', ...extra, oninput: e => {
    st[k] = e.target.value;
    changed();
  } });
  const checks = (legend, set, letters, words) => h('fieldset.plain', h('legend', legend), h('div.row.wrap.gap3', [...letters].map(x => h('label.check', h('input', { type: 'checkbox', checked: set.has(x), onchange: e => {
    if (e.target.checked) set.add(x);
    else set.delete(x);
    changed();
  } }), words[x] || x))));
  async function suggest() {
    const kind = { table: 'tables', queue: 'queues', container: 'containers' }[st.kind] || (st.kind !== 'account' && 'containers');
    if (!kind) return fill(names);
    try {
      const { rows } = await get(path('accounts', a, kind), { limit: 100 });
      return fill(names, rows.map(r => h('option', { value: kind === 'containers' && st.kind !== 'container' ? r.name + '/' : r.name })));
    } catch {
      return undefined;
    }
  }
  function draw() {
    fill(form, h('fieldset.plain', h('legend', T.access.kind), seg(Object.entries(A.kinds), st.kind, k => {
      st.kind = k;
      st.permissions = new Set(START[k]);
      draw();
      changed();
    }, T.access.kind)),
    st.kind === 'account' ? [checks(T.access.services, st.services, 'bqt', T.access.serviceNames), checks(T.access.levels, st.types, 'sco', T.access.levelNames)] : lab(A.resource[st.kind], text('resource', '', { list: 'sas-names', name: 'resource' })), names, A.at[st.kind] && lab(A.at[st.kind], text('at', '')),
    checks(T.access.may, st.permissions, PERMISSIONS[st.kind], T.access.permissions),
    st.kind === 'table' && h('div.formgrid', lab(T.access.fromPartition, text('fromPartition', T.access.first)), lab(T.access.toPartition, text('toPartition', T.access.last)), lab(T.access.fromRow, text('fromRow', T.access.first)), lab(T.access.toRow, text('toRow', T.access.last))),
    h('div.formgrid', lab(T.access.hours, text('hours', '', { inputmode: 'numeric', cls: 'num' })), lab(T.access.ip, text('ip', T.access.any))),
    st.kind !== 'account' && lab(T.access.policy, text('policy', T.access.noPolicy)),
    h('label.check', h('input', { type: 'checkbox', checked: st.https, onchange: e => {
      st.https = e.target.checked;
      changed();
    } }), T.access.https), h('div', h('button.btn.primary', { type: 'submit' }, icon('key'), T.access.sign)));
    suggest();
  }
  const body = () => {
    const end = new Date(Math.round(Date.now() / 1000) * 1000 + Number(st.hours) * HOUR);
    return {
      kind: st.kind, permissions: [...PERMISSIONS[st.kind]].filter(x => st.permissions.has(x)).join(''), from: null, to: Number(st.hours) > 0 ? end.toISOString().slice(0, 19) + 'Z' : null, ip: st.ip || null, https: st.https,
      ...(st.kind === 'account' ? { services: [...'bqt'].filter(x => st.services.has(x)).join(''), types: [...'sco'].filter(x => st.types.has(x)).join('') } : { resource: st.resource.trim(), policy: st.policy || null, at: A.at[st.kind] ? st.at.trim() : null }),
      ...(st.kind === 'table' && (st.fromPartition || st.toPartition) ? { keys: { fromPartition: st.fromPartition || null, fromRow: st.fromRow || null, toPartition: st.toPartition || null, toRow: st.toRow || null } } : {}),
    };
  };
  async function make() {
    try {
      const got = await post(path('accounts', a, 'sas'), body());
      made = true;
      fill(stale);
      fill(out, stale, h('div.words', got.words.map(w => h('p', w))), got.warnings.map(w => note('gold', 'warn', w)),
        h('div.stack', h('b', T.access.token), h('pre.code.wrap', { tabindex: 0 }, got.token), h('div.row.wrap', h('button.btn.primary', { type: 'button', onclick: () => copy(got.url, T.access.url) }, icon('copy'), T.access.copyUrl), h('button.btn', { type: 'button', onclick: () => copy(got.token, T.access.token) }, T.access.copyToken))),
        got.tried.length > 0 && h('div.stack', h('b', T.access.tried), h('table.t', h('tbody', got.tried.map(x => h('tr', h('td', x.what, x.why && h('div.muted', x.why)), h('td.num', h('span.pill', { cls: x.allowed ? 'ok' : 'bad' }, x.allowed ? T.access.allowed : T.access.refused))))))),
        h('p.muted', T.access.once));
    } catch (e) {
      fill(out, note('bad', 'warn', sentence(e)));
    }
  }
  draw();
  fill(out, empty('key', T.access.notYet, T.access.notYetText));
  return h('div.cols', h('section.card.c5', h('header', h('h2', T.access.make)), h('form.body', { onsubmit: e => (e.preventDefault(), make()) }, form)), h('section.card.c7', h('header', h('h2', T.access.allows)), h('div.body', out)));
}

function policies(a) {
  let service = 'table';
  let list = [];
  const resource = h('input.field.mono', { spellcheck: 'false', required: true });
  const out = h('div');
  const query = () => ({ service, resource: resource.value.trim() });
  const read = () => load(out, A.tabs.policies, signal => get(path('accounts', a, 'policies'), query(), signal), got => {
    list = got.policies.map(p => ({ ...p }));
    draw();
  });
  function draw() {
    const [id, from, until, mayDo] = T.access.policyHead;
    const cell = (p, k, name) => h('td', h('input.field', { value: p[k] || '', 'aria-label': name, spellcheck: 'false', oninput: e => (p[k] = e.target.value || null) }));
    fill(out, list.length ? h('div.scrollx', h('table.t', h('thead', h('tr', T.access.policyHead.map(x => h('th', { scope: 'col' }, x)))), h('tbody', list.map(p => h('tr', cell(p, 'id', id), cell(p, 'from', from), cell(p, 'to', until), cell(p, 'permissions', mayDo), h('td', h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.access.dropPolicy(p.id || ''), onclick: () => {
      list = list.filter(x => x !== p);
      draw();
    } }, icon('trash')))))))) : empty('key', T.access.noPolicies, T.access.noPoliciesText),
    h('div.body.row', h('button.btn', { type: 'button', disabled: list.length >= POLICIES_MAX, onclick: () => {
      list.push({ id: '', from: null, to: fmt.time(Date.now() + 30 * 24 * HOUR).replace(' ', 'T') + 'Z', permissions: 'r' });
      draw();
    } }, icon('plus'), T.access.addPolicy), h('button.btn.primary', { type: 'button', onclick: store }, T.access.savePolicies)));
  }
  async function store() {
    try {
      await call('PUT', path('accounts', a, 'policies'), { query: query(), body: { policies: list } });
      toast(T.access.policiesSaved);
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }
  return h('section.card', h('header', h('h2', A.tabs.policies)), h('form.body.row.wrap.gap3', { onsubmit: e => (e.preventDefault(), read()) }, seg(Object.entries(T.access.services3), service, s => (service = s), T.access.service), h('label.row', h('span.muted', T.access.policyName), resource), h('button.btn', { type: 'submit' }, T.access.readPolicies)), out);
}

/** Keys are asked for by a press, and leave the page after 30 seconds. */
function keys(a) {
  const out = h('div.stack3', { 'aria-live': 'polite' });
  let timer = 0;
  const hide = text => {
    clearTimeout(timer);
    fill(out, text && h('p.muted', text));
  };
  async function show() {
    try {
      const got = await post(path('accounts', a, 'keys'), {});
      fill(out, got.keys.map((k, i) => h('div.stack', h('b', A.key(i + 1)), h('pre.code.wrap', { tabindex: 0 }, k), h('div', h('button.btn.small', { type: 'button', onclick: () => copy(k, A.key(i + 1)) }, icon('copy'), A.copyKey(i + 1))))), h('div', h('button.btn', { type: 'button', onclick: () => hide(A.keysHidden) }, A.hide)));
      clearTimeout(timer);
      timer = setTimeout(() => hide(A.keysHidden), SHOWN_MS);
    } catch (e) {
      fill(out, note('bad', 'warn', sentence(e)));
    }
  }
  const el = h('section.card', h('header', h('h2', A.keysHead)), h('div.body.stack3', h('p.soft', A.keysText), h('div', h('button.btn', { type: 'button', onclick: show }, icon('key'), A.show)), out));
  el.close = () => hide();
  return el;
}

/** A form over the properties of a service: `draw` shows what was read, `body` gives what to store. */
function properties(a, head, text, draw, body) {
  let service = 'table';
  const out = h('div.stack3');
  const show = got => fill(out, draw(got, show), h('div', h('button.btn.primary', { type: 'button', onclick: store }, A.store)));
  const read = () => load(out, head, signal => get(path('accounts', a, 'properties'), { service }, signal), show);
  async function store() {
    try {
      show(await call('PATCH', path('accounts', a, 'properties'), { query: { service }, body: body() }));
      toast(A.stored);
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }
  read();
  return h('section.card', h('header', h('h2', head)), h('div.body.stack3', h('p.soft', text), seg(Object.entries(T.access.services3), service, x => {
    service = x;
    read();
  }, T.access.service), out));
}

function cors(a) {
  let rules = [];
  const words = text => text.split(',').map(x => x.trim()).filter(Boolean);
  const draw = (got, again) => {
    rules = got.cors;
    const field = (r, k) => lab(A.fields[k], h('input.field', { value: k === 'seconds' ? String(r[k]) : r[k].join(', '), spellcheck: 'false', oninput: e => (r[k] = k === 'seconds' ? Number(e.target.value) || 0 : words(e.target.value)) }));
    return [rules.length === 0 && empty('lock', A.noRules, A.noRulesText), rules.map((r, i) => h('fieldset.plain', h('legend', A.rule(i + 1)), h('div.formgrid', Object.keys(A.fields).map(k => field(r, k))), h('button.btn.small', { type: 'button', 'aria-label': A.dropRule(i + 1), onclick: () => again({ cors: rules.filter(x => x !== r) }) }, icon('trash')))),
      h('div', h('button.btn', { type: 'button', disabled: rules.length >= POLICIES_MAX, onclick: () => again({ cors: [...rules, { origins: [], methods: ['GET'], headers: ['*'], exposed: ['*'], seconds: 300 }] }) }, icon('plus'), A.addRule))];
  };
  return properties(a, A.corsHead, A.corsText, draw, () => ({ cors: rules }));
}

function logging(a) {
  let now = {};
  const check = (o, k, text) => h('label.check', h('input', { type: 'checkbox', checked: o[k], onchange: e => (o[k] = e.target.checked) }), text);
  const days = o => lab(A.days, h('input.field', { value: o.days ?? '', placeholder: A.ever, inputmode: 'numeric', oninput: e => (o.days = e.target.value.trim() === '' ? null : Math.trunc(Number(e.target.value)) || 0) }));
  const draw = got => {
    now = { logging: got.logging, hour: got.hour, minute: got.minute };
    return [h('fieldset.plain', h('legend', A.loggingHead), h('div.row.wrap.gap3', Object.entries(A.log).map(([k, text]) => check(now.logging, k, text))), days(now.logging)),
      Object.entries(A.metrics).map(([k, text]) => h('fieldset.plain', h('legend', text), h('div.row.wrap.gap3', check(now[k], 'on', A.on), check(now[k], 'apis', A.apis)), days(now[k])))];
  };
  return properties(a, A.loggingHead, A.loggingText, draw, () => now);
}
