package io.lazuli.server.blob.model;

import java.util.UUID;

/**
 * The source of a copied blob; removed by the next write (blob-rest 10.8).
 *
 * @param source the URL as the client sent it, without the value of {@code sig}
 */
public record CopyProperties(
    UUID id, String source, CopyStatus status, long copiedBytes, long totalBytes, long endTicks) {
  /** Returns the value of {@code x-ms-copy-progress}. */
  public String progress() {
    return copiedBytes + "/" + totalBytes;
  }
}
