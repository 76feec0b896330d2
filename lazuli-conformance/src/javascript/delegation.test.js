// Signatures with a user delegation key, which a caller with a token makes. The scenarios are those
// of the suites of the SDKs: sdk/storage/storage-blob and storage-queue in Azure/azure-sdk-for-js.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DefaultAzureCredential } from "@azure/identity";
import {
  AnonymousCredential,
  BlobClient,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  ContainerSASPermissions,
  SASProtocol,
  generateBlobSASQueryParameters,
  newPipeline,
} from "@azure/storage-blob";
import {
  QueueClient,
  QueueSASPermissions,
  QueueServiceClient,
  generateQueueSASQueryParameters,
} from "@azure/storage-queue";
import { all, blobEndpoint, freshName, name, queueEndpoint } from "./account.js";
import { refused } from "./expect.js";

const skip = process.env.IDENTITY_ENDPOINT ? false : "the server has no development identity";
const startsOn = new Date(Date.now() - 3_600_000);
const expiresOn = new Date(Date.now() + 86_400_000);
const anonymous = newPipeline(new AnonymousCredential());
const overrides = {
  cacheControl: "cache-control-override",
  contentDisposition: "content-disposition-override",
  contentEncoding: "content-encoding-override",
  contentLanguage: "content-language-override",
  contentType: "content-type-override",
};
const common = { startsOn, expiresOn, protocol: SASProtocol.HttpsAndHttp };

/** Returns the object id in a token. */
async function ownId(credential) {
  const { token } = await credential.getToken("https://storage.azure.com/.default");
  return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString()).oid;
}

describe("user delegation for blobs", { skip }, () => {
  let credential;
  let key;
  let container;
  let blob;

  before(async () => {
    credential = new DefaultAzureCredential();
    const service = new BlobServiceClient(blobEndpoint, credential);
    key = await service.getUserDelegationKey(startsOn, expiresOn);
    container = service.getContainerClient(freshName());
    await container.create();
    blob = container.getBlockBlobClient("blob");
    await blob.upload("Hello World", 11);
  });

  after(() => container?.delete());

  function signed(target, permissions, more = {}) {
    const values = { containerName: container.containerName, expiresOn, ...more };
    values.permissions = more.blobName
      ? BlobSASPermissions.parse(permissions)
      : ContainerSASPermissions.parse(permissions);
    const sas = generateBlobSASQueryParameters(values, key, name);
    return `${target.url}${target.url.includes("?") ? "&" : "?"}${sas}`;
  }

  async function assertOverridden(url) {
    const properties = await new BlobClient(url, anonymous).getProperties();
    for (const [header, value] of Object.entries(overrides)) {
      assert.equal(properties[header], value);
    }
  }

  test("the key says who asked for it", async () => {
    assert.equal(key.signedObjectId, await ownId(credential));
    for (const field of ["value", "signedVersion", "signedTenantId", "signedStartsOn"]) {
      assert.ok(key[field], field);
    }
    assert.deepEqual([key.signedService, key.signedExpiresOn > key.signedStartsOn], ["b", true]);
  });

  for (const [title, more] of [
    ["with all configurations", common],
    ["with minimum parameters", {}],
    ["of version 2020-02-10", { version: "2020-02-10" }],
  ]) {
    test(`a container ${title}`, async () => {
      const permissions = more.version ? "racwdltxme" : "racwdl";
      const client = new ContainerClient(signed(container, permissions, more), anonymous);
      assert.equal((await all(client.listBlobsFlat())).length >= 1, true);
    });
  }

  test("a container, bound to a user", async () => {
    const more = { ...common, delegatedUserObjectId: await ownId(credential) };
    const url = signed(container, "racwdl", more);
    const client = new ContainerClient(url, newPipeline(credential));
    assert.equal((await all(client.listBlobsFlat())).length >= 1, true);
    const nobody = new ContainerClient(url, anonymous);
    await assert.rejects(nobody.listBlobsFlat().next(), (e) => [401, 403].includes(e.statusCode));
  });

  test("a blob, with headers in the signature", async () => {
    const more = { ...common, ...overrides, blobName: "blob" };
    await assertOverridden(signed(blob, "racwd", more));
  });

  test("a blob of version 2020-02-10 with all permissions", async () => {
    const more = { blobName: "blob", version: "2020-02-10" };
    await new BlobClient(signed(blob, "racwdxtme", more)).getProperties();
  });

  test("a blob, with an authorized agent and a correlation id", async () => {
    const more = {
      blobName: "blob",
      version: "2020-02-10",
      preauthorizedAgentObjectId: "b77d5205-ddb5-42e1-80ee-26c74a5e9333",
      correlationId: "b77d5205-ddb5-42e1-80ee-26c74a5e9333",
    };
    await new BlobClient(signed(blob, "racwdxtme", more)).getProperties();
  });

  test("a page blob is deleted for good", async () => {
    const page = container.getPageBlobClient("page");
    await page.create(1_024);
    const more = { ...common, ...overrides, blobName: "page" };
    await new BlobClient(signed(page, "racwdy", more), anonymous).delete();
    assert.equal(await page.exists(), false);
  });

  test("a snapshot is read and deleted", async () => {
    const { snapshot } = await blob.createSnapshot();
    const target = blob.withSnapshot(snapshot);
    const more = { ...common, blobName: "blob", snapshotTime: snapshot };
    await assertOverridden(signed(target, "racwd", { ...more, ...overrides }));
    await new BlobClient(signed(target, "racwdy", more), anonymous).delete();
    assert.equal(await target.exists(), false);
  });

  for (const version of ["2019-12-12", "2020-12-06", undefined]) {
    test(`a version is deleted, with version ${version ?? "of the SDK"}`, async () => {
      const target = container.getBlockBlobClient(freshName());
      const { versionId } = await target.upload("Hello World", 11);
      await target.upload("", 0);
      const more = { ...common, blobName: target.name, versionId, version };
      const client = new BlobClient(signed(target.withVersion(versionId), "racwdx", more), anonymous);
      await client.delete();
      assert.equal(await client.exists(), false);
    });
  }

  test("the client makes the same signature", async () => {
    const values = { ...common, permissions: BlobSASPermissions.parse("r") };
    const url = await blob.generateUserDelegationSasUrl(values, key);
    assert.equal((await new BlobClient(url).downloadToBuffer()).toString(), "Hello World");
    await refused(new BlobClient(url).delete(), 403, "AuthorizationPermissionMismatch");
  });

  test("a copy reads its source with a token", async () => {
    const { token } = await credential.getToken("https://storage.azure.com/.default");
    const sourceAuthorization = { scheme: "Bearer", value: token };
    const copy = container.getBlockBlobClient("copy");
    await copy.syncUploadFromURL(blob.url, { sourceAuthorization });
    assert.equal((await copy.downloadToBuffer()).toString(), "Hello World");
    const append = container.getAppendBlobClient("append");
    await append.create();
    await append.appendBlockFromURL(blob.url, 0, 11, { sourceAuthorization });
    assert.equal((await append.downloadToBuffer()).toString(), "Hello World");
  });
});

describe("user delegation for queues", { skip }, () => {
  let credential;
  let key;
  let queue;

  before(async () => {
    credential = new DefaultAzureCredential();
    const service = new QueueServiceClient(queueEndpoint, credential);
    key = await service.getUserDelegationKey(startsOn, expiresOn);
    queue = service.getQueueClient(freshName());
    await queue.create();
  });

  after(() => queue?.delete());

  const values = () => ({
    ...common,
    queueName: queue.name,
    permissions: QueueSASPermissions.parse("raup"),
    version: "2025-07-05",
  });

  test("messages", async () => {
    const sas = generateQueueSASQueryParameters(values(), key, name);
    const client = new QueueClient(`${queue.url}?${sas}`);
    await client.sendMessage("hello");
    const { receivedMessageItems } = await client.receiveMessages();
    assert.equal(receivedMessageItems[0].messageText, "hello");
    await refused(client.clearMessages(), 403, "AuthorizationFailure");
  });

  test("a queue, bound to a user", async () => {
    const delegatedUserObjectId = await ownId(credential);
    const bound = { ...values(), delegatedUserObjectId };
    const url = `${queue.url}?${generateQueueSASQueryParameters(bound, key, name)}`;
    await new QueueClient(url, credential).getProperties();
    await assert.rejects(new QueueClient(url).getProperties(), (e) =>
      [401, 403].includes(e.statusCode),
    );
  });

  test("the client makes the same signature", async () => {
    const url = await queue.generateUserDelegationSasUrl(values(), key);
    await new QueueClient(url).getProperties();
  });
});
