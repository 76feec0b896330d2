// Forms for one entity: the panel's fields, adding, cloning, replacing, choosing columns.
import { h, fill, marksOf, visible } from './core.js';
import { call, path } from './api.js';
import { icon, dialog, toast, save, copy, jsonText, java, note } from './ui.js';
import { T } from './texts.js';
import { TYPES, parse, text, show, from, wireProps, jsonOf } from './value.js';
import { keyQuery } from './staged.js';
import { to } from './router.js';

const NAME = /^[\p{L}_][\p{L}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,254}$/u;
const FIXED = new Set(['PartitionKey', 'RowKey', 'Timestamp']);
const LONG = 60;

/** A field for one value. `change(value)` gets what was typed if it is right; the sentence is shown if it is not. */
export function field(name, value, { dirty, change, remove, disabled }) {
  const id = 'f' + Math.random().toString(36).slice(2);
  const wrong = h('div.wrong', { id: id + 'w' });
  const long = value.t === 'String' && (value.v.length > LONG || value.v.includes('\n'));
  const options = { value: text(value), 'aria-label': `${visible(name)}, ${value.t}`, 'aria-describedby': id + 'w', cls: dirty ? 'dirty' : '', disabled, spellcheck: 'false' };
  const input = value.t === 'Boolean' ? h('select.field', options, ['true', 'false'].map(x => h('option', { value: x }, x)))
    : long ? h('textarea.field', { ...options, rows: Math.min(8, 2 + Math.floor(value.v.length / LONG)) })
      : h('input.field', { ...options, cls: (dirty ? 'dirty ' : '') + (value.t === 'String' ? '' : 'mono') });
  input.addEventListener('change', () => {
    const got = parse(value.t, input.value);
    if (got.wrong) {
      input.setAttribute('aria-invalid', 'true');
      fill(wrong, got.wrong);
    } else {
      input.removeAttribute('aria-invalid');
      fill(wrong);
      change(got.value);
    }
  });
  const extra = value.t === 'Binary' && h('div.row.wrap', h('button.btn.small', { type: 'button', onclick: () => save(name.replace(/[^\p{L}\p{N}_]/gu, '_') + '.bin', new Blob([bytes(value.v)])) }, icon('download'), T.entity.download),
    !disabled && h('label.btn.small', icon('upload'), T.entity.upload, h('input.sr', { type: 'file', onchange: async e => e.target.files[0] && change({ t: 'Binary', v: base64(new Uint8Array(await e.target.files[0].arrayBuffer())) }) })));
  const hidden = value.t === 'String' ? marksOf(value.v) : [];
  const row = h('div.frow', h('span.n0', visible(name), h('span.tag', value.t)), h('div.stack', input, hidden.length > 0 && h('div.muted', T.value.hidden(hidden.join(' '))), extra), remove ? h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.entity.dropProperty(name), title: T.entity.dropProperty(name), onclick: remove }, icon('trash')) : h('span'), wrong);
  row.lzField = { name, type: value.t, input };
  return row;
}

export function bytes(base64) {
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}
export function base64(array) {
  let out = '';
  for (let i = 0; i < array.length; i += 8192) out += String.fromCharCode(...array.subarray(i, i + 8192));
  return btoa(out);
}

/** The fields of the panel. `staged` may be null: then nothing can be edited. */
export function fields(e, staged) {
  const stored = e.props;
  const now = staged ? staged.seen(e).props : stored;
  const fixed = (name, v) => h('div.frow', h('span.n0', name, h('span.tag', name === 'Timestamp' ? 'DateTime' : 'String')), h('span.mono.soft.rest', v), h('span'));
  const el = h('div.fields', fixed('PartitionKey', keyShown(e.pk)), fixed('RowKey', keyShown(e.rk)), fixed('Timestamp', e.ts),
    [...now].map(([name, v]) => field(name, v, { dirty: staged && staged.of(e, name) !== undefined, disabled: !staged || v.cut !== undefined, change: value => staged.change(e, name, value), remove: staged && (() => staged.change(e, name, null)) })),
    [...stored].filter(([name]) => !now.has(name)).map(([name, v]) => h('div.frow', h('span.n0', name, h('span.tag', v.t)), h('s.muted', show(v)), h('button.btn.small', { type: 'button', onclick: () => staged.change(e, name, v) }, T.staged.undo))),
    staged && h('div', h('button.btn.small', { type: 'button', onclick: () => addProperty(now, (name, value) => staged.change(e, name, value)) }, icon('plus'), T.entity.property)));
  /** Shows what is staged now without making the fields anew: somebody may be typing in one. Gives false if they differ. */
  el.lzUpdate = () => {
    const rows = [...el.children].map(x => x.lzField).filter(Boolean);
    const next = [...staged.seen(e).props];
    if (rows.length !== next.length || !rows.every((r, i) => r.name === next[i][0] && r.type === next[i][1].t)) return false;
    rows.forEach(({ name, input }, i) => {
      input.classList.toggle('dirty', staged.of(e, name) !== undefined);
      if (input !== document.activeElement && !input.hasAttribute('aria-invalid')) input.value = text(next[i][1]);
    });
    return true;
  };
  return el;
}

const keyShown = key => (key === '' ? h('span.val.blank', { 'aria-label': T.value.emptyText }, "''") : visible(key));

/** How to reach the entity. */
export function addresses(a, table, e) {
  const quote = x => "'" + encodeURIComponent(x.replace(/'/g, "''")) + "'";
  const link = location.origin + to(a, 'tables', table, e.pk, e.rk);
  return h('div.stack3', h('div.stack', h('b', T.entity.inCode), java(`table.get(new EntityKey(\n    ${JSON.stringify(e.pk)},\n    ${JSON.stringify(e.rk)}))`)),
    h('div.stack', h('b', T.entity.onWire), h('pre.code.wrap', `GET /${a}/${table}(PartitionKey=${quote(e.pk)},RowKey=${quote(e.rk)})`)),
    h('div.stack', h('b', T.entity.thisView), h('pre.code.wrap', link), h('div', h('button.btn.small', { type: 'button', onclick: () => copy(link) }, icon('link'), T.entity.copy && T.access.copyUrl))));
}

function checkName(name, taken) {
  if (FIXED.has(name)) return T.entity.reserved;
  if (!NAME.test(name)) return T.entity.badName;
  return taken(name) ? T.entity.twice(name) : null;
}

function typeSelect(value, onchange) {
  return h('select.field', { 'aria-label': T.entity.type, value, onchange }, TYPES.map(t => h('option', { value: t }, t)));
}

export function addProperty(props, done) {
  const name = h('input.field.mono', { autofocus: true, spellcheck: 'false' });
  const type = typeSelect('String');
  const value = h('input.field', { spellcheck: 'false' });
  return dialog(T.entity.addProperty, h('div.stack3', h('label.lab', T.entity.propertyName, name), h('div.formgrid', h('label.lab', T.entity.type, type), h('label.lab', T.entity.value, value)), h('p.muted', T.entity.nameHint)), [{ text: T.cancel }, {
    text: T.entity.add, kind: 'primary', run: async () => {
      const bad = checkName(name.value, n => props.has(n));
      const got = parse(type.value, value.value);
      if (bad || got.wrong) throw { text: bad || got.wrong };
      done(name.value, got.value);
    },
  }]);
}

/** Adds or clones. `like` gives the fields at the start. Gives the stored row. */
export function addEntity(a, table, like, title) {
  const pk = h('input.field.mono', { value: like?.pk ?? '', spellcheck: 'false', autofocus: true });
  const rk = h('input.field.mono', { value: like?.rk ?? '', spellcheck: 'false' });
  const list = h('div.props');
  const add = (n, v) => {
    const name = h('input.field.mono', { value: n, 'aria-label': T.entity.propertyName, placeholder: T.entity.propertyName, spellcheck: 'false' });
    const type = typeSelect(v.t);
    const value = h('input.field.pv', { value: text(v), 'aria-label': T.entity.value, placeholder: T.entity.value, spellcheck: 'false' });
    const row = h('div.p', name, type, value, h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.entity.dropProperty(n), onclick: () => row.remove() }, icon('trash')));
    row.lzRead = () => ({ name: name.value, type: type.value, value: value.value });
    list.append(row);
    return name;
  };
  if (like) for (const [n, v] of like.props) add(n, v);
  else add('', { t: 'String', v: '' });
  return dialog(title, h('div.stack3', h('div.formgrid', h('label.lab', T.entity.pk, pk), h('label.lab', T.entity.rk, rk)), list, h('div', h('button.btn.small', { type: 'button', onclick: () => add('', { t: 'String', v: '' }).focus() }, icon('plus'), T.entity.property))), [{ text: T.cancel }, {
    text: T.entity.insert, kind: 'primary', run: async () => {
      const props = new Map();
      for (const row of list.children) {
        const p = row.lzRead();
        if (!p.name && !p.value) continue;
        const bad = checkName(p.name, n => props.has(n));
        const got = parse(p.type, p.value);
        if (bad || got.wrong) throw { text: `${p.name}: ${bad || got.wrong}` };
        props.set(p.name, got.value);
      }
      const row = await call('POST', path('accounts', a, 'tables', table, 'entities'), { body: { k: [pk.value, rk.value], v: wireProps(props) } });
      toast(T.entity.inserted);
      return row;
    },
  }], { wide: true });
}

/** Replaces or merges by JSON. Gives the stored row. */
export function replaceEntity(a, table, e) {
  const out = JSON.parse(jsonOf(e));
  for (const k of FIXED) delete out[k];
  const area = h('textarea.field.mono', { rows: 14, spellcheck: 'false', autofocus: true, 'aria-label': 'JSON' });
  area.value = JSON.stringify(out, null, 2);
  const run = method => async () => {
    let props;
    try {
      props = JSON.parse(area.value);
    } catch {
      throw { text: T.entity.badJson };
    }
    if (typeof props !== 'object' || props === null || Array.isArray(props)) throw { text: T.entity.badJson };
    for (const v of Object.values(props)) if (v === null || Array.isArray(v)) throw { text: T.entity.badJson };
    const v = wireProps(new Map(Object.entries(props).map(([k, x]) => [k, from(x)])));
    const row = await call(method, path('accounts', a, 'tables', table, 'entities'), { query: keyQuery(e), headers: { 'If-Match': e.etag }, body: { v } });
    toast(method === 'PUT' ? T.entity.replaced : T.entity.merged);
    return row;
  };
  return dialog(T.entity.replaceTitle, h('div.stack3', note('info', 'info', T.entity.replaceText), area, h('p.muted', T.entity.jsonHint)), [{ text: T.cancel }, { text: T.entity.mergeDo, run: run('PATCH') }, { text: T.entity.replaceDo, kind: 'primary', run: run('PUT') }], { wide: true });
}

/** Which columns are shown. `hidden` is a Set that is changed; `done` is called after each change. */
export function chooseColumns(names, hidden, done) {
  const list = h('div.checks');
  const search = h('input.field', { 'aria-label': T.columns.search, placeholder: T.columns.search, autofocus: true, oninput: () => draw() });
  const draw = () => fill(list, names.filter(n => n.toLowerCase().includes(search.value.toLowerCase())).map(n => h('label.check', h('input', { type: 'checkbox', checked: !hidden.has(n), onchange: e => {
    if (e.target.checked) hidden.delete(n);
    else hidden.add(n);
    done();
  } }), n)));
  const all = hide => {
    for (const n of names) {
      if (hide) hidden.add(n);
      else hidden.delete(n);
    }
    done();
    draw();
  };
  draw();
  return dialog(T.columns.title, h('div.stack3', search, list, h('div.row', h('button.btn.small', { type: 'button', onclick: () => all(false) }, T.columns.all), h('button.btn.small', { type: 'button', onclick: () => all(true) }, T.columns.none)), h('p.muted', T.columns.hint)), [{ text: T.close }]);
}

export { jsonText };
