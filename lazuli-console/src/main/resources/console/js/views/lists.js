// The list of all tables, queues or containers of an account, by prefix.
import { h, fill, debounce, visible } from '../core.js';
import { get, post, path } from '../api.js';
import { icon, dialog, toast, empty } from '../ui.js';
import { T } from '../texts.js';
import { Pages } from '../pages.js';
import { gridState } from '../grid.js';
import { go, to, noteParams } from '../router.js';
import { at, may, account, changedLists } from '../shell.js';

/** `kind` of the route, `section` of the address, `texts`, `sign` icon, `right` to create, further `columns`. */
export function resourceList(route, { kind, section, texts, sign, right, columns = [] }) {
  const a = account.value;
  const grid = document.createElement('lz-grid');
  const cover = h('div.cover');
  let prefix = route.params.get('prefix') || '';
  let pages = null;
  const refresh = () => {
    gridState(cover, pages, () => (prefix ? empty('filter', T.palette.none(visible(prefix)), T.blobs.noMatchText) : empty(sign, texts.none, texts.noneText, may(right) && h('button.btn.primary', { type: 'button', onclick: create }, icon('plus'), texts.create))));
    grid.refresh();
  };
  const read = () => {
    pages?.close();
    pages = new Pages((after, limit, signal) => get(path('accounts', a, kind), { prefix: prefix || null, after, limit }, signal), { changed: refresh });
    grid.o.pages = pages;
    grid.scrollTop = 0;
    grid.at.r = 0;
    pages.more();
    refresh();
  };
  const create = () => createResource(kind, texts).then(name => name && go(to(a, section, name)));
  grid.setup({
    label: texts.title,
    pages: { known: 0, end: false, row() {}, need() {}, limit: 20 },
    id: row => row.name,
    columns: [{ id: 'name', name: texts.head[0], width: matchMedia('(max-width: 860px)').matches ? 210 : 340, pin: true, cell: row => h('a', { href: to(a, section, row.name), tabindex: -1 }, visible(row.name)), text: row => row.name }, ...columns],
    onOpen: row => go(to(a, section, row.name)),
  });
  const input = h('input.field.search', { 'data-filter': '', value: prefix, placeholder: T.blobs.prefix, 'aria-label': T.blobs.prefix, oninput: debounce(150, () => {
    prefix = input.value;
    noteParams({ prefix });
    read();
  }) });
  const el = h('div.view.full', h('div.vhead', h('h1', texts.title), h('div.acts', may(right) && h('button.btn.primary', { type: 'button', onclick: create }, icon('plus'), texts.create))),
    h('div.bar', icon('filter', 'muted'), input), h('div.content.grow', h('div.over', grid, cover)));
  at(section, [[a, to(a)], [T.nav[section]]]);
  read();
  return { el, close: () => pages.close() };
}

/** Asks for a name and creates. Gives the name, or undefined. */
export async function createResource(kind, texts) {
  const input = h('input.field.mono', { autofocus: true, spellcheck: 'false', autocomplete: 'off' });
  return dialog(texts.createTitle, h('div.stack', h('label.lab', T.nameLabel, input), h('p.muted', texts.createHint)), [
    { text: T.cancel },
    {
      text: T.create, kind: 'primary', when: () => input.value.trim() !== '', run: async () => {
        const name = input.value.trim();
        await post(path('accounts', account.value, kind), { name });
        toast(texts.created(name));
        changedLists();
        return name;
      },
    },
  ]);
}

/** Asks for the name of what is deleted, so that nobody deletes the wrong one by a slip. */
export function deleteByName(title, text, label, name, button, run) {
  const input = h('input.field.mono', { autofocus: true, spellcheck: 'false', autocomplete: 'off' });
  return dialog(title, h('div.stack3', h('p', text), h('label.lab', label, input)), [{ text: T.keep }, { text: button, kind: 'danger', when: () => input.value === name, run }]);
}
