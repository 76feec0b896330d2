package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.error.ServiceError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction on a blob came to.
 *
 * @param refusal null if it took place
 * @param blob as it is now; null if it was refused or there is none any more
 * @param at where an append began, the ticks of a new snapshot, the seconds left of a lease, or the
 *     chunk of a block that was replaced (0 for none)
 * @param unfinished true if the caller has to look again and repeat: nothing is wrong, but not all
 *     is done
 * @param garbage true if something that was named is not any more
 */
public record BodyResult(
    @Nullable ServiceError refusal,
    @Nullable BlobProperties blob,
    long at,
    boolean unfinished,
    boolean garbage) {
  public BodyResult(
      @Nullable ServiceError refusal, @Nullable BlobProperties blob, long at, boolean unfinished) {
    this(refusal, blob, at, unfinished, false);
  }

  /** The blob, of something that took place and left one. */
  public BlobProperties requireBlob() {
    return Objects.requireNonNull(blob, "nothing took place");
  }

  public static BodyResult refused(ServiceError refusal) {
    return new BodyResult(refusal, null, 0, false);
  }

  public static BodyResult done(@Nullable BlobProperties blob) {
    return new BodyResult(null, blob, 0, false);
  }

  public BodyResult withGarbage(boolean left) {
    return new BodyResult(refusal, blob, at, unfinished, left);
  }

  public static BodyResult doneAt(BlobProperties blob, long at) {
    return new BodyResult(null, blob, at, false);
  }

  public static BodyResult again() {
    return new BodyResult(null, null, 0, true);
  }
}
