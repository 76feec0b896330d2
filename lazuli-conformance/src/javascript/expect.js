// What the cases of all services expect, said once.
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

/** Where the SDKs leave it: parsed for operations, in the header for batches. */
function codeOf(error) {
  return (
    error.details?.odataError?.code ??
    error.code ??
    error.details?.errorCode ??
    error.response?.headers.get("x-ms-error-code")
  );
}

/** Repeats until it holds: Azure takes its time with policies. */
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
