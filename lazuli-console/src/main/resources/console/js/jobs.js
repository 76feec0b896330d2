// Jobs: their look, their moves, and the forms that order them. Views load this when somebody needs it.
import { h, fill, fmt, list, visible } from './core.js';
import { call, get, post, path } from './api.js';
import { icon, dialog, toast, note, sentence } from './ui.js';
import { T } from './texts.js';
import { J } from './views/jobs-texts.js';
import { go, to } from './router.js';
import { parse, TYPES } from './value.js';

const LOOK = 300;
const CHIPS = { running: 'info', done: 'okc', failed: 'badc', paused: 'warnc' };
const job = (a, id, ...more) => path('accounts', a, 'jobs', id, ...more);

export const over = j => j.state === 'done' || j.state === 'cancelled' || j.state === 'failed';
/** Whether a state is newer than another one: answers and events can overtake each other. */
export const newer = (j, than) => !than || j.version >= than.version;
export const order = (a, body) => post(path('accounts', a, 'jobs'), body);
const title = j => J.kinds[j.kind] || j.kind;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

export const stateChip = j => h('span.chip', { cls: CHIPS[j.state] || '' }, j.asks ? J.asks : (j.state === 'running' && J.wishes[j.wish]) || J.states[j.state] || j.state);

/** The name of a job as a link, with what it is about. */
export const named = (a, j) => [h('a', { href: to(a, 'jobs', j.id) }, h('b', title(j))), h('span.soft', j.parameters.table ? visible(j.parameters.table) : ['backup', 'verify'].includes(j.kind) ? J.store : ''), j.parameters.filter && h('code.soft.rest', visible(j.parameters.filter))];

/**
 * One job: state, progress, rate, time left, and what can be done with it. `changed(job)` after a move. `lzUpdate(job)` shows
 * a newer state; the buttons stay while only figures change, so that they keep the focus.
 */
export function jobCard(a, first, changed) {
  let j = first;
  let moves = '';
  const head = h('div.row.wrap'), bar = h('div.row.wide'), figures = h('div.row.wrap.soft'), message = h('p.rest');
  const el = h('div.job', head, bar, figures, message);
  const move = (what, text, sign, cls = '') => h('button.btn.small', { type: 'button', cls, onclick: e => run(e.target.closest('button'), what) }, sign && icon(sign), text);
  const run = async (button, what) => {
    button.disabled = true;
    try {
      if (what === 'cancel') {
        if ((await dialog(J.cancelTitle, h('p', J.cancelText), [{ text: J.keep }, { text: J.cancelDo, kind: 'danger', value: 'yes' }])) !== 'yes') return;
      } else if (what === 'resume' && j.asks) {
        if (await permit(a, j)) changed(await get(job(a, j.id)));
        return;
      }
      changed(await post(job(a, j.id, what), {}));
    } catch (e) {
      toast(sentence(e), 'bad');
    } finally {
      button.disabled = false;
    }
  };
  el.lzUpdate = next => {
    j = next;
    const busy = j.state === 'running' || j.state === 'waiting';
    const share = j.of > 0 ? Math.min(100, Math.floor((100 * j.done) / j.of)) : null;
    const now = JSON.stringify([j.state, j.wish, j.asks, j.result]);
    if (now !== moves) {
      moves = now;
      el.dataset.state = j.state;
      fill(head, stateChip(j), named(a, j), h('span.grow'),
        busy && j.wish !== 'paused' && move('pause', J.pause, 'pause'),
        j.state === 'paused' && move('resume', j.asks ? J.goOn : J.resume, 'play', 'primary'),
        j.state === 'failed' && move('resume', J.again, 'redo'),
        j.result && download(a, j),
        !over(j) && move('cancel', J.cancel, null, 'danger'));
    }
    bar.hidden = share === null && !busy;
    fill(bar, h('div.meter.tall.grow', { role: 'progressbar', 'aria-label': J.progress(title(j)), 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': share }, h('i', { cls: j.state === 'done' ? 'okf' : j.state === 'failed' ? 'badf' : '', style: { width: (share ?? 0) + '%' } })), h('b.num.pct', share === null ? '' : share + ' %'));
    fill(figures, h('span.num', J.amount(j)), j.state === 'running' && j.rate > 0 && [h('span', '·'), h('span.num', J.rate(j))], j.state === 'running' && j.left !== null && [h('span', '·'), h('span.num', J.left(j.left))]);
    message.hidden = !j.message;
    message.classList.toggle('bad', j.state === 'failed');
    fill(message, visible(j.message));
  };
  el.lzUpdate(j);
  return el;
}

/** Shows jobs one below the other. */
export const jobCards = (box, a, jobs, changed) => list(box, jobs, j => j.id, j => jobCard(a, j, changed), (el, j) => el.lzUpdate(j));

export const download = (a, j) => h('a.btn.small', { href: job(a, j.id, 'result'), download: j.result.name }, icon('download'), J.download, h('span.muted', fmt.bytes(j.result.bytes)));

/** Says what will happen and lets a job go on that has counted. Gives whether it may. */
function permit(a, j) {
  const remove = j.kind === 'delete';
  return dialog((remove ? J.deleteTitle : J.editTitle)(j.of), h('div.stack3',
    h('dl.kv', h('dt', J.parameters.table), h('dd', visible(j.parameters.table)), h('dt', J.match), h('dd', j.parameters.filter ? h('code.rest', visible(j.parameters.filter)) : J.noFilter), h('dt', J.matches), h('dd', T.entities(j.of)), !remove && [h('dt', J.property), h('dd', visible(j.parameters.property) + (j.parameters.type ? ' = ' + visible(j.parameters.value) + ' (' + j.parameters.type + ')' : ' – ' + J.drop))]),
    h('p', remove ? J.deleteStays : J.editStays), note('bad', 'warn', remove ? J.noUndo : J.editNoUndo)),
  [{ text: T.keep }, { text: (remove ? J.deleteDo : J.editDo)(j.of), kind: 'danger', run: () => post(job(a, j.id, 'resume'), {}).then(() => true) }]);
}

/** Orders a job that counts first, shows the count, asks, and opens the job. It is cancelled if the person says no. */
async function countAndAsk(a, body) {
  let j = await order(a, body);
  let stopped = false;
  let close = null;
  const so = h('b.num', J.countingNow(0));
  const shown = wait(LOOK).then(() => !stopped && dialog(J.counting, h('div.stack3', h('p', so), body.filter ? h('pre.code.wrap', visible(body.filter)) : h('p', J.noFilter)), [{ text: J.stopCount, value: 'stop' }], { opened: c => (close = c) }).then(() => (stopped = true)));
  while (!stopped && !j.asks && !over(j)) {
    await wait(LOOK / 3);
    j = await get(job(a, j.id));
    fill(so, J.countingNow(j.done));
  }
  const counted = !stopped;
  stopped = true;
  if (close) close();
  await shown;
  if (counted && j.state === 'failed') return go(to(a, 'jobs', j.id));
  const none = counted && j.of === 0;
  if (none) await dialog(J.nothing, h('p', J.nothingText), [{ text: T.close }]);
  if (counted && !none && (await permit(a, j))) return go(to(a, 'jobs', j.id));
  await post(job(a, j.id, 'cancel'), {}).catch(() => {});
  return undefined;
}

export const deleteMatching = (a, table, filter) => countAndAsk(a, { kind: 'delete', table, filter }).catch(e => toast(sentence(e), 'bad'));

export async function editMatching(a, table, filter, names = []) {
  const name = h('input.field.mono', { autofocus: true, spellcheck: 'false', autocomplete: 'off', list: 'job-names' });
  const type = h('select.field', { value: 'String' }, TYPES.map(t => h('option', { value: t }, t)));
  const value = h('input.field.mono', { spellcheck: 'false', autocomplete: 'off' });
  const remove = h('input', { type: 'checkbox', onchange: () => (type.disabled = value.disabled = remove.checked) });
  const form = h('div.stack3', h('p.soft', filter ? h('code.rest', visible(filter)) : J.noFilter), h('div.formgrid', h('label.lab', J.property, name), h('label.lab', J.type, type)), h('label.lab', J.value, value), h('label.check', remove, J.drop), h('datalist', { id: 'job-names' }, names.map(n => h('option', { value: n }))));
  const body = await dialog(J.editForm, form, [{ text: T.cancel }, { text: J.next, kind: 'primary', when: () => name.value.trim() !== '', run: async () => {
    if (remove.checked) return { property: name.value.trim() };
    const got = parse(type.value, value.value);
    if (got.wrong) throw { text: got.wrong };
    return { property: name.value.trim(), type: type.value, value: String(got.value.v) };
  } }]);
  if (body && body.property) await countAndAsk(a, { kind: 'edit', table, filter, ...body }).catch(e => toast(sentence(e), 'bad'));
}

export async function exportMatching(a, table, filter) {
  const { kinds } = await get(path('accounts', a, 'jobs'));
  const why = kinds.find(k => k.name === 'export')?.formats.parquet || '';
  let format = 'jsonl';
  const guard = h('input', { type: 'checkbox', checked: true });
  const guardLine = h('label.check', { hidden: true }, guard, J.guard);
  const radio = id => {
    const off = id === 'parquet' && why;
    return h('label.check', h('input', { type: 'radio', name: 'format', value: id, checked: id === format, disabled: Boolean(off), onchange: () => {
      format = id;
      guardLine.hidden = id !== 'csv';
    } }), h('span', J.formats[id], off && h('span.muted', ' ' + J.notHere(why))));
  };
  await dialog(J.exportTitle(table), h('div.stack3', filter ? h('pre.code.wrap', visible(filter)) : h('p', J.noFilter), h('div.stack', { role: 'radiogroup', 'aria-label': J.format }, ['jsonl', 'csv', 'parquet'].map(radio)), guardLine, h('p.muted', J.exportHow)),
    [{ text: T.cancel }, { text: J.exportDo, kind: 'primary', run: () => order(a, { kind: 'export', table, filter, format, guard: guard.checked }) }]).then(j => j && j.id && go(to(a, 'jobs', j.id)));
}

export function copyMatching(a, table, filter) {
  const target = h('input.field.mono', { autofocus: true, spellcheck: 'false', autocomplete: 'off' });
  return dialog(J.copyTitle(table), h('div.stack3', filter ? h('pre.code.wrap', visible(filter)) : h('p', J.noFilter), h('label.lab', J.target, target), h('p.muted', J.copyHow)),
    [{ text: T.cancel }, { text: J.copyDo, kind: 'primary', when: () => target.value.trim() !== '', run: () => order(a, { kind: 'copy', table, filter, target: target.value.trim() }) }]).then(j => j && j.id && go(to(a, 'jobs', j.id)));
}

export async function countMatching(a, table, filter = '') {
  try {
    const j = await order(a, { kind: 'count', table, filter });
    go(to(a, 'jobs', j.id));
  } catch (e) {
    toast(sentence(e), 'bad');
  }
}

/** What can be done with all entities that match, in one dialog. */
export async function bulk(a, table, filter, names) {
  const acts = [[J.doExport, 'download', exportMatching], [J.doEdit, 'edit', editMatching], [J.doCopy, 'copy', copyMatching], [J.doCount, 'info', countMatching], [J.doDelete, 'trash', deleteMatching]];
  let chosen = null;
  await dialog(J.bulkTitle(filter), h('div.stack3', filter ? h('pre.code.wrap', visible(filter)) : h('p', J.noFilter), h('p.soft', J.bulkText), h('div.stack', acts.map(([text, sign, run]) => h('button.btn', { type: 'button', cls: run === deleteMatching ? 'danger' : '', onclick: () => {
    chosen = run;
    bulk.close();
  } }, icon(sign), text)))), [{ text: T.close }], { opened: close => (bulk.close = close) });
  if (chosen) await chosen(a, table, filter, names);
}

/** Uploads a file and orders its import. */
export async function importFile(a, table = '') {
  const file = h('input.field', { type: 'file', accept: '.jsonl,.csv,.parquet', autofocus: true });
  const into = h('input.field.mono', { value: table, spellcheck: 'false', autocomplete: 'off' });
  const mode = h('select.field', { value: 'replace' }, Object.entries(J.modes).map(([k, v]) => h('option', { value: k }, v)));
  const guard = h('input', { type: 'checkbox', checked: true });
  const guardLine = h('label.check', { hidden: true }, guard, J.unguard);
  const state = h('div', { role: 'status' });
  const ending = () => (/\.(jsonl|csv|parquet)$/i.exec(file.files[0]?.name || '') || [])[1]?.toLowerCase();
  file.addEventListener('change', () => {
    guardLine.hidden = ending() !== 'csv';
    if (!into.value && file.files[0]) into.value = file.files[0].name.replace(/\..*$/, '').replace(/[^A-Za-z0-9]/g, '');
    file.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const j = await dialog(J.importTitle, h('div.stack3', h('label.lab', J.file, file), h('div.formgrid', h('label.lab', J.into, into), h('label.lab', J.mode, mode)), guardLine, h('p.muted', J.importHow), state), [{ text: T.cancel }, {
    text: J.importDo, kind: 'primary', when: () => Boolean(file.files[0]) && into.value.trim() !== '', run: async () => {
      const format = ending();
      if (!format) throw { text: J.unknownFile };
      fill(state, J.uploading(0));
      const got = await call('PUT', path('accounts', a, 'files'), { body: file.files[0] });
      fill(state, J.uploading(100));
      return order(a, { kind: 'import', table: into.value.trim(), format, file: got.file, mode: mode.value, guard: guard.checked });
    },
  }]);
  if (j && j.id) go(to(a, 'jobs', j.id));
}
