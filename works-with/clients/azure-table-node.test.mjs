import assert from 'node:assert';
import test from 'node:test';
import { promisify } from 'node:util';
import azureTable from 'azure-table-node';

azureTable.setDefaultClient({ accountUrl: process.env.table + '/', accountName: process.env.account, accountKey: process.env.key });
const client = azureTable.getDefaultClient();
const call = (name) => promisify(client[name]).bind(client);

test('make a table', () => call('createTable')('small', true));
test('list', async () => assert.ok((await call('listTables')()).includes('small')));
test('insert and read', async () => {
  await call('insertEntity')('small', { PartitionKey: 'p', RowKey: 'r', text: 'ä', n: 5, yes: true, at: new Date(0) });
  const row = await call('getEntity')('small', 'p', 'r');
  assert.equal(row.text, 'ä');
  assert.equal(row.n, 5);
});
test('update and merge', async () => {
  await call('updateEntity')('small', { PartitionKey: 'p', RowKey: 'r', text: 'new', __etag: '*' }, { force: true });
  await call('mergeEntity')('small', { PartitionKey: 'p', RowKey: 'r', more: 'x' }, { force: true });
  const row = await call('getEntity')('small', 'p', 'r');
  assert.equal(row.text + row.more, 'newx');
});
test('batch', async () => {
  const batch = client.startBatch();
  for (let i = 0; i < 50; i++) batch.insertEntity('small', { PartitionKey: 'b', RowKey: String(i), n: i });
  await promisify(batch.commit).bind(batch)();
});
test('query', async () => {
  const query = azureTable.Query.create('PartitionKey', '==', 'b').and('n', '>=', 40);
  assert.equal((await call('queryEntities')('small', { query })).length, 10);
});
test('delete', async () => {
  await call('deleteEntity')('small', { PartitionKey: 'p', RowKey: 'r', __etag: '*' }, { force: true });
  await call('deleteTable')('small');
});
