// Expectations that the cases of all services share.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Expects the service to refuse, with this status and code. */
export async function refused(promise, statusCode, code) {
  const error = await promise.then(
    () => assert.fail(`expected ${statusCode} ${code}, but it was accepted`),
    (thrown) => thrown,
  );
  assert.equal(error.name, "RestError", `expected ${code}, but: ${error}`);
  assert.deepEqual(
    { statusCode: error.statusCode, code: codeOf(error) },
    { statusCode, code },
    error.message,
  );
}

/** Returns the error code. The SDKs parse it for operations and leave it in a header for batches. */
function codeOf(error) {
  return (
    error.details?.odataError?.code ??
    error.code ??
    error.details?.errorCode ??
    error.response?.headers.get("x-ms-error-code")
  );
}

/** Repeats a check until it holds, because Azure takes a while to apply policies. */
export async function eventually(check) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (attempt === 300) {
        throw error;
      }
      await sleep(200);
    }
  }
}
