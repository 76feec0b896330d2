import assert from 'node:assert';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import test from 'node:test';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { AzureStore } from '@tus/azure-store';
import { Server } from '@tus/server';
import { Upload } from 'tus-js-client';

const { account, key, domain, work } = process.env;
const before = process.env.after_restart ? () => {} : test;
const after = process.env.after_restart ? test : () => {};
const container = new BlobServiceClient(`https://${account}.blob.${domain}`, new StorageSharedKeyCredential(account, key))
  .getContainerClient('uploads');
await container.createIfNotExists();
const datastore = new AzureStore({ account, accountKey: key, containerName: 'uploads' });
const server = new Server({ path: '/files', datastore }).listen({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
test.after(() => server.close());
const endpoint = `http://127.0.0.1:${server.address().port}/files`;

// The same bytes in every process.
const bytes = (size) => Buffer.alloc(size, 'The quick brown fox, ä. ');
const idOf = (url) => url.split('/').pop();

// Uploads the data, from the URL of an earlier upload if there is one, and stops after so many parts.
function upload(data, more, parts = Infinity) {
  return new Promise((done, fail) => {
    const up = new Upload(data, {
      endpoint, chunkSize: 1048576, retryDelays: null, ...more,
      onError: fail,
      onSuccess: () => done(up.url),
      onChunkComplete: () => {
        if (--parts === 0) up.abort().then(() => done(up.url));
      }
    });
    up.start();
  });
}
async function stored(url) {
  return container.getBlobClient(idOf(url)).downloadToBuffer();
}

before('a small upload', async () => {
  const url = await upload(bytes(1000), { metadata: { filename: 'ä 日本語.txt' } });
  assert.ok((await stored(url)).equals(bytes(1000)));
});
before('its metadata', async () => {
  const url = await upload(bytes(10), { metadata: { filename: 'ä 日本語.txt' } });
  const fresh = new AzureStore({ account, accountKey: key, containerName: 'uploads' });
  assert.equal((await fresh.getUpload(idOf(url))).metadata.filename, 'ä 日本語.txt');
});
before('a large upload in parts', async () => {
  const url = await upload(bytes(20_000_000), {});
  assert.ok((await stored(url)).equals(bytes(20_000_000)));
});
before('read through the store', async () => {
  const url = await upload(bytes(5000), {});
  const parts = [];
  for await (const part of await datastore.read(idOf(url))) parts.push(part);
  assert.ok(Buffer.concat(parts).equals(bytes(5000)));
});
before('an upload of unknown length', async () => {
  const url = await upload(Readable.from([bytes(3_000_000)], { objectMode: false }), { uploadLengthDeferred: true });
  assert.ok((await stored(url)).equals(bytes(3_000_000)));
});
before('an upload stops', async () => {
  const url = await upload(bytes(9_000_000), {}, 3);
  writeFileSync(`${work}/stopped`, idOf(url));
});
after('it is resumed by a new tus server', async () => {
  const id = readFileSync(`${work}/stopped`, 'utf8');
  const offset = (await datastore.getUpload(id)).offset;
  assert.ok(offset > 0 && offset < 9_000_000, String(offset));
  const url = await upload(bytes(9_000_000), { uploadUrl: `${endpoint}/${id}` });
  assert.ok((await stored(url)).equals(bytes(9_000_000)));
});
