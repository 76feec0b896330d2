package io.lazuli.server.blob.model;

import java.util.UUID;

/**
 * Where a blob was copied from, until the next write forgets it (blob-rest 10.8).
 *
 * @param source the URL as it was sent
 */
public record CopyProperties(
    UUID id, String source, CopyStatus status, long copiedBytes, long totalBytes, long endTicks) {
  /** The value of {@code x-ms-copy-progress}. */
  public String progress() {
    return copiedBytes + "/" + totalBytes;
  }
}
