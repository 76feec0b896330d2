import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import test from 'node:test';

const port = await new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const cache = spawn(process.execPath, [import.meta.dirname + '/node_modules/turborepo-remote-cache/dist/cli.js'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env, PORT: String(port), TURBO_TOKEN: 'secret', STORAGE_PROVIDER: 'azure-blob-storage',
    STORAGE_PATH: 'turbo', ABS_CONNECTION_STRING: process.env.connection
  }
});
const base = `http://127.0.0.1:${port}/v8/artifacts/`;
const ask = (hash, more) =>
  fetch(`${base}${hash}?slug=team`, { ...more, headers: { authorization: 'Bearer secret', 'content-type': 'application/octet-stream' } });
test.before(async () => {
  for (let i = 0; i < 200; i++) {
    try {
      await fetch(`http://127.0.0.1:${port}/v8/artifacts/status`);
      return;
    } catch {
      await new Promise((r) => setTimeout(r, 100));
    }
  }
});
test.after(() => cache.kill());

for (const [name, size] of [['small', 1000], ['large', 20_000_000]]) {
  const data = randomBytes(size);
  test(`${name}: missing`, async () => assert.equal((await ask(name)).status, 404));
  test(`${name}: put`, async () => assert.equal((await ask(name, { method: 'PUT', body: data })).status, 200));
  test(`${name}: check`, async () => assert.equal((await ask(name, { method: 'HEAD' })).status, 200));
  test(`${name}: get`, async () => assert.ok(Buffer.from(await (await ask(name)).arrayBuffer()).equals(data)));
}
