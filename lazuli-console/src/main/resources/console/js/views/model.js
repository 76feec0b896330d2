// Model: entities and what a program asks, then keys, patterns, costs and code, and a trial on this server.
import { h, fill, fmt, debounce, visible } from '../core.js';
import { get, post, call, path } from '../api.js';
import { icon, toast, empty, note, copy, save, seg, java, dialog, sentence, load as into } from '../ui.js';
import { T } from '../texts.js';
import { go, to, setGuard } from '../router.js';
import { at, may } from '../shell.js';
import { M } from './model-texts.js';

const TYPES = ['String', 'Int32', 'Int64', 'Double', 'Boolean', 'DateTime', 'Guid', 'Binary'];
const NAME = /^[A-Za-z][A-Za-z0-9 _-]{0,63}$/;
const START = { entities: [{ name: 'Order', count: 1000000, key: ['number'], properties: [{ name: 'number', type: 'String', unique: true }, { name: 'customer', type: 'String', distinct: 50000 }, { name: 'at', type: 'DateTime' }, { name: 'cents', type: 'Int64' }] }], accesses: ['read Order by number 100/s', 'list Order by customer newest first 20 20/s', 'insert Order 5/s'] };

export const key = route => 'model ' + JSON.stringify(route.parts.slice(0, 3));
const scroll = (label, ...kids) => h('div.scrollx', { tabindex: 0, role: 'region', 'aria-label': label }, kids);
const table = (head, body, numbers = [], cls = '') => h('table.t', { cls }, h('thead', h('tr', head.map((t, i) => h('th', { scope: 'col', cls: numbers.includes(i) ? 'num' : '' }, t || h('span.sr', T.remove))))), h('tbody', body));
const kind = k => h('span.chip', { cls: M.kinds[k] || '' }, k || M.byKey);
const figure = x => (x >= 10 || Number.isInteger(x) ? fmt.n(x) : x.toFixed(1));

export function view(route) {
  const [a, , name] = route.parts;
  at('model', [[a, to(a)], [M.title, name === undefined ? null : to(a, 'model')], ...(name === undefined ? [] : [[visible(name)]])].map(x => x.filter(y => y !== null)));
  return name === undefined ? list(a) : editor(a, name);
}

function list(a) {
  const box = h('div.stack3');
  const create = async (examples, from = '') => {
    const input = h('input.field', { autofocus: true, autocomplete: 'off', spellcheck: 'false', value: from.replace(/-/g, ' ') });
    const pick = h('select.field', { value: from }, h('option', { value: '' }, M.empty), examples.map(e => h('option', { value: e.name }, e.name)));
    await dialog(M.makeTitle, h('div.stack3', h('label.lab', T.nameLabel, input), h('p.muted', M.makeHint), h('label.lab', M.example, pick)), [{ text: T.cancel }, { text: T.create, kind: 'primary', when: () => NAME.test(input.value.trim()), run: async () => {
      const e = examples.find(x => x.name === pick.value) || START;
      await call('PUT', path('accounts', a, 'models', input.value.trim()), { body: { entities: e.entities, accesses: e.accesses } });
      await go(to(a, 'model', input.value.trim()));
    } }]);
  };
  const act = h('div.acts');
  into(box, M.what, async signal => [await get(path('accounts', a, 'models'), null, signal), await get(path('accounts', a, 'model-examples'), null, signal)], ([{ models }, { examples }]) => {
    const button = may('store-model') && h('button.btn.primary', { type: 'button', onclick: () => create(examples) }, icon('plus'), M.make);
    fill(act, button);
    fill(box, models.length ? h('section.card', h('ul.plain.body.stack', models.map(m => h('li', h('a', { href: to(a, 'model', m.name) }, visible(m.name)))))) : empty('model', M.none, M.noneText),
      h('section.card', h('header', h('h2', M.examples)), h('ul.plain.body.stack', examples.map(e => h('li', may('store-model') ? h('button.btn.small', { type: 'button', onclick: () => create(examples, e.name) }, e.name) : h('b', e.name), ' ', h('span.muted', e.section))))));
  });
  return { el: h('div.view', h('div.vhead', h('h1', M.all), h('span.sub', M.sub), act), box) };
}

function editor(a, name) {
  let model = null, dirty = false, proposals = [], chosen = 0, control = new AbortController();
  const state = h('span.chip', { hidden: true, cls: 'warnc' }, M.unsaved);
  const entities = h('div.body.stack3'), wrong = h('div', { role: 'alert' }), out = h('div.stack3'), body = h('div.stack3'), trial = h('div.stack3', { 'aria-live': 'polite' });
  const lines = h('textarea.field.mono', { rows: 8, spellcheck: 'false', 'data-filter': '', 'aria-label': M.sentences, oninput: () => {
    model.accesses = lines.value.split('\n').map(x => x.trim()).filter(Boolean);
    changed();
  } });
  const guard = async () => !dirty || (await dialog(M.leaveTitle, h('p', M.leaveText), [{ text: M.stay }, { text: M.leave, kind: 'danger', value: true }])) === true;
  guard.dirty = () => dirty;
  const mark = on => {
    dirty = on;
    state.hidden = !on;
    setGuard(on ? guard : null);
  };
  const later = debounce(300, propose);
  const changed = () => {
    mark(true);
    later();
  };
  const field = (o, k, label, extra = {}) => h('input.field', { value: o[k] ?? '', 'aria-label': label, spellcheck: 'false', autocomplete: 'off', ...extra, oninput: e => {
    o[k] = e.target.value.trim();
    changed();
  } });
  const whole = (o, k, label, extra = {}) => h('input.field', { value: o[k] ? String(o[k]) : '', inputmode: 'numeric', cls: 'num', 'aria-label': label, autocomplete: 'off', ...extra, oninput: e => {
    o[k] = Number(e.target.value.replace(/[, ]/g, '')) || 0;
    changed();
  } });

  function property(e, p) {
    const values = h('input.field', { value: p.unique ? M.unique : p.distinct ? String(p.distinct) : '', placeholder: M.unknown, 'aria-label': M.labels.values, autocomplete: 'off', oninput: x => {
      const text = x.target.value.trim();
      p.unique = text === M.unique;
      p.distinct = p.unique ? 0 : Number(text.replace(/[, ]/g, '')) || 0;
      changed();
    } });
    return h('tr', h('td', field(p, 'name', M.labels.name, { cls: 'mono' })), h('td', h('select.field', { value: p.type, 'aria-label': M.labels.type, onchange: x => ((p.type = x.target.value), changed()) }, TYPES.map(t => h('option', { value: t }, t)))), h('td', values), h('td', whole(p, 'bytes', M.labels.bytes)), h('td', whole(p, 'digits', M.labels.digits)),
      h('td', h('select.field', { value: p.refersTo || '', 'aria-label': M.labels.refersTo, onchange: x => ((p.refersTo = x.target.value || null), changed()) }, h('option', { value: '' }, M.nobody), model.entities.map(o => h('option', { value: o.name }, o.name)))),
      h('td', h('button.btn.icon.quiet', { type: 'button', 'aria-label': M.dropProperty(p.name), title: M.dropProperty(p.name), onclick: () => ((e.properties = e.properties.filter(x => x !== p)), changed(), drawEntities()) }, icon('close'))));
  }
  function drawEntities() {
    fill(entities, model.entities.map(e => h('fieldset.plain.stack', h('legend', M.entity + ' ' + visible(e.name)),
      h('div.formgrid', h('label.lab', M.name, field(e, 'name', M.name)), h('label.lab', M.count, whole(e, 'count', M.count)), h('label.lab', M.key, h('input.field.mono', { value: e.key.join(', '), placeholder: M.keyHint, spellcheck: 'false', oninput: x => ((e.key = x.target.value.split(',').map(y => y.trim()).filter(Boolean)), changed()) }))),
      scroll(M.properties(e.name), table(M.head, e.properties.map(p => property(e, p)), [], 'edit')),
      h('div.row.wrap', h('button.btn.small', { type: 'button', onclick: () => (e.properties.push({ name: M.fresh(e.properties.length + 1), type: 'String', refersTo: null }), changed(), drawEntities()) }, icon('plus'), M.addProperty), h('span.grow'),
        model.entities.length > 1 && h('button.btn.small.quiet', { type: 'button', onclick: () => ((model.entities = model.entities.filter(x => x !== e)), changed(), drawEntities()) }, icon('trash'), M.dropEntity(e.name))))));
  }
  const addEntity = () => {
    model.entities.push({ name: M.freshEntity(model.entities.length + 1), count: 1000, key: ['id'], properties: [{ name: 'id', type: 'String', unique: true, refersTo: null }] });
    changed();
    drawEntities();
  };
  /** Returns the model to send. The server estimates a size that nobody stated. */
  const sent = () => ({ entities: model.entities.map(e => ({ name: e.name, count: e.count || 1, key: e.key, properties: e.properties.map(p => ({ name: p.name, type: p.type, ...(p.bytes ? { bytes: p.bytes } : {}), unique: Boolean(p.unique), distinct: p.distinct || 0, digits: p.digits || 0, refersTo: p.refersTo || null })) })), accesses: model.accesses });

  async function propose() {
    control.abort();
    control = new AbortController();
    if (!model.entities.length || !model.accesses.length) {
      fill(out, empty('model', M.proposals, M.waiting));
      return;
    }
    try {
      proposals = (await post(path('accounts', a, 'models', 'propose'), { ...sent(), name }, control.signal)).proposals;
      fill(wrong);
      chosen = Math.min(chosen, proposals.length - 1);
      drawProposals();
    } catch (e) {
      if (e.name !== 'AbortError') fill(wrong, note('bad', 'warn', sentence(e)));
    }
  }
  const keys = t => [h('dt', M.partitionKey), h('dd.mono', t.partitionKey || M.emptyKey), h('dt', M.rowKey), h('dd.mono', t.rowKey || M.emptyKey)];
  function design(t) {
    const how = t.storage === 'plain' ? '' : M.storage[t.storage](t.parts);
    return h('div.stack', h('div.row.wrap', h('b', visible(t.entity)), h('span.muted', t.storage === 'log' ? '' : M.in(t.table)), how && h('span.chip.info', how)), t.storage !== 'log' && h('dl.kv', keys(t), t.paths.map(p => [h('dt', M.paths[p.placement](p.name)), h('dd.mono', (p.partitionKey || M.emptyKey) + ' / ' + (p.rowKey || M.emptyKey))])));
  }
  function drawProposals() {
    const p = proposals[chosen], letter = M.letters[chosen];
    const plans = p.tables.flatMap(t => t.accesses);
    fill(out, h('section.card', h('header', h('h2', M.proposals), h('span.more', seg(proposals.map((x, i) => [String(i), M.letters[i]]), String(chosen), i => ((chosen = Number(i)), fill(trial), drawProposals(), out.querySelector('[aria-checked=true]')?.focus()), M.choose))),
      h('div.body.stack3', h('div.row.wrap', h('b', letter + ': ' + p.title), chosen === 0 && h('span.chip.okc', M.proposed)), h('p.soft', visible(p.why)), h('div.cols', h('div.c6.stack3', p.tables.map(design)),
        h('div.c6.stack3', h('dl.kv', Object.entries(M.figures).flatMap(([k, text]) => [h('dt', text), h('dd.num', figure(p[k]))])), h('h3', M.patterns), p.patterns.length ? h('ul.plain.stack', p.patterns.map(x => h('li', h('b', x.section), ' ', h('span.muted', visible(x.entity) + ', ' + M.page(x.page)), h('div.soft', visible(x.reason))))) : h('p.soft', M.noPatterns),
          p.warnings.map(w => note('gold', 'warn', h('b', visible(w.entity) + ', ' + w.kind + ': '), visible(w.text)))),
      ), scroll(M.plans, table(M.plan, plans.map(x => h('tr', h('td', visible(x.text)), h('td.num', M.rate(x.perSecond)), h('td', kind(x.kind)), h('td.num', figure(x.read)), h('td.num', figure(x.returned)), h('td.num', figure(x.requests)), h('td.num', figure(x.written)))), [1, 3, 4, 5, 6])),
      p.tables.some(t => t.encoding.length) && h('div', h('h3', M.encoding), h('ul.stack', p.tables.flatMap(t => t.encoding).filter((x, i, all) => all.indexOf(x) === i).map(x => h('li.soft', visible(x))))),
      may('try-model') && h('div', h('button.btn', { type: 'button', onclick: attempt }, icon('play'), M.tryIt)), trial)),
    h('section.card', h('header', h('h2', M.code(letter)), h('span.more.row', h('button.btn.small', { type: 'button', onclick: () => copy(p.code, M.codeName) }, icon('copy'), M.copyCode), h('button.btn.small', { type: 'button', onclick: () => save(p.file, new Blob([p.code], { type: 'text/plain' })) }, icon('download'), M.download))), h('div.body', java(p.code))));
  }
  async function store(quiet) {
    try {
      await call('PUT', path('accounts', a, 'models', name), { body: sent() });
      mark(false);
      fill(wrong);
      if (!quiet) toast(M.saved(name));
      return true;
    } catch (e) {
      fill(wrong, note('bad', 'warn', sentence(e)));
      return false;
    }
  }
  async function attempt() {
    if (dirty && !(await store(true))) return;
    await into(trial, M.trying, signal => post(path('accounts', a, 'models', name, 'try'), { proposal: chosen }, signal), got => fill(trial, h('h3', M.tried), h('p.soft', M.triedText(got.rows, got.tables.length)), h('div.row.wrap', got.tables.map(t => h('a.chip', { href: to(a, 'tables', t) }, t))),
      scroll(M.tried, table(M.triedHead, got.tried.map(x => h('tr', h('td', visible(x.text)), h('td', kind(x.promised)), h('td', kind(x.kind), ' ', h('span', { cls: x.asPromised ? 'muted' : 'bad' }, x.asPromised ? M.same : M.differs)), h('td.num', fmt.n(x.read)), h('td.num', fmt.n(x.returned)), h('td', h('a.mono', { href: to(a, 'query', x.table, { filter: x.filter }) }, visible(x.filter))))), [3, 4]))));
  }
  async function remove() {
    const done = await dialog(M.removeTitle(name), h('p', M.removeText), [{ text: T.keep }, { text: M.remove, kind: 'danger', run: async () => {
      await call('DELETE', path('accounts', a, 'models', name));
    } }]);
    if (!done) return;
    mark(false);
    toast(M.removed(name));
    await go(to(a, 'model'));
  }
  const acts = h('div.acts', state, may('delete-model') && h('button.btn', { type: 'button', onclick: remove }, icon('trash'), M.remove), may('store-model') && h('button.btn.primary', { type: 'button', onclick: () => store(false) }, M.save));
  into(body, M.what, signal => get(path('accounts', a, 'models', name), null, signal), got => {
    model = got;
    lines.value = model.accesses.join('\n');
    drawEntities();
    fill(body, h('div.cols', h('section.card.c6', h('header', h('h2', M.entities), h('button.btn.small.more', { type: 'button', onclick: addEntity }, icon('plus'), M.addEntity)), entities),
      h('section.card.c6', h('header', h('h2', M.accesses)), h('div.body.stack3', h('label.lab', M.sentences, lines), wrong, h('details', h('summary', M.help), h('ul.stack', M.forms.map(x => h('li', h('code', x)))))))), out);
    propose();
  });
  return { el: h('div.view', h('div.vhead', h('h1', M.title + ': ' + visible(name)), h('span.sub', M.sub), acts), body), close: () => (later.cancel(), control.abort()) };
}
