import assert from 'node:assert';
import test from 'node:test';
import { Blob, Queue, Table } from 'fast-azure-storage';

const options = { accountId: process.env.account, accessKey: process.env.key };
const [table, queue, blob] = [new Table(options), new Queue(options), new Blob(options)];
const before = process.env.after_restart ? () => {} : test;
const after = process.env.after_restart ? test : () => {};
const expiry = new Date(Date.now() + 3600000);
const op = Table.Operators;

before('a table', async () => {
  await table.createTable('people');
  assert.ok((await table.queryTables()).tables.includes('people'));
});
before('entities', async () => {
  for (let i = 0; i < 25; i++) {
    await table.insertEntity('people', { PartitionKey: "o'k ä", RowKey: 'row ' + String(i).padStart(2, '0'), n: i });
  }
  const found = await table.getEntity('people', "o'k ä", 'row 07');
  assert.equal(found.n, 7);
  await table.updateEntity('people', { PartitionKey: "o'k ä", RowKey: 'row 07', more: 'x' }, { mode: 'merge', eTag: found['odata.etag'] ?? '*' });
  assert.equal((await table.getEntity('people', "o'k ä", 'row 07')).more, 'x');
  await assert.rejects(table.insertEntity('people', { PartitionKey: "o'k ä", RowKey: 'row 07' }), { code: 'EntityAlreadyExists' });
});
before('a query in pages', async () => {
  const filter = Table.filter(['PartitionKey', op.Equal, op.string("o'k ä")], op.And, ['n', op.LessThan, op.number(20)]);
  let [count, next] = [0, {}];
  do {
    const page = await table.queryEntities('people', { filter, top: 7, ...next });
    count += page.entities.length;
    next = { nextPartitionKey: page.nextPartitionKey, nextRowKey: page.nextRowKey };
  } while (next.nextPartitionKey);
  assert.equal(count, 20);
});
before('entities by SAS', async () => {
  const reader = new Table({ accountId: options.accountId, sas: table.sas('people', { expiry, permissions: { read: true } }) });
  assert.equal((await reader.getEntity('people', "o'k ä", 'row 03')).n, 3);
  await assert.rejects(reader.insertEntity('people', { PartitionKey: 'a', RowKey: 'b' }), { statusCode: 403 });
});
before('messages', async () => {
  await queue.createQueue('work', { owner: 'me' });
  assert.equal((await queue.getMetadata('work')).metadata.owner, 'me');
  await queue.putMessage('work', Buffer.from('one <&> ä').toString('base64'), { messageTTL: 600 });
  await queue.putMessage('work', 'two', { messageTTL: 600 });
  const [first] = await queue.getMessages('work', { visibilityTimeout: 30 });
  assert.equal(Buffer.from(first.messageText, 'base64').toString(), 'one <&> ä');
  const { popReceipt } = await queue.updateMessage('work', 'changed', first.messageId, first.popReceipt, { visibilityTimeout: 0 });
  assert.ok(popReceipt);
  assert.equal((await queue.peekMessages('work', { numberOfMessages: 32 })).length, 2);
  const [again] = await queue.getMessages('work', { visibilityTimeout: 30 });
  await queue.deleteMessage('work', again.messageId, again.popReceipt);
  assert.ok((await queue.listQueues({ metadata: true })).queues.some((q) => q.name === 'work'));
});
before('blobs', async () => {
  await blob.createContainer('files', { metadata: { owner: 'me' } });
  await blob.putBlob('files', 'a/one.txt', { type: 'BlockBlob', metadata: { a: 'b' }, contentType: 'text/plain' }, 'hello ä');
  assert.equal((await blob.getBlob('files', 'a/one.txt')).content, 'hello ä');
  assert.equal((await blob.getBlobMetadata('files', 'a/one.txt')).metadata.a, 'b');
});
before('a blob in blocks', async () => {
  const ids = [];
  for (let i = 0; i < 8; i++) {
    const blockId = blob.getBlockId('block', i, 6);
    ids.push(blockId);
    await blob.putBlock('files', 'large', { blockId }, String(i).repeat(1048576));
  }
  await blob.putBlockList('files', 'large', { uncommittedBlockIds: ids });
  assert.equal((await blob.getBlob('files', 'large')).content.length, 8 * 1048576);
  assert.equal((await blob.getBlockList('files', 'large', { blockListType: 'committed' })).committedBlocks.length, 8);
});
before('an append blob', async () => {
  await blob.putBlob('files', 'log', { type: 'AppendBlob' });
  for (const line of ['one', 'two']) await blob.appendBlock('files', 'log', {}, line);
  assert.equal((await blob.getBlob('files', 'log')).content, 'onetwo');
});
before('a lease', async () => {
  const { leaseId } = await blob.leaseContainer('files', { leaseAction: 'acquire', leaseDuration: 15 });
  await assert.rejects(blob.deleteContainer('files'), { code: 'LeaseIdMissing' });
  await blob.leaseContainer('files', { leaseAction: 'release', leaseId });
});
before('blobs by SAS', async () => {
  const sas = blob.sas('files', 'a/one.txt', { expiry, resourceType: 'blob', permissions: { read: true } });
  assert.equal((await new Blob({ accountId: options.accountId, sas }).getBlob('files', 'a/one.txt')).content, 'hello ä');
});
after('everything is there after the restart', async () => {
  assert.equal((await table.getEntity('people', "o'k ä", 'row 07')).more, 'x');
  assert.equal((await queue.peekMessages('work')).length, 1);
  assert.deepEqual((await blob.listBlobs('files')).blobs.map((b) => b.name), ['a/one.txt', 'large', 'log']);
});
after('delete', async () => {
  await table.deleteEntity('people', "o'k ä", 'row 07', { eTag: '*' });
  await table.deleteTable('people');
  await queue.deleteQueue('work');
  await blob.deleteBlob('files', 'log');
  await blob.deleteContainer('files');
});
