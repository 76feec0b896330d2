package io.lazuli.server.blob.model;

import java.util.UUID;

/**
 * The source of a copied blob; removed by the next write (blob-rest 10.8).
 *
 * @param source the URL as the client sent it, without the value of {@code sig}
 * @param endTicks 0 while the copy is pending
 */
public record CopyProperties(
    UUID id, String source, CopyStatus status, long copiedBytes, long totalBytes, long endTicks) {
  /** Returns whether the copy with this id is under way. */
  public boolean isPending(UUID copyId) {
    return status == CopyStatus.PENDING && id.equals(copyId);
  }

  public CopyProperties withProgress(long bytes) {
    return new CopyProperties(id, source, status, bytes, totalBytes, endTicks);
  }

  public CopyProperties ended(CopyStatus end, long bytes, long ticks) {
    return new CopyProperties(id, source, end, bytes, totalBytes, ticks);
  }

  /** Returns the value of {@code x-ms-copy-progress}. */
  public String progress() {
    return copiedBytes + "/" + totalBytes;
  }
}
