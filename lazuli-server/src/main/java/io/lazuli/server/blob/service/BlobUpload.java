package io.lazuli.server.blob.service;

import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * A body on its way into a blob. Mutable; its methods block and are called one at a time, from any
 * thread, each seeing what the last one did. Ends with one call of {@link #end} or {@link #abort};
 * until {@code end} succeeds nothing is visible, and after anything else nothing is left.
 */
public interface BlobUpload {
  /** Takes all remaining bytes; the buffer is the caller's again after the call. */
  void take(ByteBuffer bytes);

  /**
   * The body is complete: makes it part of the blob. What the request asks of the blob is checked
   * once more, in the transaction that does so.
   *
   * @return what came of it; failures are in the stage, foreseen ones as {@code ServiceException}
   */
  CompletionStage<BlobOutcome> end(Deadline deadline);

  /** The body was cut off, or a call failed: nothing is left. Does nothing after {@link #end}. */
  void abort();
}
