// Blobs: the list of containers, and folders, previews, uploads and properties in one container.
import { h, fill, fmt, debounce, visible } from '../core.js';
import { get, call, send, path, BASE } from '../api.js';
import { icon, dialog, toast, empty, jsonText, load, note, sentence } from '../ui.js';
import { T } from '../texts.js';
import { go, to, noteParams } from '../router.js';
import { at, may, used, changedLists } from '../shell.js';
import { Pages } from '../pages.js';
import { gridState } from '../grid.js';
import { panel } from '../panel.js';
import { resourceList, deleteByName } from './lists.js';
import { utf8, hexLines, indent } from '../decode.js';
import { upload } from '../upload.js';

const PREVIEW = 1 << 20;
const TEXT_SHOWN = 200_000;
const HEX = 4096;
const SHOWS = ['snapshots', 'versions', 'deleted'];
const narrow = matchMedia('(max-width: 860px)');

export const key = r => (r.parts.length > 2 ? 'container ' + r.parts[0] + ' ' + r.parts[2] : 'containers ' + r.parts[0]);

export function view(route) {
  if (route.parts.length > 2) return container(route);
  const [, changed, access, lease] = T.blobs.head;
  return resourceList(route, {
    kind: 'containers', section: 'blobs', texts: T.blobs, sign: 'blob', right: 'create-container',
    columns: [{ id: 'changed', name: changed, width: 180, right: true, cell: r => h('span.val', fmt.time(r.changed)), text: r => r.changed }, { id: 'public', name: access, width: 150, cell: r => h('span.val', T.blobs.access[r.public] || r.public), text: r => r.public }, { id: 'lease', name: lease, width: 120, cell: r => h('span.val', r.lease), text: r => r.lease }],
  });
}

/** A picture that browsers draw without running anything, by its first bytes. SVG is none. */
function pictureType(b) {
  const starts = (...x) => x.every((v, i) => v === null || b[i] === v);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (starts(0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return null;
}

const folderOf = parts => (parts.length > 3 ? parts.slice(3).join('/') + '/' : '');
const idOf = r => (r.prefix !== undefined ? 'f ' + r.prefix : ['b', r.name, r.snapshot || '', r.version || '', r.deleted || ''].join('\u0000'));

function container(route) {
  const [a, , name] = route.parts;
  const base = path('accounts', a, 'containers', name);
  let folder = folderOf(route.parts);
  let prefix = '';
  let flat = route.params.get('flat') === '1';
  const shows = new Set((route.params.get('show') || '').split(',').filter(x => SHOWS.includes(x)));
  let pages = null;
  let open = null;
  let picture = null;
  const grid = document.createElement('lz-grid');
  const cover = h('div.cover');
  const crumbs = h('nav.crumbs', { 'aria-label': T.blobs.folder });
  const foot = h('span.grow.cut');
  const uploads = h('div.uploads', { hidden: true, role: 'group', 'aria-label': T.blobs.uploads });
  const split = h('div.split.sheet');
  const side = panel(split, T.blob.panel, () => {
    open = null;
    grid.setOpen(null);
    grid.focus({ preventScroll: true });
    noteParams({ blob: null, snapshot: null, version: null });
  });
  const address = f => to(a, 'blobs', name, ...(f ? f.slice(0, -1).split('/') : []));

  const label = r => {
    if (r.prefix !== undefined) return h('span.val.row', icon('folder', 'warn'), h('a', { href: address(r.prefix), tabindex: -1 }, visible(r.prefix.slice(folder.length))));
    return h('span.val.row', icon('file', 'muted'), h('span.cut', { title: visible(r.name) }, visible(isFlat() ? r.name : r.name.slice(folder.length))), r.lease === 'leased' && h('span.chip', icon('lock'), T.blobs.leased), r.snapshot && h('span.chip', T.blobs.snapshot), r.version && h('span.chip', T.blobs.version), r.deleted && h('span.chip', T.blobs.deleted));
  };
  const columns = () => {
    const [n, size, kind, changed] = T.blobs.columns;
    const all = [
      { id: 'name', name: n, width: narrow.matches ? 230 : 420, cell: label, text: r => r.prefix ?? r.name },
      { id: 'size', name: size, width: 104, right: true, cell: r => h('span.val', r.prefix !== undefined ? '' : fmt.bytes(r.bytes)), text: r => String(r.bytes ?? '') },
      { id: 'kind', name: kind, width: 84, small: true, cell: r => h('span.val.soft', r.prefix !== undefined ? T.blobs.folder.toLowerCase() : r.kind), text: r => r.kind || '' },
      { id: 'changed', name: changed, width: 172, right: true, cell: r => h('span.val.soft', r.prefix !== undefined ? '' : fmt.time(r.changed)), text: r => r.changed || '' },
    ];
    return narrow.matches ? all.filter(c => !c.small) : all;
  };
  const isFlat = () => flat || shows.size > 0;
  grid.setup({
    label: T.blobs.label(name), pages: { known: 0, end: false, row() {}, need() {}, loaded: () => [], limit: 20 }, columns: columns(), id: idOf,
    onOpen: r => (r.prefix !== undefined ? go(address(r.prefix)) : openBlob(r)), onDelete: may('delete-blob') ? r => r.name && remove(r) : null,
  });
  const refresh = () => {
    gridState(cover, pages, () => (prefix ? empty('filter', T.blobs.noMatch, T.blobs.noMatchText) : empty('blob', T.blobs.empty, T.blobs.emptyText, may('upload') && uploadButton())));
    fill(foot, T.blobs.count(pages.known, pages.end), may('upload') && h('span.hide-s', ' · ' + T.blobs.drop(name + '/' + folder)));
    grid.refresh();
  };
  function read() {
    pages?.close();
    pages = new Pages((after, limit, signal) => get(base + '/blobs', { prefix: folder + prefix || null, delimiter: isFlat() ? null : '/', show: shows.size ? [...shows].join(',') : null, after, limit }, signal), { changed: refresh });
    grid.o.pages = pages;
    grid.scrollTop = 0;
    grid.at.r = 0;
    pages.more();
    refresh();
  }
  function drawCrumbs() {
    const parts = folder ? folder.slice(0, -1).split('/') : [];
    fill(crumbs, parts.length ? h('a', { href: address('') }, name) : h('span', { 'aria-current': 'page' }, name), parts.map((p, i) => [h('span.muted', { 'aria-hidden': 'true' }, '/'), i < parts.length - 1 ? h('a', { href: address(parts.slice(0, i + 1).join('/') + '/') }, visible(p) || "''") : h('span', { 'aria-current': 'page' }, visible(p) || "''")]));
  }

  const which = r => ({ blob: r.name, snapshot: r.snapshot || null, version: r.version || null });
  async function openBlob(r, tell = true) {
    open = r;
    if (tell) noteParams(which(r));
    freePicture();
    try {
      const whole = await get(base + '/blob', which(r));
      if (open !== r) return;
      open = { ...r, ...whole };
      draw();
    } catch (e) {
      if (open === r) side.show({ title: r.name, views: [['x', '']], draw: () => empty('info', T.error.gone, e.status === 404 ? T.blob.gone : sentence(e)) });
    }
  }
  function freePicture() {
    if (picture) URL.revokeObjectURL(picture);
    picture = null;
  }
  const bytesOf = async (r, length, signal) => (r.bytes === 0 ? new Uint8Array() : new Uint8Array(await (await send('GET', base + '/content', { query: { ...which(r), range: `0-${Math.min(length, r.bytes) - 1}` }, signal })).arrayBuffer()));
  function preview(r) {
    const box = h('div');
    if (!r.bytes) return note('', 'info', T.blob.emptyBlob);
    load(box, r.name, signal => bytesOf(r, PREVIEW, signal), bytes => {
      const type = pictureType(bytes);
      if (type && r.bytes <= PREVIEW * 8) {
        // Only bytes that were looked at become an address, and only as a picture.
        const whole = r.bytes > bytes.length ? send('GET', base + '/content', { query: which(r) }).then(x => x.arrayBuffer()) : Promise.resolve(bytes);
        whole.then(data => {
          freePicture();
          picture = URL.createObjectURL(new Blob([data], { type }));
          fill(box, h('img.pic', { src: picture, alt: T.blob.image + ' ' + r.name }));
        }, e => fill(box, note('bad', 'warn', sentence(e))));
        return;
      }
      let end = bytes.length;
      if (r.bytes > end) while (end > 0 && end > bytes.length - 4 && utf8(bytes.subarray(0, end)) === null) end--;
      const text = utf8(bytes.subarray(0, end));
      if (text === null) return fill(box, note('', 'info', T.blob.notShown));
      let pretty = null;
      if (/json/.test(r.type || '') || /\.json$/.test(r.name)) {
        try {
          pretty = indent(text);
        } catch {
          // Not JSON, whatever its type says.
        }
      }
      return fill(box, h('div.stack', pretty ? jsonText(pretty.slice(0, TEXT_SHOWN)) : h('pre.code.wrap', { tabindex: 0 }, visible(text.slice(0, TEXT_SHOWN)).replace(/\u240a/g, '\n').replace(/\u2409/g, '\t').replace(/\u240d/g, '')), (r.bytes > bytes.length || text.length > TEXT_SHOWN) && h('p.muted', T.blob.cut(Math.min(bytes.length, TEXT_SHOWN)))));
    });
    return box;
  }
  function hex(r) {
    const box = h('div');
    load(box, r.name, signal => bytesOf(r, HEX, signal), bytes => fill(box, h('div.stack', h('pre.code', { tabindex: 0 }, hexLines(bytes)), r.bytes > HEX && h('p.muted', T.blob.cut(HEX)))));
    return box;
  }
  const pairs = map => Object.entries(map || {});
  function properties(r) {
    const rows = [[T.blob.size, T.blob.sizeOf(r.bytes)], [T.blob.type, T.blob.kind(r.kind) + (r.type ? ', ' + r.type : '')], [T.blob.etag, h('code', r.etag)], [T.blob.md5, r.md5 && h('code', r.md5)], [T.blob.lease, [r.leaseState || r.lease, r.leaseDuration].filter(Boolean).join(', ')], [T.blob.tier, r.tier], [T.blob.created, r.created && fmt.time(r.created)], [T.blob.changed, fmt.time(r.changed)], [T.blob.blocks, r.blocks !== null && r.blocks !== undefined && fmt.n(r.blocks)], [T.blob.encoding, r.encoding], [T.blob.language, r.language], [T.blob.disposition, r.disposition], [T.blob.cacheControl, r.cacheControl], [T.blob.snapshot, r.snapshot], [T.blob.version, r.version]].filter(x => x[1]);
    return h('div.stack3', h('dl.kv', rows.map(([k, v]) => [h('dt', k), h('dd', v)])),
      h('div.stack', h('b', T.blob.tags), h('div.row.wrap', pairs(r.tags).map(([k, v]) => h('span.chip', `${visible(k)} = ${visible(v)}`)), !pairs(r.tags).length && h('span.muted', T.none))),
      h('div.stack', h('b', T.blob.metadata), pairs(r.metadata).length ? h('dl.kv', pairs(r.metadata).map(([k, v]) => [h('dt', visible(k)), h('dd', visible(v))])) : h('span.muted', T.none)));
  }
  function draw() {
    const r = open;
    const old = r.snapshot || r.version || r.deleted;
    const act = (text, right, run, cls = '', sign = null) => may(right) && h('button.btn.small', { type: 'button', cls, onclick: run }, sign && icon(sign), text);
    const query = new URLSearchParams(Object.entries(which(r)).filter(x => x[1]));
    side.show({
      title: r.name.slice(r.name.lastIndexOf('/') + 1) || r.name,
      views: [['preview', T.blob.preview], ['properties', T.blob.properties], ['bytes', T.blob.bytes]],
      draw: id => (id === 'preview' ? preview(r) : id === 'bytes' ? hex(r) : properties(r)),
      foot: [h('a.btn.small', { href: `${BASE}/accounts/${encodeURIComponent(a)}/containers/${encodeURIComponent(name)}/content?${query}`, download: r.name.slice(r.name.lastIndexOf('/') + 1) }, icon('download'), T.blob.download), !old && act(T.blob.edit, 'change-blob', () => edit(r)), !old && act(T.blob.makeSnapshot, 'snapshot', () => snapshot(r)), (r.leaseState || r.lease) === 'leased' && act(T.blob.breakLease, 'lease', () => breakLease(r)), h('span.grow'), act(T.blob.remove, 'delete-blob', () => remove(r), 'danger', 'trash')],
    });
  }
  const parsePairs = text => {
    const out = Object.create(null);
    for (const line of text.split('\n')) {
      if (!line.trim()) continue;
      const i = line.indexOf('=');
      if (i < 0) throw { text: T.blob.badPair(line) };
      out[line.slice(0, i).trim()] = line.slice(i + 1).trim();
    }
    return out;
  };
  function edit(r) {
    const names = ['type', 'encoding', 'language', 'disposition', 'cacheControl'];
    const fields = new Map(names.map(n => [n, h('input.field', { value: r[n] || '' })]));
    const lines = map => pairs(map).map(([k, v]) => `${k} = ${v}`).join('\n');
    const tags = h('textarea.field.mono', { rows: 3 });
    tags.value = lines(r.tags);
    const metadata = h('textarea.field.mono', { rows: 3 });
    metadata.value = lines(r.metadata);
    return dialog(T.blob.editTitle, h('div.stack3', h('div.formgrid', names.map(n => h('label.lab', T.blob[n], fields.get(n)))), h('label.lab', T.blob.tags, tags), h('label.lab', T.blob.metadata, metadata), h('p.muted', T.blob.pairsHint)), [{ text: T.cancel }, {
      text: T.blob.save, kind: 'primary', run: async () => {
        const body = {};
        for (const n of names) if (fields.get(n).value !== (r[n] || '')) body[n] = fields.get(n).value;
        if (tags.value !== lines(r.tags)) body.tags = parsePairs(tags.value);
        if (metadata.value !== lines(r.metadata)) body.metadata = parsePairs(metadata.value);
        const stored = await call('PATCH', base + '/blob', { query: { blob: r.name }, headers: { 'If-Match': r.etag }, body });
        open = { ...r, ...stored };
        draw();
        toast(T.blob.saved);
      },
    }], { wide: true });
  }
  async function snapshot(r) {
    try {
      await call('POST', base + '/snapshots', { query: { blob: r.name } });
      toast(T.blob.snapshotMade);
      if (shows.has('snapshots')) read();
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }
  const breakLease = r => dialog(T.blob.leaseTitle, h('p', T.blob.leaseText), [{ text: T.keep }, { text: T.blob.breakLease, kind: 'danger', run: async () => {
    await call('POST', base + '/lease', { query: { blob: r.name }, body: { action: 'break' } });
    toast(T.blob.broken);
    read();
    openBlob({ ...r, lease: 'available' });
  } }]);
  function remove(r) {
    const all = h('input', { type: 'checkbox' });
    const one = r.snapshot || r.version;
    return dialog(T.blob.removeTitle(visible(r.name)), h('div.stack3', h('p', T.blob.removeText), !one && h('label.check', all, T.blob.withSnapshots)), [{ text: T.keep }, { text: T.blob.remove, kind: 'danger', run: async () => {
      await call('DELETE', base + '/blob', { query: { ...which(r), snapshots: all.checked ? 'include' : null } });
      pages.remove(x => idOf(x) === idOf(r));
      if (open && idOf(open) === idOf(r)) side.close();
      toast(T.blob.removed);
    } }]);
  }

  async function send0(files) {
    if (!files.length || !may('upload')) return;
    uploads.hidden = false;
    let done = 0;
    const there = [];
    const one = async (file, over) => {
      const text = h('span.grow.cut', file.name);
      const bar = h('i');
      const control = new AbortController();
      const row = h('div.row', text, h('div.meter.grow.max320', { role: 'progressbar', 'aria-label': file.name, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': 0 }, bar), h('button.btn.small', { type: 'button', onclick: () => control.abort() }, T.stop));
      uploads.append(row);
      try {
        await upload(a, name, folder + (file.webkitRelativePath || file.name), file, { over, signal: control.signal, progress: p => {
          const percent = Math.round(p * 100);
          bar.style.width = percent + '%';
          fill(text, T.blobs.uploading(file.name, percent));
        } });
        done++;
      } catch (e) {
        if (e.status === 409 && !over && /Exist/.test(e.code)) there.push(file);
        else if (e.name !== 'AbortError') toast(T.blobs.uploadFailed(file.name, sentence(e)), 'bad');
      } finally {
        row.remove();
      }
    };
    for (const file of files) await one(file, false);
    if (there.length && (await dialog(T.blobs.overTitle(there.length), h('ul', there.map(f => h('li', h('code', f.name)))), [{ text: T.blobs.skip }, { text: T.blobs.over, kind: 'danger', value: 'over' }])) === 'over') for (const file of there) await one(file, true);
    uploads.hidden = uploads.children.length === 0;
    if (done) {
      toast(T.blobs.uploaded(done));
      read();
    }
  }
  const uploadButton = () => h('label.btn.primary', icon('upload'), T.blobs.upload, h('input.sr', { type: 'file', multiple: true, onchange: e => {
    send0([...e.target.files]);
    e.target.value = '';
  } }));
  const content = h('div.content', {
    ondragover: e => {
      if (!may('upload') || ![...e.dataTransfer.types].includes('Files')) return;
      e.preventDefault();
      content.classList.add('drag');
    },
    ondragleave: e => content.contains(e.relatedTarget) || content.classList.remove('drag'),
    ondrop: e => {
      e.preventDefault();
      content.classList.remove('drag');
      send0([...e.dataTransfer.files]);
    },
  });
  const input = h('input.field.w170', { 'data-filter': '', placeholder: T.blobs.prefix, 'aria-label': T.blobs.prefix, oninput: debounce(150, () => {
    prefix = input.value;
    read();
  }) });
  const toggle = (text, on, change, cls = '') => {
    const b = h('button.btn.small', { type: 'button', cls, 'aria-pressed': String(on()), onclick: () => {
      change();
      b.setAttribute('aria-pressed', String(on()));
      noteParams({ flat: flat ? '1' : null, show: [...shows].join(',') });
      read();
    } }, text);
    return b;
  };
  const names = { snapshots: T.blobs.snapshots, versions: T.blobs.versions, deleted: T.blobs.deletedOnes };
  content.append(h('div.bar', crumbs, h('span.grow'), input, toggle(T.blobs.flat, () => flat, () => (flat = !flat)), SHOWS.map(x => toggle(names[x], () => shows.has(x), () => shows.delete(x) || shows.add(x), 'hide-s'))), h('div.over', grid, cover), uploads, h('div.bar.foot', foot));
  split.prepend(content);
  const removeContainer = () => deleteByName(T.blobs.removeTitle(name), T.blobs.removeText, T.blobs.typeName, name, T.blobs.remove, async () => {
    await call('DELETE', base);
    toast(T.blobs.removed(name));
    changedLists();
    go(to(a, 'blobs'));
  });
  const el = h('div.view.full', { onkeydown: e => {
    if (e.key === 'Escape' && side.open) side.close();
    else if (e.key === 'Backspace' && folder && e.target === grid) go(address(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)));
  } }, h('div.vhead', h('h1', name), h('div.acts', may('delete-container') && h('button.btn.quiet.hide-s', { type: 'button', onclick: removeContainer }, T.remove + '…'), h('button.btn.icon.quiet', { type: 'button', 'aria-label': T.tables.reload, title: T.tables.reload, onclick: read }, icon('redo')), may('upload') && uploadButton())), split);
  const place = r => {
    const f = folderOf(r.parts);
    if (f !== folder || !pages) {
      folder = f;
      prefix = '';
      input.value = '';
      read();
    }
    drawCrumbs();
    at('blobs', [[a, to(a)], [T.nav.blobs, to(a, 'blobs')], [name, address('')], ...(folder ? [[folder.slice(0, -1)]] : [])], name);
    const b = r.params.get('blob');
    if (b && b !== open?.name) openBlob({ name: b, snapshot: r.params.get('snapshot'), version: r.params.get('version'), bytes: 0 }, false);
    else if (!b && side.open) {
      open = null;
      side.hide();
    }
  };
  const resized = () => grid.setColumns(columns());
  narrow.addEventListener('change', resized);
  used('containers', name);
  place(route);
  return {
    el,
    update: place,
    close: () => {
      narrow.removeEventListener('change', resized);
      freePicture();
      pages.close();
    },
  };
}

