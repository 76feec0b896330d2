// The panel next to a list: entity, message or blob. A sheet over everything on small screens.
import { h, fill, remembered, visible } from './core.js';
import { icon, tabs, uncover } from './ui.js';
import { T } from './texts.js';

const narrow = matchMedia('(max-width: 860px)');
narrow.addEventListener('change', () => {
  const side = document.querySelector('.split.sheet > .side');
  if (side && narrow.matches) cover(side);
  else uncover();
});
const WIDTH = [300, 900];

function width(px) {
  const w = Math.max(WIDTH[0], Math.min(WIDTH[1], innerWidth - 420, px));
  document.documentElement.style.setProperty('--panel', w + 'px');
  return w;
}

/** A bar that changes the width, by pointer or arrow keys. */
function resizer() {
  let w = remembered.get('panel', null);
  if (w && !narrow.matches) width(w);
  const now = () => w || parseInt(getComputedStyle(document.documentElement).getPropertyValue('--panel'), 10);
  const el = h('div.resizer', { role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': T.entity.resize, 'aria-valuemin': WIDTH[0], 'aria-valuemax': WIDTH[1], 'aria-valuenow': now() });
  const change = px => {
    w = width(px);
    el.setAttribute('aria-valuenow', w);
    remembered.set('panel', w);
  };
  el.addEventListener('keydown', e => {
    const d = { ArrowLeft: 24, ArrowRight: -24 }[e.key];
    if (d) {
      e.preventDefault();
      change(now() + d);
    }
  });
  el.addEventListener('pointerdown', e => {
    e.preventDefault();
    const from = e.clientX;
    const start = now();
    const move = m => change(start - (m.clientX - from));
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
  });
  return el;
}

/** What lies under a sheet takes no part: neither Tab nor a screen reader goes there. */
function cover(side) {
  uncover();
  for (let el = side; el.parentElement && el !== document.body; el = el.parentElement) for (const x of el.parentElement.children) x.inert = x !== el && !x.matches('.scrim, .toasts, #said');
}

/** Adds a panel to a `split`. `onclose` is called when the person closes it. */
export function panel(split, label, onclose) {
  const body = h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': label });
  const side = h('aside.side', { 'aria-label': label });
  let tab = null;
  const self = {
    side,
    body,
    get open() {
      return side.isConnected;
    },
    /** `title`, `views` [[id, text]…], `draw(id)` gives nodes, `acts` next to the title, `foot` buttons. */
    show({ title, views, draw, acts = [], foot = [] }) {
      if (!views.some(v => v[0] === tab)) tab = views[0][0];
      const paint = (id, keep = false) => {
        const top = body.scrollTop;
        tab = id;
        fill(body, draw(id));
        body.scrollTop = keep ? top : 0;
      };
      const closing = h('button.btn.icon.quiet.small', { type: 'button', 'aria-label': T.entity.close, title: T.entity.close, onclick: () => self.close() }, icon('close'));
      const opened = !side.isConnected;
      fill(side, resizer(), h('header', h('h2.grow.cut', { title: visible(title) }, visible(title)), acts, closing), views.length > 1 && tabs(views, tab, paint, T.entity.as), body, h('footer', foot));
      if (opened) split.append(side);
      split.classList.remove('closed');
      paint(tab);
      if (narrow.matches && split.classList.contains('sheet')) cover(side);
      if (opened && narrow.matches) closing.focus();
      self.redraw = () => paint(tab, true);
    },
    redraw() {},
    hide() {
      side.remove();
      uncover();
      split.classList.add('closed');
    },
    close() {
      self.hide();
      onclose();
    },
  };
  split.classList.add('closed');
  side.addEventListener('keydown', e => {
    if (e.key === 'Escape' && !e.defaultPrevented) {
      e.stopPropagation();
      self.close();
    }
  });
  return self;
}
