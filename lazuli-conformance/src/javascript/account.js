// The account under test, from environment variables. The default is the development account at the
// usual ports of emulators. Each service has its own variable for the endpoint.
import { randomUUID } from "node:crypto";

export const name = process.env.LAZULI_ACCOUNT ?? "devstoreaccount1";
export const key =
  process.env.LAZULI_KEY ??
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
export const tableEndpoint =
  process.env.LAZULI_TABLE_ENDPOINT ?? "http://127.0.0.1:10002/devstoreaccount1";
export const queueEndpoint =
  process.env.LAZULI_QUEUE_ENDPOINT ?? "http://127.0.0.1:10001/devstoreaccount1";
export const blobEndpoint =
  process.env.LAZULI_BLOB_ENDPOINT ?? "http://127.0.0.1:10000/devstoreaccount1";

// Emulators use HTTP. Without retries, a refused request fails immediately.
export const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

/** Returns a name that no other run uses and that every service accepts. */
export function freshName() {
  return "j" + randomUUID().replaceAll("-", "");
}

/** Returns the read-only secondary endpoint. The SDK for tables derives it for host-style endpoints. */
export function secondary(endpoint, isDerived = false) {
  const url = new URL(endpoint);
  if (url.hostname !== "127.0.0.1") {
    url.hostname = isDerived ? url.hostname : url.hostname.replace(".", "-secondary.");
    return url.toString();
  }
  url.hostname = "localhost";
  url.pathname += "-secondary";
  return url.toString();
}

export async function all(pages) {
  const items = [];
  for await (const item of pages) {
    items.push(item);
  }
  return items;
}
