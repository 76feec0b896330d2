package io.lazuli.server.blob.service;

import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An upload under way. Mutable. Its methods are called from any thread, one at a time: a call
 * begins when the stage of the one before is complete, and sees its effects. An upload ends with
 * one call of {@link #end} or {@link #abort}. Nothing is visible until {@code end} succeeds, and
 * nothing is left if it does not.
 */
public interface BlobUpload {
  /** Takes all remaining bytes. The buffer belongs to the upload until the stage is complete. */
  CompletionStage<@Nullable Void> take(ByteBuffer bytes);

  /**
   * Completes the upload: makes the body part of the blob. The same transaction checks the
   * preconditions of the request again.
   *
   * @return the outcome; failures are in the stage, expected ones as {@code ServiceException}s
   */
  CompletionStage<BlobOutcome> end(Deadline deadline);

  /**
   * Discards the upload after the body was cut off or a call failed. Does nothing after {@link
   * #end}.
   */
  void abort();
}
