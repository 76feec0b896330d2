// Jobs of an account: those under way with their progress, earlier ones in a table, and one with its log.
import { h, fill, fmt, visible } from '../core.js';
import { call, get, path } from '../api.js';
import { icon, dialog, toast, empty, failed, sentence, load } from '../ui.js';
import { T } from '../texts.js';
import { J } from './jobs-texts.js';
import { go, to } from '../router.js';
import { at, may } from '../shell.js';
import { jobChanges } from '../events.js';
import { jobCards, stateChip, download, newer, over, order, importFile } from '../jobs.js';

export const key = r => 'jobs ' + r.parts[0] + (r.parts[2] ? ' ' + r.parts[2] : '');

export const view = route => (route.parts[2] ? one(route.parts[0], route.parts[2]) : all(route.parts[0]));

function all(a) {
  const jobs = new Map();
  const current = h('section.card.jobs', { hidden: true });
  const earlier = h('section.card', { hidden: true });
  const none = h('div');
  const acts = h('div.acts');
  const take = j => {
    if (newer(j, jobs.get(j.id))) jobs.set(j.id, j);
    draw();
  };
  const draw = () => {
    const sorted = [...jobs.values()].sort((x, y) => (x.id < y.id ? 1 : -1));
    const open = sorted.filter(j => !over(j));
    const done = sorted.filter(over);
    current.hidden = !open.length;
    jobCards(current, a, open, take);
    earlier.hidden = !done.length;
    fill(earlier, h('header', h('h2', J.earlier)), h('div.scrollx', h('table.t', h('thead', h('tr', J.head.map(x => h('th', { scope: 'col' }, x || h('span.sr', J.open))))), h('tbody', done.map(j => h('tr', h('td', stateChip(j)), h('td', h('a', { href: to(a, 'jobs', j.id) }, h('b', J.kinds[j.kind] || j.kind))), h('td.rest', j.parameters.table ? visible(j.parameters.table) : J.store), h('td.rest', { cls: j.state === 'failed' ? 'bad' : 'soft' }, visible(j.message)), h('td.num', J.amount(j)), h('td.soft', visible(j.user)), h('td.num', j.result ? download(a, j) : null)))))));
    fill(none, !sorted.length && draw.ready && h('section.card', empty('job', J.none, J.noneText, may('start-job') && h('button.btn.primary', { type: 'button', onclick: () => importFile(a) }, icon('upload'), J.importAct))));
  };
  const begin = (kind, titleText, text) => dialog(titleText, h('p', text), [{ text: T.cancel }, { text: J.begin, kind: 'primary', run: () => order(a, { kind }) }]).then(j => j && j.id && take(j));
  const drawActs = kinds => {
    const why = kind => (kinds.find(k => k.name === kind) || {}).unavailable || '';
    const act = (kind, sign, text, run) => h('button.btn', { type: 'button', disabled: Boolean(why(kind)), title: why(kind) || null, onclick: run }, icon(sign), text);
    fill(acts, may('start-job') && [act('import', 'upload', J.importAct, () => importFile(a)), act('backup', 'copy', J.backupAct, () => begin('backup', J.backupTitle, J.backupText)), act('verify', 'ok', J.verifyAct, () => begin('verify', J.verifyTitle, J.verifyText))]);
  };
  const ask = async () => {
    try {
      const got = await get(path('accounts', a, 'jobs'));
      for (const j of got.jobs) if (newer(j, jobs.get(j.id))) jobs.set(j.id, j);
      if (!acts.children.length) drawActs(got.kinds);
      draw.ready = true;
      draw();
    } catch (e) {
      fill(none, failed(e, ask));
    }
  };
  const end = jobChanges(take, ask);
  at('jobs', [[a, to(a)], [T.nav.jobs]]);
  return { el: h('div.view', h('div.vhead', h('h1', J.title), h('span.sub', J.sub), acts), current, earlier, none), close: end };
}

function one(a, id) {
  const card = h('section.card.jobs');
  const details = h('section.card');
  const log = h('section.card');
  let shown = '';
  const take = j => {
    if (j.id !== id || !newer(j, latest)) return;
    latest = j;
    const text = JSON.stringify(j);
    if (text !== shown) {
      shown = text;
      jobCards(card, a, [j], take);
      fill(details, h('header', h('h2', J.details), over(j) && may('delete-job') && h('button.btn.small.quiet.more', { type: 'button', onclick: () => remove() }, J.remove)), h('div.body', h('dl.kv', Object.keys(J.parameters).filter(k => j.parameters[k]).map(k => [h('dt', J.parameters[k]), h('dd', visible(j.parameters[k]))]), h('dt', J.started), h('dd.num', fmt.time(j.created) + ' ' + T.utc), h('dt', J.by), h('dd', visible(j.user)), j.ended && [h('dt', J.ended), h('dd.num', fmt.time(j.ended) + ' ' + T.utc)])));
      at('jobs', [[a, to(a)], [T.nav.jobs, to(a, 'jobs')], [(J.kinds[j.kind] || j.kind) + (j.parameters.table ? ' ' + j.parameters.table : '')]]);
    }
    readLog();
  };
  let reading = false;
  const readLog = async () => {
    if (reading) return;
    reading = true;
    try {
      const got = await get(path('accounts', a, 'jobs', id, 'log'));
      fill(log, h('header', h('h2', J.log)), h('div.body', got.lines.length ? h('pre.code.wrap', { tabindex: 0, role: 'region', 'aria-label': J.log }, got.lines.map(l => fmt.clock(l.at) + '  ' + visible(l.text)).join('\n')) : h('p.muted', J.logNone)));
    } catch {
      // The job above says what is wrong.
    } finally {
      reading = false;
    }
  };
  const remove = async () => {
    try {
      await call('DELETE', path('accounts', a, 'jobs', id));
      toast(J.removed);
      go(to(a, 'jobs'));
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  };
  let latest = null;
  const ask = () => load(card, J.what, signal => get(path('accounts', a, 'jobs', id), null, signal), j => {
    shown = '';
    card.lzKeyed = null;
    fill(card);
    take(newer(j, latest) ? j : latest);
  });
  at('jobs', [[a, to(a)], [T.nav.jobs, to(a, 'jobs')], [id]]);
  const end = jobChanges(take, ask);
  return { el: h('div.view', h('div.vhead', h('h1', J.title), h('div.acts', h('a.btn', { href: to(a, 'jobs') }, J.all))), card, details, log), close: end };
}
