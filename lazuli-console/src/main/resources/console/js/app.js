// The entry: signs in, then shows the view that the address names. Views are loaded when they are opened first.
import { h, fill } from './core.js';
import { get, post, path, ApiError } from './api.js';
import { T } from './texts.js';
import { go, start, setGuard } from './router.js';
import { session, account, accounts, frame, follow, framed, bare, stage, keyboard, who, at } from './shell.js';
import { failed, skeleton, empty, note, sentence, icon, brand, closeLayers, uncover } from './ui.js';

/** What an address shows. `key` tells whether the view that is open can take the new address by itself. */
const VIEWS = {
  access: () => import('./views/access.js'),
  blobs: () => import('./views/blobs.js'),
  cost: () => import('./views/cost.js'),
  jobs: () => import('./views/jobs.js'),
  live: () => import('./views/live.js'),
  load: () => import('./views/load.js'),
  model: () => import('./views/model.js'),
  query: () => import('./views/query.js'),
  queues: () => import('./views/queues.js'),
  tables: () => import('./views/tables.js'),
};
const overview = () => import('./views/overview.js');
const server = () => import('./views/server.js');

let open = null;
let shown = 0;

async function show(route) {
  const turn = ++shown;
  closeLayers();
  const { parts } = route;
  if (parts[0] === '-' && parts[1] === 'sign-in') return signIn(route);
  if (!session.value) {
    try {
      await who();
    } catch (e) {
      if (e instanceof ApiError && e.status === 401) return undefined;
      bare(failed(e, () => show(route)));
      return undefined;
    }
  }
  framed();
  if (parts[0] === '-' && parts[1] === 'server') return mount(turn, server, 'server', route);
  if (!parts.length) {
    if (accounts.value.length === 1) return go('/' + accounts.value[0], { replace: true });
    account.set(null);
    return mount(turn, overview, 'accounts', route);
  }
  if (!accounts.value.includes(parts[0])) return missing(T.error.noAccount(parts[0]));
  account.set(parts[0]);
  if (parts.length === 1) return mount(turn, overview, 'overview ' + parts[0], route);
  const load = Object.hasOwn(VIEWS, parts[1]) ? VIEWS[parts[1]] : null;
  if (!load) return missing(T.error.noView);
  return mount(turn, load, null, route);
}

async function mount(turn, load, key, route) {
  const bars = setTimeout(() => turn === shown && !open && fill(stage, skeleton()), 150);
  try {
    const module = await load();
    if (turn !== shown) return;
    const k = key || module.key(route);
    if (open && open.key === k && open.update) {
      await open.update(route);
      return;
    }
    const moved = close();
    const view = module.view(route);
    open = { key: k, ...view, update: view.update };
    stage.replaceChildren(view.el);
    stage.scrollTop = 0;
    // The element that had the focus went with the last view. Tab goes on in this one, not at the top of the page.
    if (moved && document.activeElement === document.body) stage.focus({ preventScroll: true });
  } catch (e) {
    if (turn !== shown) return;
    // A file that does not come: the server is away, or it has a newer console.
    const text = e.text || (await get(path('session')).then(() => T.error.newer, x => x.text || T.error.newer));
    if (turn !== shown) return;
    close();
    fill(stage, failed({ ...e, text }, () => location.reload()));
  } finally {
    clearTimeout(bars);
  }
}

/** Ends the open view. Gives whether there was one. */
function close() {
  setGuard(null);
  const was = open;
  if (was && was.close) was.close();
  open = null;
  uncover();
  return was !== null;
}

function missing(text) {
  close();
  at('', [[T.error.notFound]]);
  fill(stage, h('div.view', empty('info', T.error.notFound, text, h('a.btn', { href: '/' }, T.error.start))));
}

/** The link of `lazuli console` has its secret in the fragment, which no server log sees. It leaves the address at once. */
async function signIn(route) {
  close();
  const secret = location.hash.slice(1);
  if (secret) history.replaceState(history.state, '', location.pathname + location.search);
  const asked = route.params.get('to') || '/';
  const target = /^\/(?!\/|-\/sign-in)[^\\]*$/.test(asked) ? asked : '/';
  document.title = T.signIn.title + ' · ' + T.name;
  const wrong = h('div', { role: 'alert' });
  const enter = async body => {
    try {
      await post(path('session'), body);
      await who();
      await go(target, { replace: true });
    } catch (e) {
      fill(wrong, note('bad', 'warn', sentence(e)));
    }
  };
  const user = h('input.field', { autocomplete: 'username', required: true }), password = h('input.field', { type: 'password', autocomplete: 'current-password', required: true });
  const link = h('input.field.mono', { autocomplete: 'off', spellcheck: 'false', placeholder: T.signIn.linkHint });
  const card = h('div.card.signin', h('div.row', brand(), h('h1', T.signIn.title)),
    h('p.soft', T.signIn.how), h('pre.code', './lazuli console'), wrong,
    h('form.stack3', { onsubmit: e => (e.preventDefault(), link.value.trim() && enter({ link: link.value.trim().replace(/^.*#/, '') })) },
      h('label.lab', T.signIn.link, link), h('button.btn.primary', { type: 'submit' }, T.signIn.withLink)),
    h('details', h('summary', T.signIn.byPassword), h('form.stack3', { onsubmit: e => (e.preventDefault(), enter({ user: user.value, password: password.value })) }, h('label.lab', T.signIn.user, user), h('label.lab', T.signIn.password, password), h('button.btn', { type: 'submit' }, icon('key'), T.signIn.enter))));
  bare(h('div.signin-page', card));
  if (secret) await enter({ link: secret });
  else link.focus();
}

frame();
follow();
keyboard();
start(show);
addEventListener('unhandledrejection', e => e.reason?.name === 'AbortError' && e.preventDefault());
