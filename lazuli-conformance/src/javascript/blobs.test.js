// The operations that users of @azure/storage-blob need.
import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  AnonymousCredential,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  ContainerSASPermissions,
  StorageSharedKeyCredential,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
} from "@azure/storage-blob";
import { all, blobEndpoint, freshName, key, name } from "./account.js";
import { eventually, refused } from "./expect.js";

const credential = new StorageSharedKeyCredential(name, key);
const options = { retryOptions: { maxTries: 1 } };
const service = new BlobServiceClient(blobEndpoint, credential, options);
const created = [];

function nameOfNew() {
  const containerName = freshName();
  created.push(containerName);
  return containerName;
}

async function newContainer() {
  const container = service.getContainerClient(nameOfNew());
  await container.create();
  return container;
}

function bytes(length) {
  const buffer = Buffer.alloc(length);
  for (let i = 0; i < length; i++) {
    buffer[i] = (i * 31 + (i >> 8)) & 255;
  }
  return buffer;
}

const inAnHour = () => new Date(Date.now() + 3_600_000);

let container;
let blob;

beforeEach(async () => {
  container = await newContainer();
  blob = container.getBlockBlobClient("dir/a b+ü#?%.txt");
});

after(() => Promise.all(created.map((each) => service.getContainerClient(each).deleteIfExists())));

async function put(...names) {
  for (const each of names) {
    await container.getBlockBlobClient(each).upload(each, Buffer.byteLength(each));
  }
}

describe("containers", () => {
  test("are created once and deleted once", async () => {
    const other = service.getContainerClient(nameOfNew());
    assert.equal(await other.exists(), false);
    assert.equal((await other.createIfNotExists({ metadata: { owner: "ann" } })).succeeded, true);
    assert.equal((await other.createIfNotExists()).succeeded, false);
    await refused(other.create(), 409, "ContainerAlreadyExists");
    assert.deepEqual((await other.getProperties()).metadata, { owner: "ann" });
    assert.equal((await other.deleteIfExists()).succeeded, true);
    assert.equal((await other.deleteIfExists()).succeeded, false);
  });

  test("are listed in pages", async () => {
    const prefix = freshName().slice(0, 20);
    for (const letter of ["a", "b", "c"]) {
      created.push(prefix + letter);
      await service.createContainer(prefix + letter);
    }
    const sizes = [];
    for await (const page of service.listContainers({ prefix }).byPage({ maxPageSize: 2 })) {
      sizes.push(page.containerItems.length);
    }
    assert.deepEqual(sizes, [2, 1]);
  });

  test("keep policies, and signatures name them", async () => {
    await put("a");
    const accessPolicy = { expiresOn: inAnHour(), permissions: "r" };
    await container.setAccessPolicy(undefined, [{ id: "readers", accessPolicy }]);
    assert.equal((await container.getAccessPolicy()).signedIdentifiers[0].id, "readers");
    const token = generateBlobSASQueryParameters(
      { containerName: container.containerName, identifier: "readers" },
      credential,
    );
    const reader = new ContainerClient(`${container.url}?${token}`, new AnonymousCredential(), options);
    await eventually(async () =>
      assert.equal((await reader.getBlobClient("a").downloadToBuffer()).toString(), "a"),
    );
    await refused(reader.getBlobClient("a").delete(), 403, "AuthorizationPermissionMismatch");
  });

  test("can be read by everybody when they are public", async () => {
    await put("a");
    await container.setAccessPolicy("container");
    const anybody = new ContainerClient(container.url, new AnonymousCredential(), options);
    await eventually(async () => assert.equal((await all(anybody.listBlobsFlat())).length, 1));
    assert.equal((await anybody.getBlobClient("a").downloadToBuffer()).toString(), "a");
  });

  test("are leased", async () => {
    const lease = container.getBlobLeaseClient();
    await lease.acquireLease(-1);
    await refused(container.delete(), 412, "LeaseIdMissing");
    await container.delete({ conditions: { leaseId: lease.leaseId } });
  });
});

describe("blobs", () => {
  test("are uploaded, downloaded and deleted", async () => {
    await blob.upload("hello world", 11, {
      blobHTTPHeaders: { blobContentType: "text/plain", blobContentLanguage: "de" },
      metadata: { owner: "ann" },
      tags: { k: "v" },
      tier: "Cool",
    });
    const download = await blob.download();
    assert.equal(download.contentType, "text/plain");
    assert.equal(download.contentLength, 11);
    assert.equal((await blob.downloadToBuffer()).toString(), "hello world");
    const properties = await blob.getProperties();
    assert.deepEqual(properties.metadata, { owner: "ann" });
    assert.equal(properties.accessTier, "Cool");
    assert.deepEqual((await blob.getTags()).tags, { k: "v" });
    await blob.delete();
    assert.equal(await blob.exists(), false);
    assert.equal((await blob.deleteIfExists()).succeeded, false);
  });

  test("are not overwritten against their conditions", async () => {
    const first = await blob.upload("1", 1, { conditions: { ifNoneMatch: "*" } });
    await refused(
      blob.upload("2", 1, { conditions: { ifNoneMatch: "*" } }),
      409,
      "BlobAlreadyExists",
    );
    await blob.upload("2", 1, { conditions: { ifMatch: first.etag } });
    await refused(
      blob.upload("3", 1, { conditions: { ifMatch: first.etag } }),
      412,
      "ConditionNotMet",
    );
  });

  test("may be empty", async () => {
    await blob.upload("", 0);
    assert.equal((await blob.downloadToBuffer()).length, 0);
    assert.equal((await blob.getProperties()).contentLength, 0);
  });

  test("of 8 MiB are uploaded and downloaded in parallel blocks", async () => {
    const content = bytes((8 << 20) + 5);
    await blob.uploadData(content, {
      blockSize: 1 << 20,
      maxSingleShotSize: 1 << 20,
      concurrency: 4,
    });
    const list = await blob.getBlockList("all");
    assert.equal(list.committedBlocks.length, 9);
    const read = await blob.downloadToBuffer(0, undefined, { blockSize: 1 << 20, concurrency: 4 });
    assert.ok(read.equals(content));
    assert.ok((await blob.downloadToBuffer(1000, 10)).equals(content.subarray(1000, 1010)));
  });

  test("are committed from blocks by hand", async () => {
    const ids = ["0", "1", "2"].map((each) => Buffer.from(each).toString("base64"));
    for (const id of ids) {
      await blob.stageBlock(id, id, id.length);
    }
    assert.equal((await blob.getBlockList("uncommitted")).uncommittedBlocks.length, 3);
    await blob.commitBlockList([ids[2], ids[0]]);
    assert.equal((await blob.downloadToBuffer()).toString(), ids[2] + ids[0]);
    await refused(blob.commitBlockList([ids[1]]), 400, "InvalidBlockList");
  });

  test("return ranges, and refuse ranges after the end", async () => {
    await blob.upload("hello world", 11);
    const part = await blob.download(6, 3);
    assert.equal(part.contentRange, "bytes 6-8/11");
    await refused(blob.download(11), 416, "InvalidRange");
  });

  test("change their metadata, headers, tags and tier", async () => {
    await blob.upload("x", 1);
    await blob.setMetadata({ a: "1" });
    await blob.setHTTPHeaders({ blobContentType: "image/png", blobCacheControl: "no-store" });
    await blob.setTags({ k: "v", l: "w" });
    await blob.setAccessTier("Cool");
    const properties = await blob.getProperties();
    assert.deepEqual(properties.metadata, { a: "1" });
    assert.equal(properties.contentType, "image/png");
    assert.equal(properties.cacheControl, "no-store");
    assert.equal(properties.tagCount, 2);
    assert.equal(properties.accessTier, "Cool");
  });

  test("have snapshots", async () => {
    await blob.upload("first", 5);
    const { snapshot } = await blob.createSnapshot();
    await blob.upload("second", 6);
    assert.equal((await blob.withSnapshot(snapshot).downloadToBuffer()).toString(), "first");
    await refused(blob.delete(), 409, "SnapshotsPresent");
    await blob.delete({ deleteSnapshots: "include" });
  });

  test("are leased", async () => {
    await blob.upload("x", 1);
    const lease = blob.getBlobLeaseClient();
    await lease.acquireLease(15);
    await refused(blob.setMetadata({ a: "1" }), 412, "LeaseIdMissing");
    await blob.setMetadata({ a: "1" }, { conditions: { leaseId: lease.leaseId } });
    await lease.renewLease();
    assert.equal((await lease.breakLease(0)).leaseTime, 0);
    assert.equal((await blob.getProperties()).leaseState, "broken");
  });

  test("are copied", async () => {
    await blob.upload("hello", 5, { metadata: { owner: "ann" } });
    const copy = container.getBlockBlobClient("copy");
    const poller = await copy.beginCopyFromURL(blob.url);
    assert.equal((await poller.pollUntilDone()).copyStatus, "success");
    assert.equal((await copy.downloadToBuffer()).toString(), "hello");
    assert.deepEqual((await copy.getProperties()).metadata, { owner: "ann" });
  });

  test("are appended to", async () => {
    const log = container.getAppendBlobClient("log");
    await log.create();
    const first = await log.appendBlock("line1\n", 6);
    assert.equal(first.blobAppendOffset, "0");
    await log.appendBlock("line2\n", 6, { conditions: { appendPosition: 6 } });
    await refused(
      log.appendBlock("x", 1, { conditions: { appendPosition: 6 } }),
      412,
      "AppendPositionConditionNotMet",
    );
    assert.equal((await log.downloadToBuffer()).toString(), "line1\nline2\n");
    await log.seal();
    await refused(log.appendBlock("x", 1), 409, "BlobIsSealed");
  });
});

describe("listings", () => {
  test("are flat or by hierarchy, in pages", async () => {
    await put("a.txt", "b/1", "b/2", "b/c/3", "z");
    const flat = await all(container.listBlobsFlat({ prefix: "b" }));
    assert.deepEqual(
      flat.map((each) => each.name),
      ["b/1", "b/2", "b/c/3"],
    );
    const top = await all(container.listBlobsByHierarchy("/"));
    assert.deepEqual(top.map((each) => `${each.kind} ${each.name}`).sort(), [
      "blob a.txt",
      "blob z",
      "prefix b/",
    ]);
    const sizes = [];
    for await (const page of container.listBlobsFlat().byPage({ maxPageSize: 2 })) {
      sizes.push(page.segment.blobItems.length);
    }
    assert.deepEqual(sizes, [2, 2, 1]);
  });

  test("contain everything that is included", async () => {
    await blob.upload("x", 1, { metadata: { owner: "ann" }, tags: { k: "v" } });
    await blob.createSnapshot();
    const items = await all(
      container.listBlobsFlat({
        includeMetadata: true,
        includeTags: true,
        includeSnapshots: true,
        includeCopy: true,
        includeUncommitedBlobs: true,
      }),
    );
    assert.deepEqual(
      items.map((each) => each.name),
      [blob.name, blob.name],
    );
    assert.ok(items[0].snapshot);
    assert.equal(items[1].metadata.owner, "ann");
    assert.deepEqual(items[1].tags, { k: "v" });
    assert.equal(items[1].properties.contentLength, 1);
  });
});

describe("batches", () => {
  test("delete blobs, each with its own answer", async () => {
    await put("a", "b");
    const clients = ["a", "none", "b"].map((each) => container.getBlobClient(each));
    const answer = await service.getBlobBatchClient().deleteBlobs(clients);
    assert.deepEqual(
      answer.subResponses.map((each) => each.status),
      [202, 404, 202],
    );
    assert.equal(answer.subResponses[1].errorCode, "BlobNotFound");
    assert.deepEqual(await all(container.listBlobsFlat()), []);
  });

  test("of a container set tiers", async () => {
    await put("a", "b");
    const clients = ["a", "b"].map((each) => container.getBlobClient(each));
    const answer = await container.getBlobBatchClient().setBlobsAccessTier(clients, "Cool");
    assert.equal(answer.subResponsesSucceededCount, 2);
    assert.equal((await clients[0].getProperties()).accessTier, "Cool");
  });
});

describe("signatures", () => {
  test("for a blob allow access to that blob", async () => {
    await put("a", "b");
    const url = await container
      .getBlobClient("a")
      .generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: inAnHour() });
    const query = new URL(url).search;
    const reader = new ContainerClient(container.url + query, new AnonymousCredential(), options);
    assert.equal((await reader.getBlobClient("a").downloadToBuffer()).toString(), "a");
    await refused(reader.getBlobClient("b").download(), 403, "AuthenticationFailed");
  });

  test("for a container allow access to its blobs", async () => {
    await put("a");
    const url = await container.generateSasUrl({
      permissions: ContainerSASPermissions.parse("rcl"),
      expiresOn: inAnHour(),
    });
    const member = new ContainerClient(url, new AnonymousCredential(), options);
    assert.equal((await all(member.listBlobsFlat())).length, 1);
    await member.getBlockBlobClient("b").upload("x", 1);
    await refused(member.getBlobClient("b").delete(), 403, "AuthorizationPermissionMismatch");
  });

  test("for the account allow access to the service", async () => {
    await put("a");
    const token = generateAccountSASQueryParameters(
      {
        expiresOn: inAnHour(),
        permissions: AccountSASPermissions.parse("rl"),
        resourceTypes: AccountSASResourceTypes.parse("sco").toString(),
        services: AccountSASServices.parse("b").toString(),
      },
      credential,
    );
    const reader = new BlobServiceClient(`${blobEndpoint}?${token}`, new AnonymousCredential(), options);
    const same = reader.getContainerClient(container.containerName);
    assert.equal((await same.getBlobClient("a").downloadToBuffer()).toString(), "a");
    await refused(same.delete(), 403, "AuthorizationPermissionMismatch");
  });
});

describe("the service", () => {
  test("describes the account and keeps its properties", async () => {
    assert.equal((await service.getAccountInfo()).accountKind, "StorageV2");
    const before = await service.getProperties();
    await service.setProperties({ ...before, defaultServiceVersion: "2021-08-06" });
    await eventually(async () =>
      assert.equal((await service.getProperties()).defaultServiceVersion, "2021-08-06"),
    );
    await service.setProperties(before);
  });
});
