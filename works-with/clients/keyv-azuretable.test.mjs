import assert from 'node:assert';
import test from 'node:test';
import Keyv from 'keyv';
import { AzureTableAdapter } from 'keyv-azuretable';

const adapter = new AzureTableAdapter({
  connectionString: process.env.connection, tableName: 'keyv', namespace: 'users',
  clientOptions: { allowInsecureConnection: true }
});
const keyv = new Keyv({ store: adapter, namespace: 'users' });

test('make the table', () => adapter.createTable());
test('set and get', async () => {
  await keyv.set('foo', { bar: 'ä' });
  assert.deepEqual(await keyv.get('foo'), { bar: 'ä' });
});
test('missing', async () => assert.equal(await keyv.get('missing'), undefined));
test('replace', async () => {
  await keyv.set('foo', 'second');
  assert.equal(await keyv.get('foo'), 'second');
});
test('delete', async () => {
  await keyv.delete('foo');
  assert.equal(await keyv.get('foo'), undefined);
});
test('clear', async () => {
  for (let i = 0; i < 20; i++) await keyv.set('k' + i, i);
  await keyv.clear();
  assert.equal(await keyv.get('k7'), undefined);
});
