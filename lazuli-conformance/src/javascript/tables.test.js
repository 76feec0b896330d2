// The operations that users of @azure/data-tables need.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  TableClient,
  TableServiceClient,
  TableTransaction,
  generateAccountSas,
  generateTableSas,
  odata,
} from "@azure/data-tables";
import { all, freshName, key, name, options, secondary, tableEndpoint } from "./account.js";
import { refused } from "./expect.js";

const credential = new AzureNamedKeyCredential(name, key);
const service = new TableServiceClient(tableEndpoint, credential, options);
const created = [];

function clientFor(tableName, using = credential) {
  return new TableClient(tableEndpoint, tableName, using, options);
}

async function newTable() {
  const tableName = freshName();
  created.push(tableName);
  await service.createTable(tableName);
  return clientFor(tableName);
}

after(() => Promise.all(created.map((tableName) => service.deleteTable(tableName))));

describe("tables", () => {
  test("are created, listed and deleted", async () => {
    const table = await newTable();
    const mine = { queryOptions: { filter: odata`TableName eq ${table.tableName}` } };
    assert.deepEqual(
      (await all(service.listTables(mine))).map((item) => item.name),
      [table.tableName],
    );
    await service.deleteTable(table.tableName);
    assert.deepEqual(await all(service.listTables(mine)), []);
  });

  test("that exist are created again without an error, and without losing anything", async () => {
    const table = await newTable();
    await table.createEntity({ partitionKey: "p", rowKey: "r" });
    await table.createTable();
    assert.equal((await table.getEntity("p", "r")).rowKey, "r");
  });

  test("that do not exist are deleted without an error", async () => {
    await service.deleteTable(freshName());
  });

  test("are listed page by page", async () => {
    const names = [];
    for (let i = 0; i < 5; i++) {
      names.push((await newTable()).tableName);
    }
    names.sort();
    const filter = odata`TableName ge ${names[0]} and TableName le ${names[4]}`;
    const pages = [];
    for await (const page of service.listTables({ queryOptions: { filter } }).byPage({ maxPageSize: 2 })) {
      assert.ok(page.length <= 2);
      pages.push(...page.map((item) => item.name));
    }
    assert.deepEqual(pages.filter((one) => names.includes(one)), names);
  });

  test("with illegal names are refused", async () => {
    await refused(service.createTable("a"), 400, "OutOfRangeInput");
    await refused(service.createTable("with-hyphen"), 400, "InvalidResourceName");
  });

  test("that do not exist are not found", async () => {
    const table = clientFor(freshName());
    await refused(table.createEntity({ partitionKey: "p", rowKey: "r" }), 404, "TableNotFound");
    await refused(all(table.listEntities()), 404, "TableNotFound");
  });
});

describe("entities", () => {
  let table;
  before(async () => {
    table = await newTable();
  });

  test("are created, read, updated and deleted", async () => {
    const made = await table.createEntity({ partitionKey: "crud", rowKey: "r", a: 1, b: "x" });
    assert.ok(made.etag);
    const read = await table.getEntity("crud", "r");
    assert.equal(read.a, 1);
    assert.equal(read.etag, made.etag);
    assert.ok(!Number.isNaN(Date.parse(read.timestamp)));
    await table.updateEntity({ partitionKey: "crud", rowKey: "r", a: 2 }, "Merge");
    assert.deepEqual(pick(await table.getEntity("crud", "r"), "a", "b"), { a: 2, b: "x" });
    await table.updateEntity({ partitionKey: "crud", rowKey: "r", a: 3 }, "Replace");
    assert.deepEqual(pick(await table.getEntity("crud", "r"), "a", "b"), { a: 3 });
    await table.deleteEntity("crud", "r");
    await refused(table.getEntity("crud", "r"), 404, "ResourceNotFound");
  });

  test("are inserted or changed by upsert", async () => {
    const keys = { partitionKey: "upsert", rowKey: "r" };
    await table.upsertEntity({ ...keys, a: 1 }, "Merge");
    await table.upsertEntity({ ...keys, b: 2 }, "Merge");
    assert.deepEqual(pick(await table.getEntity("upsert", "r"), "a", "b"), { a: 1, b: 2 });
    await table.upsertEntity({ ...keys, c: 3 }, "Replace");
    assert.deepEqual(pick(await table.getEntity("upsert", "r"), "a", "b", "c"), { c: 3 });
  });

  test("keep every type", async () => {
    const sent = {
      partitionKey: "types",
      rowKey: "r",
      text: "grüße, 世界 😀",
      empty: "",
      yes: true,
      no: false,
      int32: 2147483647,
      smallest: -2147483648,
      int64: 9223372036854775807n,
      double: 1.5,
      tiny: 5e-324,
      date: new Date("2026-11-15T09:30:00.123Z"),
      bytes: new Uint8Array([0, 1, 127, 128, 255]),
      guid: { type: "Guid", value: "c9da6455-213d-42c9-9a79-3e9149a57833" },
    };
    await table.createEntity(sent);
    const read = await table.getEntity("types", "r");
    read.bytes = new Uint8Array(read.bytes);
    for (const property of Object.keys(sent)) {
      assert.deepEqual(read[property], sent[property], property);
    }
  });

  test("show their types when they are not converted", async () => {
    const sent = {
      small: { type: "Int32", value: "3" },
      double: { type: "Double", value: "2.5" },
      large: { type: "Int64", value: "-9223372036854775808" },
      date: { type: "DateTime", value: "1601-01-01T00:00:00Z" },
      precise: { type: "DateTime", value: "2026-11-15T09:30:00.1234567Z" },
      bytes: { type: "Binary", value: "AAEC" },
      text: { type: "String", value: "3" },
      flag: { type: "Boolean", value: "true" },
    };
    await table.createEntity({
      partitionKey: "typed",
      rowKey: "r",
      ...sent,
      small: 3,
      double: 2.5,
      flag: true,
    });
    const read = await table.getEntity("typed", "r", { disableTypeConversion: true });
    for (const property of Object.keys(sent)) {
      assert.deepEqual(read[property], sent[property], property);
    }
  });

  test("do not keep null values", async () => {
    await table.createEntity({ partitionKey: "null", rowKey: "r", gone: null, kept: 1 });
    assert.ok(!("gone" in (await table.getEntity("null", "r"))));
  });

  test("that exist are not created again", async () => {
    const entity = { partitionKey: "twice", rowKey: "r" };
    await table.createEntity(entity);
    await refused(table.createEntity(entity), 409, "EntityAlreadyExists");
  });

  test("that do not exist are not updated or deleted", async () => {
    const entity = { partitionKey: "absent", rowKey: "r", a: 1 };
    await refused(table.updateEntity(entity, "Merge"), 404, "ResourceNotFound");
    await refused(table.updateEntity(entity, "Replace"), 404, "ResourceNotFound");
    await refused(table.deleteEntity("absent", "r"), 404, "ResourceNotFound");
  });

  test("that another client changed are not overwritten", async () => {
    const entity = { partitionKey: "tag", rowKey: "r", n: 1 };
    const { etag } = await table.createEntity(entity);
    const changed = await table.updateEntity({ ...entity, n: 2 }, "Replace", { etag });
    assert.notEqual(changed.etag, etag);
    for (const mode of ["Merge", "Replace"]) {
      await refused(
        table.updateEntity({ ...entity, n: 3 }, mode, { etag }),
        412,
        "UpdateConditionNotSatisfied",
      );
    }
    await refused(table.deleteEntity("tag", "r", { etag }), 412, "UpdateConditionNotSatisfied");
    assert.equal((await table.getEntity("tag", "r")).n, 2);
    await table.deleteEntity("tag", "r", { etag: changed.etag });
  });

  test("have keys of any legal text", async () => {
    const keys = [
      "", " ", "O'Neil", "''", "a b", "a+b", "a%20b", "100%", "a&b=c", "a,b", "(a)", "a:b;c", "é", "日本", "😀",
      "{\"a\":1}", "~!@$^*|<>", "ID=1",
    ];
    for (const text of keys) {
      const entity = { partitionKey: text, rowKey: `${text}-row`, value: text };
      await table.createEntity(entity);
      const read = await table.getEntity(text, `${text}-row`);
      assert.deepEqual(pick(read, ...Object.keys(entity)), entity);
      const filter = odata`PartitionKey eq ${text} and RowKey eq ${`${text}-row`}`;
      assert.equal((await all(table.listEntities({ queryOptions: { filter } }))).length, 1, text);
      await table.updateEntity({ ...entity, value: "new" }, "Replace", { etag: read.etag });
      await table.deleteEntity(text, `${text}-row`);
    }
  });

  test("have no keys with characters that URLs cannot have", async () => {
    for (const text of ["a/b", "a\\b", "a#b", "a?b", "a\u0001b"]) {
      await refused(
        table.createEntity({ partitionKey: "p", rowKey: text }),
        400,
        "OutOfRangeInput",
      );
    }
  });

  test("are not larger than allowed", async () => {
    await refused(
      table.createEntity({ partitionKey: "large", rowKey: "r", text: "x".repeat(32769) }),
      400,
      "PropertyValueTooLarge",
    );
    const many = { partitionKey: "large", rowKey: "r" };
    for (let i = 0; i < 253; i++) {
      many[`p${i}`] = i;
    }
    await refused(table.createEntity(many), 400, "TooManyProperties");
  });
});

describe("queries", () => {
  const ROWS = 25;
  let table;
  before(async () => {
    table = await newTable();
    const rows = new TableTransaction();
    for (let i = 0; i < ROWS; i++) {
      rows.createEntity({
        partitionKey: "p",
        rowKey: String(i).padStart(2, "0"),
        number: i,
        large: BigInt(i) * 10_000_000_000n,
        half: { type: "Double", value: i / 2 },
        even: i % 2 === 0,
        day: new Date(Date.UTC(2026, 0, 1 + i)),
        guid: { type: "Guid", value: `00000000-0000-0000-0000-0000000000${String(i).padStart(2, "0")}` },
        bytes: new Uint8Array([i]),
        text: `it's ${i}`,
      });
    }
    await table.submitTransaction(rows.actions);
    await table.createEntity({ partitionKey: "q", rowKey: "00", number: 100 });
  });

  async function rows(filter, ...select) {
    const queryOptions = { filter, ...(select.length > 0 && { select }) };
    return (await all(table.listEntities({ queryOptions }))).map((entity) => entity.rowKey);
  }

  test("return everything in the order of the keys", async () => {
    const found = await all(table.listEntities());
    assert.equal(found.length, ROWS + 1);
    const keys = found.map((entity) => `${entity.partitionKey}/${entity.rowKey}`);
    assert.deepEqual(keys, [...keys].sort());
  });

  test("compare values of every type", async () => {
    assert.deepEqual(await rows(odata`number ge ${23} and number lt ${50}`), ["23", "24"]);
    assert.deepEqual(await rows(odata`large eq ${30_000_000_000n}L`), ["03"]);
    assert.deepEqual(await rows(odata`half gt ${11.5}`), ["24"]);
    assert.deepEqual(await rows(odata`even eq ${true} and number le ${4}`), ["00", "02", "04"]);
    assert.deepEqual(await rows(odata`day eq ${new Date(Date.UTC(2026, 0, 6))}`), ["05"]);
    assert.deepEqual(await rows("guid eq guid'00000000-0000-0000-0000-000000000007'"), ["07"]);
    assert.deepEqual(await rows("bytes eq X'0a'"), ["10"]);
    assert.deepEqual(await rows(odata`text eq ${"it's 9"}`), ["09"]);
  });

  test("combine conditions", async () => {
    assert.deepEqual(await rows(odata`number eq ${1} or number eq ${100}`), ["01", "00"]);
    assert.deepEqual(await rows(odata`PartitionKey eq 'p' and not (number lt ${24})`), ["24"]);
    assert.deepEqual(
      await rows(odata`PartitionKey eq ${"p"} and RowKey ge ${"10"} and RowKey lt ${"12"}`),
      ["10", "11"],
    );
    assert.deepEqual(await rows(odata`number gt ${1000}`), []);
  });

  test("return only the selected properties", async () => {
    const queryOptions = { filter: odata`number eq ${3}`, select: ["text", "missing"] };
    const [entity] = await all(table.listEntities({ queryOptions }));
    assert.equal(entity.text, "it's 3");
    assert.equal(entity.number, undefined);
    assert.equal(entity.rowKey, undefined);
    const read = await table.getEntity("p", "03", { queryOptions: { select: ["number"] } });
    assert.equal(read.number, 3);
    assert.equal(read.text, undefined);
  });

  test("come in pages, which can be continued later", async () => {
    const sizes = [];
    let token;
    const seen = [];
    do {
      const pages = clientFor(table.tableName)
        .listEntities({ queryOptions: { filter: odata`PartitionKey eq 'p'` } })
        .byPage({ maxPageSize: 10, continuationToken: token });
      const { value: page } = await pages.next();
      sizes.push(page.length);
      seen.push(...page.map((entity) => entity.rowKey));
      token = page.continuationToken;
    } while (token);
    assert.deepEqual(sizes, [10, 10, 5]);
    assert.deepEqual(seen, [...new Set(seen)].sort());
  });

  test("with an invalid filter are refused", async () => {
    await refused(rows("number eq"), 400, "InvalidInput");
    await refused(rows("startswith(text, 'a')"), 501, "NotImplemented");
  });
});

describe("transactions", () => {
  let table;
  before(async () => {
    table = await newTable();
  });

  test("do several operations at once", async () => {
    await table.createEntity({ partitionKey: "all", rowKey: "merged", a: 1 });
    await table.createEntity({ partitionKey: "all", rowKey: "replaced", a: 1 });
    await table.createEntity({ partitionKey: "all", rowKey: "deleted" });
    const work = new TableTransaction();
    work.createEntity({ partitionKey: "all", rowKey: "created", text: "世界" });
    work.updateEntity({ partitionKey: "all", rowKey: "merged", b: 2 }, "Merge");
    work.updateEntity({ partitionKey: "all", rowKey: "replaced", b: 2 }, "Replace");
    work.upsertEntity({ partitionKey: "all", rowKey: "upserted", c: 3n }, "Merge");
    work.deleteEntity("all", "deleted");
    const answer = await table.submitTransaction(work.actions);
    assert.equal(answer.status, 202);
    assert.deepEqual(answer.subResponses.map((one) => one.status), [204, 204, 204, 204, 204]);
    const made = await table.getEntity("all", "created");
    assert.equal(answer.getResponseForEntity("created").etag, made.etag);
    assert.equal(made.text, "世界");
    assert.deepEqual(pick(await table.getEntity("all", "merged"), "a", "b"), { a: 1, b: 2 });
    assert.deepEqual(pick(await table.getEntity("all", "replaced"), "a", "b"), { b: 2 });
    assert.equal((await table.getEntity("all", "upserted")).c, 3n);
    await refused(table.getEntity("all", "deleted"), 404, "ResourceNotFound");
  });

  test("have up to 100 operations", async () => {
    const hundred = [];
    for (let i = 0; i < 100; i++) {
      hundred.push(["create", { partitionKey: "hundred", rowKey: String(i) }]);
    }
    assert.equal((await table.submitTransaction(hundred)).subResponses.length, 100);
  });

  test("do nothing when one operation fails", async () => {
    await table.createEntity({ partitionKey: "none", rowKey: "there" });
    const work = new TableTransaction();
    work.createEntity({ partitionKey: "none", rowKey: "first" });
    work.createEntity({ partitionKey: "none", rowKey: "there" });
    await refused(table.submitTransaction(work.actions), 409, "EntityAlreadyExists");
    await refused(table.getEntity("none", "first"), 404, "ResourceNotFound");
  });

  test("check ETags", async () => {
    const { etag } = await table.createEntity({ partitionKey: "tags", rowKey: "r", n: 1 });
    const update = [["update", { partitionKey: "tags", rowKey: "r", n: 2 }, "Replace", { etag }]];
    await table.submitTransaction(update);
    await refused(table.submitTransaction(update), 412, "UpdateConditionNotSatisfied");
  });

  test("with an entity twice are refused", async () => {
    const entity = { partitionKey: "twice", rowKey: "r" };
    await refused(
      table.submitTransaction([["upsert", entity, "Merge"], ["upsert", entity, "Merge"]]),
      400,
      "InvalidDuplicateRow",
    );
  });

  test("have keys with quotes and other letters", async () => {
    const entity = { partitionKey: "O'Neil & 世界", rowKey: "50%", n: 1 };
    await table.submitTransaction([["create", entity]]);
    await table.submitTransaction([["update", { ...entity, n: 2 }, "Merge"]]);
    assert.equal((await table.getEntity(entity.partitionKey, entity.rowKey)).n, 2);
    await table.submitTransaction([["delete", entity]]);
  });
});

describe("shared access signatures", () => {
  let table;
  before(async () => {
    table = await newTable();
    for (const partitionKey of ["a", "b", "c"]) {
      await table.createEntity({ partitionKey, rowKey: "r" });
    }
  });

  function inAnHour(hours = 1) {
    return new Date(Date.now() + hours * 3_600_000);
  }

  function withTableSas(values) {
    const sas = generateTableSas(table.tableName, credential, values);
    return clientFor(table.tableName, new AzureSASCredential(sas));
  }

  test("for a table allow what their letters say", async () => {
    const reader = withTableSas({ permissions: { query: true }, expiresOn: inAnHour() });
    assert.equal((await all(reader.listEntities())).length, 3);
    const entity = { partitionKey: "d", rowKey: "r" };
    await refused(reader.createEntity(entity), 403, "AuthorizationPermissionMismatch");
    const writer = withTableSas({
      permissions: { add: true, update: true, delete: true },
      expiresOn: inAnHour(),
    });
    await writer.createEntity(entity);
    await writer.upsertEntity({ ...entity, n: 1 }, "Merge");
    await writer.submitTransaction([["update", { ...entity, n: 2 }, "Replace"]]);
    await refused(writer.getEntity("d", "r"), 403, "AuthorizationPermissionMismatch");
    await writer.deleteEntity("d", "r");
  });

  test("allow only the keys of their range", async () => {
    const limited = withTableSas({
      permissions: { query: true, add: true },
      expiresOn: inAnHour(),
      startPartitionKey: "b",
      endPartitionKey: "b",
    });
    const seen = await all(limited.listEntities());
    assert.deepEqual(seen.map((entity) => entity.partitionKey), ["b"]);
    await limited.createEntity({ partitionKey: "b", rowKey: "mine" });
    await refused(
      limited.createEntity({ partitionKey: "c", rowKey: "not mine" }),
      403,
      "AuthorizationFailure",
    );
    await refused(
      limited.submitTransaction([["create", { partitionKey: "c", rowKey: "not mine" }]]),
      403,
      "AuthorizationFailure",
    );
    await table.deleteEntity("b", "mine");
  });

  test("do not work before or after their time, or for another table", async () => {
    const permissions = { query: true };
    const past = withTableSas({ permissions, expiresOn: inAnHour(-1) });
    await refused(past.getEntity("a", "r"), 403, "AuthenticationFailed");
    const future = withTableSas({ permissions, startsOn: inAnHour(1), expiresOn: inAnHour(2) });
    await refused(future.getEntity("a", "r"), 403, "AuthenticationFailed");
    const sas = generateTableSas(table.tableName, credential, { permissions });
    const other = clientFor((await newTable()).tableName, new AzureSASCredential(sas));
    await refused(all(other.listEntities()), 403, "AuthorizationFailure");
  });

  test("that were changed do not work", async () => {
    const sas = generateTableSas(table.tableName, credential, { permissions: { query: true } });
    const changed = new AzureSASCredential(sas.replace("sp=r", "sp=raud"));
    await refused(clientFor(table.tableName, changed).getEntity("a", "r"), 403, "AuthenticationFailed");
  });

  test("refer to a stored access policy", async () => {
    const expiry = inAnHour();
    expiry.setUTCMilliseconds(0);
    const start = inAnHour(-1);
    start.setUTCMilliseconds(0);
    await table.setAccessPolicy([
      { id: "readers", accessPolicy: { start, expiry, permission: "r" } },
      { id: "empty" },
    ]);
    const stored = await table.getAccessPolicy();
    assert.deepEqual(stored.map((one) => one.id), ["readers", "empty"]);
    assert.deepEqual(stored[0].accessPolicy.expiry, expiry);
    assert.equal(stored[0].accessPolicy.permission, "r");
    const reader = withTableSas({ identifier: "readers" });
    assert.equal((await reader.getEntity("a", "r")).rowKey, "r");
    await refused(
      reader.createEntity({ partitionKey: "z", rowKey: "z" }),
      403,
      "AuthorizationPermissionMismatch",
    );
    await table.setAccessPolicy([]);
    await refused(reader.getEntity("a", "r"), 403, "AuthenticationFailed");
  });

  test("for the account allow what their letters say", async () => {
    const sas = generateAccountSas(credential, {
      expiresOn: inAnHour(),
      resourceTypes: "sco",
      services: { table: true },
      permissions: { query: true, list: true, add: true },
    });
    const using = new AzureSASCredential(sas);
    const tables = new TableServiceClient(tableEndpoint, using, options);
    const filter = odata`TableName eq ${table.tableName}`;
    assert.equal((await all(tables.listTables({ queryOptions: { filter } }))).length, 1);
    const entities = clientFor(table.tableName, using);
    assert.equal((await entities.getEntity("a", "r")).rowKey, "r");
    await refused(entities.deleteEntity("a", "r"), 403, "AuthorizationPermissionMismatch");
  });

  test("for the account do not allow resource types they do not name", async () => {
    const sas = generateAccountSas(credential, {
      resourceTypes: "o",
      services: { table: true },
      permissions: { query: true, list: true },
    });
    const tables = new TableServiceClient(tableEndpoint, new AzureSASCredential(sas), options);
    await refused(all(tables.listTables()), 403, "AuthorizationResourceTypeMismatch");
  });
});

describe("the service", () => {
  test("keeps its properties", async () => {
    const before = await service.getProperties();
    try {
      await service.setProperties({
        cors: [
          {
            allowedOrigins: "http://example.com",
            allowedMethods: "GET,PUT",
            allowedHeaders: "x-ms-meta-*",
            exposedHeaders: "x-ms-*",
            maxAgeInSeconds: 60,
          },
        ],
        logging: {
          version: "1.0",
          read: true,
          write: false,
          delete: false,
          retentionPolicy: { enabled: true, days: 3 },
        },
      });
      const changed = await service.getProperties();
      assert.equal(changed.cors.length, 1);
      assert.equal(changed.cors[0].allowedOrigins, "http://example.com");
      assert.equal(changed.cors[0].maxAgeInSeconds, 60);
      assert.equal(changed.logging.retentionPolicy.days, 3);
    } finally {
      await service.setProperties({ cors: before.cors ?? [], logging: before.logging });
    }
  });

  test("returns its statistics at the secondary endpoint", async () => {
    const reader = new TableServiceClient(secondary(tableEndpoint, true), credential, options);
    const statistics = await reader.getStatistics();
    assert.equal(statistics.geoReplication.status, "live");
    assert.ok(statistics.geoReplication.lastSyncTime instanceof Date);
  });

  test("refuses another key", async () => {
    const wrong = new AzureNamedKeyCredential(name, Buffer.alloc(64, 1).toString("base64"));
    const stranger = new TableServiceClient(tableEndpoint, wrong, options);
    await refused(all(stranger.listTables()), 403, "AuthenticationFailed");
  });

  test("is found by its connection string", async () => {
    const connection = [
      `DefaultEndpointsProtocol=${new URL(tableEndpoint).protocol.replace(":", "")}`,
      `AccountName=${name}`,
      `AccountKey=${key}`,
      `TableEndpoint=${tableEndpoint};`,
    ].join(";");
    const client = TableServiceClient.fromConnectionString(connection, options);
    const filter = odata`TableName eq ${freshName()}`;
    assert.deepEqual(await all(client.listTables({ queryOptions: { filter } })), []);
  });
});

/** Returns those of the named properties that exist. */
function pick(entity, ...names) {
  return Object.fromEntries(names.filter((one) => one in entity).map((one) => [one, entity[one]]));
}
