// The server: what it is, and the bounds of the console.
import { h, fill, fmt } from '../core.js';
import { get, path } from '../api.js';
import { load } from '../ui.js';
import { T } from '../texts.js';
import { at, session } from '../shell.js';

export const key = () => 'server';

export function view() {
  const s = session.value;
  const yes = x => (x ? T.server.yes : T.server.no);
  const bounds = h('div', { tabindex: 0, role: 'region', 'aria-label': T.server.bounds });
  load(bounds, T.server.what, signal => get(path('limits'), null, signal), limits => {
    fill(bounds, h('table.t', h('thead', h('tr', h('th', { scope: 'col' }, T.server.boundHead[0]), h('th.num', { scope: 'col' }, T.server.boundHead[1]))), h('tbody', Object.entries(limits).map(([k, v]) => h('tr', h('td', Object.hasOwn(T.server.limits, k) ? T.server.limits[k] : k), h('td.num', fmt.n(v)))))));
  });
  at('server', [[T.server.title]]);
  return {
    el: h('div.view', h('div.vhead', h('h1', T.server.title)), h('div.cols',
      h('section.card.c6', h('header', h('h2', T.server.title)), h('div.body', h('dl.kv', [[T.server.version, s.server.version], [T.server.engine, s.server.engine], [T.server.durable, yes(s.server.durable)], [T.server.writable, yes(s.server.writable)], [T.server.rehearsing, yes(s.server.rehearsing)]].map(([k, v]) => [h('dt', k), h('dd', v)]))),
        h('header', h('h2', T.server.you)), h('div.body', h('dl.kv', [[T.session.user, s.open ? T.session.openUser : s.user], [T.session.role, s.role], ...(s.open || !s.ends ? [] : [[T.server.signInEnds, fmt.time(s.ends) + ' ' + T.utc], [T.server.idle, fmt.span(s.idleSeconds * 1000)]])].map(([k, v]) => [h('dt', k), h('dd', v)])))),
      h('section.card.c6', h('header', h('h2', T.server.bounds)), bounds))),
  };
}
