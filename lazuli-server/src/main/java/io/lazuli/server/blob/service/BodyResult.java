package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction on a blob came to.
 *
 * @param refusal null if it took place
 * @param blob as it is now; null if it was refused or there is none any more
 * @param at where an append began, the ticks of a new snapshot, or the seconds left of a lease
 * @param unfinished true if the caller has to look again and repeat: nothing is wrong, but not all
 *     is done
 */
record BodyResult(
    @Nullable ServiceError refusal, @Nullable BlobProperties blob, long at, boolean unfinished) {
  static BodyResult refused(ServiceError refusal) {
    return new BodyResult(refusal, null, 0, false);
  }

  static BodyResult done(@Nullable BlobProperties blob) {
    return new BodyResult(null, blob, 0, false);
  }

  static BodyResult doneAt(BlobProperties blob, long at) {
    return new BodyResult(null, blob, at, false);
  }

  static BodyResult again() {
    return new BodyResult(null, null, 0, true);
  }
}
