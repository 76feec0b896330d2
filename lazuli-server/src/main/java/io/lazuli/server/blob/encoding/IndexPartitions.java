package io.lazuli.server.blob.encoding;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;

/**
 * The partitions of a container that are not blobs but indexes of its blobs. Their names begin with
 * {@code ff}, which no name of a blob contains, because names are UTF-8. So they come after all
 * blobs, and a drop of the container drops them, too.
 *
 * <p>A transaction changes one partition, so a blob and its index rows cannot change together. The
 * rule is that a row is written before the blob that needs it, and removed after the last blob that
 * needed it has changed. A reader of an index therefore finds every blob, and compares what it
 * finds with the blob itself.
 */
public final class IndexPartitions {
  private static final byte MARK = (byte) 0xff;

  /** The end of the names of blobs. Every scan of all blobs of a container ends here. */
  public static final Position END_OF_BLOBS = Position.startOf(Bytes.of(new byte[] {MARK}));

  private IndexPartitions() {}
}
