// Uploads: small files at once, large ones in blocks of 4 MiB, four at a time. Blocks that a broken upload left are used again.
import { call, path } from './api.js';

export const BLOCK = 4 << 20;
const AT_ONCE = 4;

/** Ids of blocks: the same for the same file, so that an upload goes on after a reload. All have one length. */
async function blockIds(file) {
  const mark = new TextEncoder().encode(`${file.name}\n${file.size}\n${file.lastModified}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', mark));
  const head = [...digest.subarray(0, 6)].map(b => b.toString(16).padStart(2, '0')).join('');
  return Array.from({ length: Math.ceil(file.size / BLOCK) }, (_, i) => btoa(head + String(i).padStart(6, '0')));
}

/** Blocks that were uploaded and not committed, by id. A name that nobody used yet has none. */
async function blocksThere(base, blob, signal) {
  try {
    return new Map((await call('GET', base + '/blocks', { query: { blob }, signal })).blocks.map(b => [b.id, b.bytes]));
  } catch (e) {
    if (e.status === 404) return new Map();
    throw e;
  }
}

/** `over`: whether a blob of this name may be replaced; if not, one that is there fails with 409. */
export async function upload(account, container, blob, file, { over, progress, signal }) {
  const base = path('accounts', account, 'containers', container);
  const headers = over ? {} : { 'If-None-Match': '*' };
  const type = file.type || 'application/octet-stream';
  if (file.size <= BLOCK) {
    await call('PUT', base + '/content', { query: { blob, type }, headers, body: file, signal });
    progress(1);
    return;
  }
  const ids = await blockIds(file);
  const there = await blocksThere(base, blob, signal);
  const size = i => Math.min(BLOCK, file.size - i * BLOCK);
  const left = ids.map((_, i) => i).filter(i => there.get(ids[i]) !== size(i));
  let done = ids.length - left.length;
  progress(done / ids.length);
  const worker = async () => {
    for (let i = left.shift(); i !== undefined; i = left.shift()) {
      await call('PUT', base + '/blocks', { query: { blob, id: ids[i] }, body: file.slice(i * BLOCK, i * BLOCK + size(i)), signal });
      progress(++done / ids.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await call('POST', base + '/blocks', { query: { blob }, headers, body: { ids, type }, signal });
}
