package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobName;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a server must know to read the source of a pending copy, also after a restart.
 *
 * @param url the URL of the source with its signature; must not be logged or shown
 * @param etag the tag that the source had when the copy began; null if it had none
 * @param length the length that the source had when the copy began
 * @param touchedTicks the last time when a server worked on the copy
 */
public record PendingCopy(
    UUID id,
    BlobName blob,
    String url,
    @Nullable String etag,
    long length,
    long beganTicks,
    long touchedTicks) {
  public PendingCopy touched(long ticks) {
    return new PendingCopy(id, blob, url, etag, length, beganTicks, ticks);
  }

  /** Leaves the secrets out. */
  @Override
  public String toString() {
    return "copy " + id;
  }
}
