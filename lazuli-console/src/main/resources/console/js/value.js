// One value of an entity, by its Edm type. Inside the console a value is {t, v} with v as text: an Int64 never becomes
// a number of JavaScript, and NaN, Infinity and −0 stay what they are.
import { h, fmt, visible } from './core.js';
import { T } from './texts.js';

export const TYPES = ['String', 'Int32', 'Int64', 'Double', 'Boolean', 'DateTime', 'Guid', 'Binary'];
const RIGHT = new Set(['Int32', 'Int64', 'Double']);
const MONO = new Set(['Guid', 'Binary', 'DateTime']);
export const right = types => types.length > 0 && types.every(t => RIGHT.has(t));
export const mono = types => types.length > 0 && types.every(t => MONO.has(t));

/** From JSON of the server: plain where that is exact, else {t, v}. */
export function from(wire) {
  if (typeof wire === 'string') return { t: 'String', v: wire };
  if (typeof wire === 'boolean') return { t: 'Boolean', v: String(wire) };
  if (typeof wire === 'number') return { t: Number.isInteger(wire) && Math.abs(wire) <= 2147483648 ? 'Int32' : 'Double', v: String(wire) };
  const value = { t: wire.t, v: String(wire.v ?? '') };
  if (wire.cut !== undefined) {
    value.cut = wire.cut;
    value.length = wire.length;
  }
  return value;
}

/** To JSON for the server. */
export const toWire = value => (value.t === 'String' ? value.v : value.t === 'Boolean' ? value.v === 'true' : { t: value.t, v: value.v });

/** For people: Int32 and Boolean plain. */
export const toJson = value => (value.cut !== undefined ? { t: value.t, cut: value.cut, length: value.length } : value.t === 'Int32' ? Number(value.v) : toWire(value));

export const same = (a, b) => a === b || Boolean(a && b && a.t === b.t && a.v === b.v);

const bytesOf = base64 => {
  const n = base64.replace(/=+$/, '').length;
  return Math.floor((n * 3) / 4);
};
export function hex(base64, max) {
  let raw = '';
  try {
    raw = atob(base64.slice(0, Math.ceil(max / 3) * 4));
  } catch {
    return '?';
  }
  return [...raw].slice(0, max).map(c => c.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
}

const SHOWN_MAX = 400;
/** As an element for a cell. `tag` adds the type, where a column has several. */
export function show(value, tag = false) {
  if (!value) return h('span.val.absent', { 'aria-label': T.value.absent }, '·');
  const kind = tag && h('span.tag', value.t);
  if (value.t === 'String' && value.v === '' && value.cut === undefined) return h('span.val.blank', { 'aria-label': T.value.emptyText }, "''", kind);
  if (value.t === 'Binary') {
    const n = value.length ?? bytesOf(value.v);
    return h('span.val', hex(value.v, 8), n > 8 && ' …', h('span.muted', ' ' + fmt.bytes(n)), kind);
  }
  if (value.t === 'Boolean') return h('span.val', { cls: value.v === 'true' ? 'tr' : 'fa' }, value.v, kind);
  if (value.t === 'DateTime') {
    const d = new Date(value.v);
    return h('span.val', { title: Number.isNaN(d.getTime()) ? null : T.value.local(d.toLocaleString()) }, value.v, kind);
  }
  const cut = value.v.length > SHOWN_MAX || value.cut !== undefined;
  const text = visible(value.v.slice(0, SHOWN_MAX)) + (cut ? '…' : '');
  return h('span.val', { title: text.length > 24 ? text : null, dir: value.t === 'String' ? 'auto' : null }, text, kind);
}

/** As text to edit or to copy. */
export const text = value => (value ? value.v : '');

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** From what a person typed: {value} or {wrong: sentence}. */
export function parse(t, typed) {
  const v = t === 'String' ? typed : typed.trim();
  const ok = value => ({ value: { t, v: value } });
  const wrong = { wrong: T.value.wrong[t] };
  switch (t) {
    case 'Int32':
    case 'Int64': {
      if (!/^[-+]?\d{1,20}$/.test(v)) return wrong;
      const n = BigInt(v.replace('+', ''));
      const most = t === 'Int32' ? 2n ** 31n : 2n ** 63n;
      return n >= -most && n < most ? ok(n.toString()) : wrong;
    }
    case 'Double':
      if (/^(?:NaN|-?Infinity)$/.test(v)) return ok(v);
      return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(v) ? ok(v) : wrong;
    case 'Boolean':
      return v === 'true' || v === 'false' ? ok(v) : wrong;
    case 'DateTime': {
      if (!TIME.test(v)) return wrong;
      let iso = v.replace(' ', 'T');
      if (!iso.includes('T')) iso += 'T00:00:00';
      if (!/(?:Z|[+-]\d\d:\d\d)$/.test(iso)) iso += 'Z';
      return Number.isNaN(new Date(iso.replace(/(\.\d{3})\d+/, '$1')).getTime()) ? wrong : ok(iso);
    }
    case 'Guid':
      return GUID.test(v) ? ok(v) : wrong;
    case 'Binary':
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(v) ? ok(v) : wrong;
    default:
      return ok(v);
  }
}

/** An entity: keys, ETag, Timestamp, and its properties in order. A Map, because `__proto__` is a name like any other. */
export function entity(row) {
  return { pk: row.k[0], rk: row.k[1], etag: row.e, ts: row.ts, props: new Map(Object.entries(row.v).map(([k, v]) => [k, from(v)])) };
}
export const idOf = e => e.pk + '\u0000' + e.rk;

/** Properties for a request. JSON.stringify of a null-prototype object keeps `__proto__` as a name. */
export function wireProps(props) {
  const out = Object.create(null);
  for (const [k, v] of props) out[k] = toWire(v);
  return out;
}

/** An entity as JSON text for people. */
export function jsonOf(e) {
  const out = Object.create(null);
  out.PartitionKey = e.pk;
  out.RowKey = e.rk;
  out.Timestamp = e.ts;
  for (const [k, v] of e.props) out[k] = toJson(v);
  return JSON.stringify(out, null, 2);
}
