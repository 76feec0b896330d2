import assert from 'node:assert';
import test from 'node:test';
import { BlobsStorage, BlobsTranscriptStore } from 'botbuilder-azure-blobs';

const storage = new BlobsStorage(process.env.connection, 'bots');
const transcripts = new BlobsTranscriptStore(process.env.connection, 'transcripts');
const activity = (id, minute) => ({
  id, type: 'message', text: 'hello ' + id, channelId: 'test', conversation: { id: 'c/1' }, from: { id: 'u' }, recipient: { id: 'b' },
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute))
});

test('write and read', async () => {
  await storage.write({ 'user/ä 1': { n: 1, eTag: '*' } });
  assert.equal((await storage.read(['user/ä 1']))['user/ä 1'].n, 1);
});
test('a stale tag is refused', async () => {
  const first = (await storage.read(['user/ä 1']))['user/ä 1'];
  await storage.write({ 'user/ä 1': { ...first, n: 2 } });
  await assert.rejects(storage.write({ 'user/ä 1': { ...first, n: 3 } }));
});
test('delete', async () => {
  await storage.delete(['user/ä 1']);
  assert.deepEqual(await storage.read(['user/ä 1']), {});
});
test('log a transcript', async () => {
  for (let i = 0; i < 30; i++) await transcripts.logActivity(activity('a' + i, i));
});
test('read it in pages', async () => {
  let page = await transcripts.getTranscriptActivities('test', 'c/1');
  let count = page.items.length;
  while (page.continuationToken) {
    page = await transcripts.getTranscriptActivities('test', 'c/1', page.continuationToken);
    count += page.items.length;
  }
  assert.equal(count, 30);
});
test('list transcripts', async () => assert.ok((await transcripts.listTranscripts('test')).items.length > 0));
test('delete a transcript', async () => {
  await transcripts.deleteTranscript('test', 'c/1');
  assert.equal((await transcripts.getTranscriptActivities('test', 'c/1')).items.length, 0);
});
