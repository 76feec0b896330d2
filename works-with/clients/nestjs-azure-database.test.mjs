import 'reflect-metadata';
import assert from 'node:assert';
import test from 'node:test';
import common from '@nestjs/common';
import core from '@nestjs/core';
import azure from '@nestjs/azure-database';

const before = process.env.after_restart ? () => {} : test;
const after = process.env.after_restart ? test : () => {};

// What the TypeScript compiler makes of a class with decorators.
class Contact {}
function property(name, type, decorator) {
  Reflect.defineMetadata('design:type', type, Contact.prototype, name);
  decorator()(Contact.prototype, name);
}
azure.EntityPartitionKey('contacts')(Contact);
property('name', String, azure.EntityString);
property('age', Number, azure.EntityInt32);
class Contacts {
  constructor(repository) {
    this.repository = repository;
  }
}
azure.InjectRepository(Contact)(Contacts, undefined, 0);
common.Injectable()(Contacts);
class App {}
common.Module({
  imports: [azure.AzureTableStorageModule.forFeature(Contact, { table: 'contacts', createTableIfNotExists: true })],
  providers: [Contacts]
})(App);

const app = await core.NestFactory.createApplicationContext(App, { logger: false });
test.after(() => app.close());
const { repository } = app.get(Contacts);
const contact = (rowKey, name) => ({ partitionKey: 'contacts', rowKey, name, age: 36 });

before('create the table and insert', async () => {
  await repository.create(contact('ada', 'Ada ä'));
  assert.equal((await repository.find('contacts', 'ada')).name, 'Ada ä');
});
before('insert into the table that exists', async () => {
  await repository.tableClientInstance.createEntity(contact('grace', 'Grace'));
  assert.equal(await repository.create(contact('grace', 'Grace')), null);
});
before('awkward keys', async () => {
  for (const key of ['a b', 'per%cent', 'plus+', 'ä', '日本語', "quote'"]) {
    await repository.tableClientInstance.createEntity(contact(key, key));
    assert.equal((await repository.find('contacts', key)).name, key);
  }
});
before('missing', async () => assert.equal(await repository.find('contacts', 'missing'), null));
after('list', async () => assert.equal((await repository.findAll()).length, 8));
after('update', async () => {
  await repository.update('contacts', 'ada', { name: 'Augusta' });
  const found = await repository.find('contacts', 'ada');
  assert.deepEqual([found.name, found.age], ['Augusta', 36]);
});
after('delete', async () => {
  await repository.delete('contacts', 'ada');
  assert.equal(await repository.find('contacts', 'ada'), null);
});
