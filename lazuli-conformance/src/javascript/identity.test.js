// The credentials of @azure/identity with a server that has a development identity. The variables
// are those that the server prints; see docs/identity.md.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TableClient } from "@azure/data-tables";
import {
  ClientSecretCredential,
  DefaultAzureCredential,
  EnvironmentCredential,
  ManagedIdentityCredential,
  WorkloadIdentityCredential,
} from "@azure/identity";
import {
  BlobSASPermissions,
  BlobServiceClient,
  BlockBlobClient,
  generateBlobSASQueryParameters,
} from "@azure/storage-blob";
import { QueueServiceClient } from "@azure/storage-queue";
import { blobEndpoint, freshName, name, queueEndpoint, tableEndpoint } from "./account.js";
import { refused } from "./expect.js";

const environment = { ...process.env };
const tenant = "6c617a75-6c69-4000-8000-000000000000";
const once = { retryOptions: { maxRetries: 0 } };
const skip = process.env.IDENTITY_ENDPOINT ? false : "the server has no development identity";

/** Leaves only some of the variables of the server, because SDKs prefer some over others. */
function leave(...kept) {
  for (const key of Object.keys(environment)) {
    if (/^(IDENTITY|AZURE)_/.test(key)) {
      delete process.env[key];
    }
  }
  kept.forEach((key) => (process.env[key] = environment[key]));
}

const MANAGED = ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"];
const CLIENT = ["AZURE_AUTHORITY_HOST", "AZURE_TENANT_ID", "AZURE_CLIENT_ID"];
const SECRET = [...CLIENT, "AZURE_CLIENT_SECRET"];
const FEDERATED = [...CLIENT, "AZURE_FEDERATED_TOKEN_FILE"];

async function useAll(credential) {
  const fresh = freshName();
  const container = new BlobServiceClient(blobEndpoint, credential).getContainerClient(fresh);
  await container.create();
  await container.getBlockBlobClient("a").upload("hello", 5);
  assert.equal((await container.getBlockBlobClient("a").downloadToBuffer()).toString(), "hello");
  await container.delete();
  const queue = new QueueServiceClient(queueEndpoint, credential).getQueueClient(fresh);
  await queue.create();
  await queue.sendMessage("hello");
  const received = await queue.receiveMessages();
  assert.equal(received.receivedMessageItems[0].messageText, "hello");
  await queue.delete();
  const table = new TableClient(tableEndpoint, fresh, credential);
  await table.createTable();
  await table.createEntity({ partitionKey: "p", rowKey: "r", word: "hello" });
  assert.equal((await table.getEntity("p", "r")).word, "hello");
  await table.deleteTable();
}

describe("credentials of @azure/identity", { skip }, () => {
  const cases = [
    ["ManagedIdentityCredential", MANAGED, () => new ManagedIdentityCredential(once)],
    ["DefaultAzureCredential with a managed identity", MANAGED, () => new DefaultAzureCredential()],
    ["DefaultAzureCredential with a secret", SECRET, () => new DefaultAzureCredential()],
    ["DefaultAzureCredential with a file", FEDERATED, () => new DefaultAzureCredential()],
    ["EnvironmentCredential", SECRET, () => new EnvironmentCredential()],
    ["WorkloadIdentityCredential", FEDERATED, () => new WorkloadIdentityCredential()],
    [
      "ClientSecretCredential with the id of the tenant",
      SECRET,
      () =>
        new ClientSecretCredential(
          tenant,
          environment.AZURE_CLIENT_ID,
          environment.AZURE_CLIENT_SECRET,
          { disableInstanceDiscovery: true },
        ),
    ],
  ];
  for (const [title, variables, credential] of cases) {
    test(title, async () => {
      leave(...variables);
      await useAll(credential());
    });
  }

  test("a named identity has its roles only", async () => {
    leave(...MANAGED);
    const owner = new BlobServiceClient(blobEndpoint, new ManagedIdentityCredential(once));
    const container = owner.getContainerClient(freshName());
    await container.create();
    const credential = new ManagedIdentityCredential({ clientId: "reader", ...once });
    const reader = new BlobServiceClient(blobEndpoint, credential);
    const theirs = reader.getContainerClient(container.containerName);
    assert.equal(await theirs.exists(), true);
    await refused(theirs.delete(), 403, "AuthorizationPermissionMismatch");
    await container.delete();
  });

  test("a wrong secret gets no token", async () => {
    leave(...CLIENT);
    process.env.AZURE_CLIENT_SECRET = "wrong";
    await assert.rejects(
      new EnvironmentCredential().getToken("https://storage.azure.com/.default"),
      /AADSTS7000215/,
    );
  });

  test("a signature with a user delegation key", async () => {
    leave(...MANAGED);
    const service = new BlobServiceClient(blobEndpoint, new ManagedIdentityCredential(once));
    const container = service.getContainerClient(freshName());
    await container.create();
    await container.getBlockBlobClient("a").upload("hello", 5);
    const expiresOn = new Date(Date.now() + 3_600_000);
    const key = await service.getUserDelegationKey(new Date(Date.now() - 60_000), expiresOn);
    const query = generateBlobSASQueryParameters(
      {
        containerName: container.containerName,
        blobName: "a",
        permissions: BlobSASPermissions.parse("r"),
        expiresOn,
      },
      key,
      name,
    );
    const signed = new BlockBlobClient(`${container.getBlockBlobClient("a").url}?${query}`);
    assert.equal((await signed.downloadToBuffer()).toString(), "hello");
    await refused(signed.upload("x", 1), 403, "AuthorizationPermissionMismatch");
    await container.delete();
  });
});
