// Addresses are the state. One route table, History API, and a question before unsent changes are left.
const KEY_MARK = '\u0000';

/** A key as a part of a path. No key contains NUL, so it marks those that a path cannot hold: empty, ‘.’ and ‘..’. */
export const keyPart = key => encodeURIComponent(key === '' || key === '.' || key === '..' ? KEY_MARK + key : key);
const part = text => {
  let out = text;
  try {
    out = decodeURIComponent(text);
  } catch {
    // Not an escape of ours: taken as it is.
  }
  return out.startsWith(KEY_MARK) ? out.slice(1) : out;
};

/** to('contoso', 'tables', 'Employees') → /contoso/tables/Employees; a last object gives parameters. */
export function to(...parts) {
  const params = typeof parts[parts.length - 1] === 'object' ? parts.pop() : {};
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) if (v !== null && v !== undefined && v !== '') q.set(k, v);
  const text = q.toString();
  return '/' + parts.map(keyPart).join('/') + (text ? '?' + text : '');
}

export function parse(url) {
  const u = new URL(url, location.origin);
  const parts = u.pathname.split('/').slice(1).map(part);
  while (parts.length && parts[parts.length - 1] === '' && u.pathname.endsWith('/')) parts.pop();
  return { path: u.pathname, parts, params: u.searchParams };
}

let show = async () => {};
let guard = null;
let index = 0;
let silent = 0;

/** A view with unsent changes sets this: it gives a promise of whether the view may be left. */
export const setGuard = f => (guard = f);

export async function go(address, { replace = false } = {}) {
  if (guard && !(await guard(parse(address)))) return;
  if (replace) history.replaceState({ i: index }, '', address);
  else history.pushState({ i: ++index }, '', address);
  await show(parse(location.href));
}

/** Puts state into the address without showing anything anew. */
export function note(address) {
  if (address !== location.pathname + location.search) history.replaceState({ i: index }, '', address);
}

/** Sets or removes parameters of the current address. */
export function noteParams(params) {
  const q = new URLSearchParams(location.search);
  for (const [k, v] of Object.entries(params)) {
    if (v === null || v === undefined || v === '') q.delete(k);
    else q.set(k, v);
  }
  const text = q.toString();
  note(location.pathname + (text ? '?' + text : ''));
}

export function start(f) {
  show = f;
  index = history.state?.i ?? 0;
  addEventListener('popstate', async e => {
    const next = e.state?.i ?? 0;
    if (silent) {
      silent--;
      return;
    }
    const back = index - next;
    if (guard && back !== 0) {
      // The address has changed already. It goes back while the person is asked.
      silent++;
      history.go(back);
      const target = parse(location.href);
      if (!(await guard(target))) return;
      silent++;
      history.go(-back);
      await new Promise(resolve => addEventListener('popstate', resolve, { once: true }));
    }
    index = next;
    await show(parse(location.href));
  });
  addEventListener('beforeunload', e => {
    if (guard?.dirty?.()) e.preventDefault();
  });
  document.addEventListener('click', e => {
    if (e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const a = e.target.closest?.('a[href^="/"]');
    if (!a || a.hasAttribute('download') || a.target) return;
    e.preventDefault();
    go(a.getAttribute('href'));
  });
  return show(parse(location.href));
}
