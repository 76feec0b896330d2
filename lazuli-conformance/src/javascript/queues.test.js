// The operations that users of @azure/storage-queue need.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  AnonymousCredential,
  QueueClient,
  QueueSASPermissions,
  QueueServiceClient,
  SASProtocol,
  StorageSharedKeyCredential,
  generateAccountSASQueryParameters,
  generateQueueSASQueryParameters,
} from "@azure/storage-queue";
import { all, freshName, key, name, queueEndpoint, secondary } from "./account.js";
import { eventually, refused } from "./expect.js";

const credential = new StorageSharedKeyCredential(name, key);
const options = { retryOptions: { maxTries: 1 } };
const service = new QueueServiceClient(queueEndpoint, credential, options);
const created = [];

function nameOfNew() {
  const queueName = freshName();
  created.push(queueName);
  return queueName;
}

async function newQueue(metadata) {
  const queue = service.getQueueClient(nameOfNew());
  await queue.create({ metadata });
  return queue;
}

async function receiveOne(queue, visibilityTimeout) {
  const { receivedMessageItems } = await queue.receiveMessages({ visibilityTimeout });
  assert.equal(receivedMessageItems.length, 1);
  return receivedMessageItems[0];
}

async function texts(queue) {
  const { peekedMessageItems } = await queue.peekMessages({ numberOfMessages: 32 });
  return peekedMessageItems.map((item) => item.messageText);
}

function inHours(hours) {
  return new Date(Date.now() + hours * 3_600_000);
}

after(() => Promise.all(created.map((queueName) => service.getQueueClient(queueName).deleteIfExists())));

describe("queues", () => {
  test("are created, listed and deleted", async () => {
    const queue = await newQueue();
    const listed = async () =>
      (await all(service.listQueues({ prefix: queue.name }))).map((item) => item.name);
    assert.deepEqual(await listed(), [queue.name]);
    assert.equal(await queue.exists(), true);
    await queue.delete();
    assert.deepEqual(await listed(), []);
    assert.equal(await queue.exists(), false);
  });

  test("are created if they do not exist and deleted if they exist", async () => {
    const queue = service.getQueueClient(nameOfNew());
    assert.equal((await queue.createIfNotExists()).succeeded, true);
    const other = await queue.createIfNotExists({ metadata: { a: "b" } });
    assert.deepEqual([other.succeeded, other.errorCode], [false, "QueueAlreadyExists"]);
    assert.equal((await queue.deleteIfExists()).succeeded, true);
    assert.equal((await queue.deleteIfExists()).succeeded, false);
  });

  test("that exist are created again without an error if the metadata is the same", async () => {
    const queue = await newQueue({ team: "sales" });
    await queue.create({ metadata: { team: "sales" } });
    await refused(queue.create({ metadata: { team: "other" } }), 409, "QueueAlreadyExists");
  });

  test("are listed page by page, with metadata on demand", async () => {
    const prefix = freshName();
    for (let i = 0; i < 5; i++) {
      created.push(`${prefix}-${i}`);
      await service.createQueue(`${prefix}-${i}`, { metadata: { n: `v${i}` } });
    }
    const seen = [];
    const listing = service.listQueues({ prefix, includeMetadata: true });
    for await (const page of listing.byPage({ maxPageSize: 2 })) {
      assert.ok(page.queueItems.length <= 2);
      seen.push(...page.queueItems.map((item) => `${item.name}=${item.metadata.n}`));
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4].map((i) => `${prefix}-${i}=v${i}`));
  });

  test("have metadata and a count", async () => {
    const queue = await newQueue({ Team: "sales" });
    await queue.sendMessage("one");
    await queue.sendMessage("two", { visibilityTimeout: 100 });
    const found = await queue.getProperties();
    assert.deepEqual({ ...found.metadata }, { team: "sales" });
    assert.equal(found.approximateMessagesCount, 2);
    await queue.setMetadata({ a: "1" });
    assert.deepEqual({ ...(await queue.getProperties()).metadata }, { a: "1" });
    await queue.setMetadata();
    assert.deepEqual({ ...(await queue.getProperties()).metadata }, {});
  });

  test("with illegal names are refused", async () => {
    await refused(service.createQueue("ab"), 400, "OutOfRangeInput");
    await refused(service.createQueue("a_b"), 400, "InvalidResourceName");
  });

  test("that do not exist are not found", async () => {
    const queue = service.getQueueClient(freshName());
    await refused(queue.getProperties(), 404, "QueueNotFound");
    await refused(queue.sendMessage("text"), 404, "QueueNotFound");
    await refused(queue.receiveMessages(), 404, "QueueNotFound");
    await refused(queue.clearMessages(), 404, "QueueNotFound");
  });
});

describe("messages", () => {
  let queue;
  beforeEach(async () => {
    queue = await newQueue();
  });

  test("are sent, peeked, received and deleted", async () => {
    const sent = await queue.sendMessage("hello");
    assert.match(sent.messageId, /^[0-9a-f-]{36}$/);
    assert.ok(sent.popReceipt);
    const { peekedMessageItems } = await queue.peekMessages();
    assert.equal(peekedMessageItems[0].dequeueCount, 0);
    assert.equal(peekedMessageItems[0].popReceipt, undefined);
    const taken = await receiveOne(queue);
    assert.equal(taken.messageId, sent.messageId);
    assert.equal(taken.messageText, "hello");
    assert.equal(taken.dequeueCount, 1);
    await queue.deleteMessage(taken.messageId, taken.popReceipt);
    assert.deepEqual((await queue.receiveMessages()).receivedMessageItems, []);
  });

  // Without line feeds, because this SDK removes them from texts.
  for (const text of ["<>&\"'", "\u{1F680} 中文 ä", "  spaces  ", "", "]]>", "&lt;"]) {
    test(`keep their text: ${JSON.stringify(text)}`, async () => {
      await queue.sendMessage(text);
      assert.deepEqual(await texts(queue), [text]);
      assert.equal((await receiveOne(queue)).messageText, text);
    });
  }

  test("have up to 64 KiB", async () => {
    await queue.sendMessage("x".repeat(65_536));
    await refused(queue.sendMessage("x".repeat(65_537)), 413, "RequestBodyTooLarge");
    assert.equal((await receiveOne(queue)).messageText.length, 65_536);
  });

  test("come in the order of insertion, up to 32 at once", async () => {
    const sent = [];
    for (let i = 0; i < 40; i++) {
      sent.push(`m${i}`);
      await queue.sendMessage(`m${i}`);
    }
    const first = await queue.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 60 });
    const rest = await queue.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 60 });
    const received = [...first.receivedMessageItems, ...rest.receivedMessageItems];
    assert.deepEqual(received.map((item) => item.messageText), sent);
    await refused(
      queue.receiveMessages({ numberOfMessages: 33 }),
      400,
      "OutOfRangeQueryParameterValue",
    );
  });

  test("are updated: text, visibility or both, with the newest receipt", async () => {
    await queue.sendMessage("first");
    const taken = await receiveOne(queue, 100);
    const extended = await queue.updateMessage(taken.messageId, taken.popReceipt, undefined, 200);
    assert.ok(extended.nextVisibleOn > taken.nextVisibleOn);
    await refused(
      queue.updateMessage(taken.messageId, taken.popReceipt, "x", 0),
      404,
      "MessageNotFound",
    );
    await queue.updateMessage(taken.messageId, extended.popReceipt, "second", 0);
    const again = await receiveOne(queue);
    assert.equal(again.messageText, "second");
    assert.equal(again.dequeueCount, 2);
  });

  test("are visible again after their timeout, with a new receipt", async () => {
    await queue.sendMessage("text");
    const first = await receiveOne(queue, 60);
    assert.deepEqual((await queue.receiveMessages()).receivedMessageItems, []);
    const held = await queue.updateMessage(first.messageId, first.popReceipt, undefined, 1);
    const second = await eventually(() => receiveOne(queue, 60));
    assert.equal(second.dequeueCount, 2);
    await refused(queue.deleteMessage(first.messageId, held.popReceipt), 404, "MessageNotFound");
    await queue.deleteMessage(second.messageId, second.popReceipt);
  });

  test("may be delayed, and cancelled by their sender", async () => {
    const sent = await queue.sendMessage("later", { visibilityTimeout: 100 });
    assert.deepEqual(await texts(queue), []);
    await queue.deleteMessage(sent.messageId, sent.popReceipt);
    assert.equal((await queue.getProperties()).approximateMessagesCount, 0);
  });

  test("expire after their time to live", async () => {
    const usual = await queue.sendMessage("usual");
    assert.equal(usual.expiresOn - usual.insertedOn, 604_800_000);
    const forever = await queue.sendMessage("forever", { messageTimeToLive: -1 });
    assert.equal(forever.expiresOn.getUTCFullYear(), 9999);
    await queue.sendMessage("mayfly", { messageTimeToLive: 1 });
    await eventually(async () => assert.deepEqual(await texts(queue), ["usual", "forever"]));
    await refused(
      queue.sendMessage("x", { messageTimeToLive: 5, visibilityTimeout: 5 }),
      400,
      "InvalidQueryParameterValue",
    );
  });

  test("are cleared", async () => {
    await queue.sendMessage("one");
    await queue.sendMessage("two", { visibilityTimeout: 100 });
    await queue.clearMessages();
    assert.equal((await queue.getProperties()).approximateMessagesCount, 0);
  });

  test("need a valid receipt", async () => {
    const sent = await queue.sendMessage("text");
    await refused(
      queue.deleteMessage(sent.messageId, "invalid"),
      400,
      "InvalidQueryParameterValue",
    );
    await refused(
      queue.deleteMessage("00000000-0000-0000-0000-000000000000", sent.popReceipt),
      404,
      "MessageNotFound",
    );
  });
});

describe("access", () => {
  let queue;
  before(async () => {
    queue = await newQueue();
  });

  function holder(values) {
    const sas = generateQueueSASQueryParameters({ queueName: queue.name, ...values }, credential);
    return new QueueClient(`${queueEndpoint}/${queue.name}?${sas}`, new AnonymousCredential(), options);
  }

  test("by a signature for the queue is limited to its letters", async () => {
    const all = holder({ permissions: QueueSASPermissions.parse("raup"), expiresOn: inHours(1) });
    await all.sendMessage("text");
    const taken = await receiveOne(all);
    const updated = await all.updateMessage(taken.messageId, taken.popReceipt, "next", 0);
    await all.deleteMessage(taken.messageId, updated.popReceipt);
    await refused(all.clearMessages(), 403, "AuthorizationFailure");
    const reader = holder({ permissions: QueueSASPermissions.parse("r"), expiresOn: inHours(1) });
    await reader.getProperties();
    await refused(reader.receiveMessages(), 403, "AuthorizationPermissionMismatch");
    const late = holder({ permissions: QueueSASPermissions.parse("r"), expiresOn: inHours(-1) });
    await refused(late.peekMessages(), 403, "AuthenticationFailed");
  });

  test("by a policy ends with the policy", async () => {
    const accessPolicy = { permissions: "rap", startsOn: inHours(-1), expiresOn: inHours(1) };
    await queue.setAccessPolicy([{ id: "consumers", accessPolicy }]);
    const { signedIdentifiers } = await queue.getAccessPolicy();
    assert.equal(signedIdentifiers.length, 1);
    assert.equal(signedIdentifiers[0].id, "consumers");
    assert.equal(signedIdentifiers[0].accessPolicy.permissions, "rap");
    const bound = holder({ identifier: "consumers" });
    await eventually(() => bound.peekMessages());
    await queue.setAccessPolicy();
    assert.deepEqual((await queue.getAccessPolicy()).signedIdentifiers, []);
    await eventually(() => refused(bound.peekMessages(), 403, "AuthenticationFailed"));
  });

  test("by a signature for the account is limited to its services, types and letters", async () => {
    const values = {
      permissions: AccountSASPermissions.parse("rwdlacup"),
      services: AccountSASServices.parse("q").toString(),
      resourceTypes: AccountSASResourceTypes.parse("sco").toString(),
      expiresOn: inHours(1),
      protocol: SASProtocol.HttpsAndHttp,
    };
    const serviceFor = (changed) => {
      const sas = generateAccountSASQueryParameters({ ...values, ...changed }, credential);
      return new QueueServiceClient(`${queueEndpoint}?${sas}`, new AnonymousCredential(), options);
    };
    const open = serviceFor({});
    const made = open.getQueueClient(nameOfNew());
    await made.create();
    await made.sendMessage("text");
    await made.clearMessages();
    assert.equal((await all(open.listQueues({ prefix: made.name }))).length, 1);
    await refused(
      serviceFor({ services: "b" }).getProperties(),
      403,
      "AuthorizationServiceMismatch",
    );
    await refused(
      serviceFor({ resourceTypes: "o" }).getProperties(),
      403,
      "AuthorizationResourceTypeMismatch",
    );
    await refused(
      serviceFor({ permissions: AccountSASPermissions.parse("w") }).getProperties(),
      403,
      "AuthorizationPermissionMismatch",
    );
  });

  test("with a wrong key is refused", async () => {
    const wrong = new StorageSharedKeyCredential(name, Buffer.from("wrong").toString("base64"));
    const stranger = new QueueServiceClient(queueEndpoint, wrong, options);
    await refused(stranger.getProperties(), 403, "AuthenticationFailed");
  });
});

describe("the service", () => {
  test("keeps its properties", async () => {
    const { queueAnalyticsLogging, hourMetrics, minuteMetrics, cors } = await service.getProperties();
    const rule = {
      allowedOrigins: "http://a.example",
      allowedMethods: "GET,PUT",
      allowedHeaders: "x-ms-*",
      exposedHeaders: "x-ms-*",
      maxAgeInSeconds: 12,
    };
    try {
      await service.setProperties({
        queueAnalyticsLogging: { ...queueAnalyticsLogging, deleteProperty: true },
        cors: [rule],
      });
      await eventually(async () => {
        const kept = await service.getProperties();
        assert.deepEqual(kept.cors, [rule]);
        assert.equal(kept.queueAnalyticsLogging.deleteProperty, true);
        assert.deepEqual(kept.hourMetrics, hourMetrics);
      });
    } finally {
      await service.setProperties({ queueAnalyticsLogging, hourMetrics, minuteMetrics, cors });
    }
  });

  test("returns its statistics at the secondary address", async () => {
    const reader = new QueueServiceClient(secondary(queueEndpoint), credential, options);
    const { geoReplication } = await reader.getStatistics();
    assert.ok(["live", "bootstrap", "unavailable"].includes(geoReplication.status));
  });
});
