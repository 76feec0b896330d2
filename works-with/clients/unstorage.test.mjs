import assert from 'node:assert';
import test from 'node:test';
import { createStorage } from 'unstorage';
import blobDriver from 'unstorage/drivers/azure-storage-blob';
import tableDriver from 'unstorage/drivers/azure-storage-table';
import { BlobServiceClient } from '@azure/storage-blob';
import { TableClient } from '@azure/data-tables';

const { connection, account, key, table } = process.env;
await BlobServiceClient.fromConnectionString(connection).getContainerClient('unstorage').createIfNotExists();
await TableClient.fromConnectionString(connection, 'unstorage').createTable();
const drivers = {
  blob: blobDriver({ accountName: account, connectionString: connection, containerName: 'unstorage' }),
  table: tableDriver({ accountName: account, connectionString: connection, tableName: 'unstorage' })
};
for (const [name, driver] of Object.entries(drivers)) {
  const storage = createStorage({ driver });
  test(`${name}: set and get`, async () => {
    await storage.setItem('a', { n: 1, text: 'ä' });
    assert.deepEqual(await storage.getItem('a'), { n: 1, text: 'ä' });
  });
  test(`${name}: has and missing`, async () => {
    assert.equal(await storage.hasItem('a'), true);
    assert.equal(await storage.getItem('missing'), null);
  });
  test(`${name}: awkward keys`, async () => {
    for (const item of ['a b', 'per%cent', 'plus+', 'ä', '日本語', "quote'"]) {
      await storage.setItem(item, item);
      assert.equal(await storage.getItem(item), item);
    }
  });
  test(`${name}: list`, async () => assert.equal((await storage.getKeys()).length, 7));
  test(`${name}: metadata`, async () => assert.ok((await storage.getMeta('a')).mtime));
  test(`${name}: remove`, async () => {
    await storage.removeItem('a');
    assert.equal(await storage.hasItem('a'), false);
  });
  test(`${name}: clear`, async () => {
    await storage.clear();
    assert.equal((await storage.getKeys()).length, 0);
  });
}
