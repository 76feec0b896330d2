// What a message or a blob most likely is: JSON, XML, text or bytes, plain or as base64.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const cache = new Map();
const CACHE_MAX = 500;

/** Bytes as text, or null if they are no UTF-8 or have control characters. */
export function utf8(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}

function form(text) {
  const t = text.trim();
  if (/^[[{]/.test(t)) {
    try {
      return { form: 'json', json: true, text: indent(t) };
    } catch {
      // Begins like JSON and is none.
    }
  }
  return { form: t.startsWith('<') && t.endsWith('>') ? 'xml' : 'text', json: false, text };
}

/** JSON with line breaks, without going through numbers of JavaScript: 9007199254740993 must stay. */
export function indent(text) {
  JSON.parse(text);
  let out = '';
  let depth = 0;
  const line = () => '\n' + '  '.repeat(depth);
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth--;
      out = /[{[]\s*$/.test(out) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ',') out += token + line();
    else if (token === ':') out += ': ';
    else out += token;
  }
  return out;
}

export const hexLines = (bytes, offset = 0) => {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 16) {
    const some = [...bytes.subarray(i, i + 16)];
    lines.push((offset + i).toString(16).padStart(8, '0') + '  ' + some.map(b => b.toString(16).padStart(2, '0')).join(' ').padEnd(47) + '  ' + some.map(b => (b >= 32 && b < 127 ? String.fromCharCode(b) : '.')).join(''));
  }
  return lines.join('\n');
};

/** {form, json, text}: `form` names a text of `message.form`. */
export function decode(body) {
  const known = cache.get(body);
  if (known) return known;
  let out = null;
  if (BASE64.test(body)) {
    const bytes = Uint8Array.from(atob(body), c => c.charCodeAt(0));
    const text = utf8(bytes);
    if (text !== null && bytes.length > 0) {
      const inner = form(text);
      out = { ...inner, form: 'base64 ' + inner.form };
    } else if (body.length >= 16 && /[A-Z]/.test(body) && /[a-z]/.test(body) && /[0-9+/]/.test(body)) out = { form: 'base64 bytes', json: false, text: hexLines(bytes) };
  }
  if (!out) out = form(body);
  if (cache.size >= CACHE_MAX) cache.clear();
  if (body.length < 20_000) cache.set(body, out);
  return out;
}
