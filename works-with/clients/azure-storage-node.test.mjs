import assert from 'node:assert';
import test from 'node:test';
import { promisify } from 'node:util';
import azure from 'azure-storage';

const connection = process.env.connection;
const blobs = azure.createBlobService(connection);
const queues = azure.createQueueService(connection).withFilter(new azure.LinearRetryPolicyFilter(3, 100));
const tables = azure.createTableService(connection);
queues.messageEncoder = new azure.QueueMessageEncoder.TextBase64QueueMessageEncoder();
const on = (service, name) => promisify(service[name]).bind(service);
const entity = azure.TableUtilities.entityGenerator;

test('blob: make a container', () => on(blobs, 'createContainerIfNotExists')('old'));
test('blob: text', async () => {
  await on(blobs, 'createBlockBlobFromText')('old', 'a b/ä+%.txt', 'text');
  assert.equal(await on(blobs, 'getBlobToText')('old', 'a b/ä+%.txt'), 'text');
});
test('blob: blocks', async () => {
  const text = 'x'.repeat(9_000_000);
  await on(blobs, 'createBlockFromText')('MDAx', 'old', 'blocks', text.slice(0, 4_000_000));
  await on(blobs, 'createBlockFromText')('MDAy', 'old', 'blocks', text.slice(4_000_000));
  await on(blobs, 'commitBlocks')('old', 'blocks', { LatestBlocks: ['MDAx', 'MDAy'] });
  assert.equal((await on(blobs, 'getBlobToText')('old', 'blocks')).length, 9_000_000);
});
test('blob: metadata and properties', async () => {
  await on(blobs, 'setBlobMetadata')('old', 'blocks', { owner: 'ann' });
  const properties = await on(blobs, 'getBlobProperties')('old', 'blocks');
  assert.equal(properties.metadata.owner, 'ann');
});
test('blob: snapshot', async () => {
  const id = await on(blobs, 'createBlobSnapshot')('old', 'blocks');
  assert.ok(id);
});
test('blob: lease', async () => {
  const lease = await on(blobs, 'acquireLease')('old', 'blocks', { leaseDuration: 30 });
  await assert.rejects(on(blobs, 'deleteBlob')('old', 'blocks'), (e) => e.statusCode === 412);
  await on(blobs, 'releaseLease')('old', 'blocks', lease.id);
});
test('blob: append', async () => {
  await on(blobs, 'createAppendBlobFromText')('old', 'log', 'one');
  await on(blobs, 'appendFromText')('old', 'log', ' two');
  assert.equal(await on(blobs, 'getBlobToText')('old', 'log'), 'one two');
});
test('blob: list', async () => {
  const list = await on(blobs, 'listBlobsSegmented')('old', null, { include: 'snapshots,metadata' });
  assert.equal(list.entries.length, 4);
});
test('blob: copy', async () => {
  await on(blobs, 'startCopyBlob')(blobs.getUrl('old', 'log'), 'old', 'copy');
  assert.equal(await on(blobs, 'getBlobToText')('old', 'copy'), 'one two');
});
test('table: insert and read', async () => {
  await on(tables, 'createTableIfNotExists')('old');
  const row = {
    PartitionKey: entity.String('p'), RowKey: entity.String("it's"), Long: entity.Int64('9007199254740993'),
    Date: entity.DateTime(new Date(0)), Guid: entity.Guid('11111111-2222-3333-4444-555555555555'), Double: entity.Double(1.5)
  };
  await on(tables, 'insertEntity')('old', row);
  const read = await on(tables, 'retrieveEntity')('old', 'p', "it's");
  assert.equal(read.Long._, '9007199254740993');
  assert.equal(read.Double._, 1.5);
});
test('table: batch', async () => {
  const batch = new azure.TableBatch();
  for (let i = 0; i < 100; i++) {
    batch.insertOrMergeEntity({ PartitionKey: entity.String('b'), RowKey: entity.String(String(i)), n: entity.Int32(i) });
  }
  await on(tables, 'executeBatch')('old', batch);
});
test('table: query', async () => {
  const query = new azure.TableQuery().top(10).where('PartitionKey eq ? and n ge ?', 'b', 90);
  assert.equal((await on(tables, 'queryEntities')('old', query, null)).entries.length, 10);
});
test('table: merge with a tag', async () => {
  const row = { PartitionKey: entity.String('p'), RowKey: entity.String("it's"), More: entity.String('x') };
  await on(tables, 'mergeEntity')('old', row);
  const read = await on(tables, 'retrieveEntity')('old', 'p', "it's");
  await on(tables, 'replaceEntity')('old', { ...row, '.metadata': read['.metadata'] });
  await assert.rejects(on(tables, 'replaceEntity')('old', { ...row, '.metadata': read['.metadata'] }), (e) => e.statusCode === 412);
});
test('queue: put, get, update, delete', async () => {
  await on(queues, 'createQueueIfNotExists')('old');
  await on(queues, 'createMessage')('old', 'hällo <&>');
  const message = await on(queues, 'getMessage')('old');
  assert.equal(message.messageText, 'hällo <&>');
  const updated = await on(queues, 'updateMessage')('old', message.messageId, message.popReceipt, 0, { messageText: 'new' });
  assert.ok(updated.popReceipt);
  const again = await on(queues, 'getMessage')('old');
  assert.equal(again.messageText, 'new');
  await on(queues, 'deleteMessage')('old', again.messageId, again.popReceipt);
});
test('delete everything', async () => {
  await on(blobs, 'deleteContainer')('old');
  await on(queues, 'deleteQueue')('old');
  await on(tables, 'deleteTable')('old');
});
