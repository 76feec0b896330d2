package io.lazuli.server.blob.model;

/**
 * The committed content of a blob.
 *
 * @param version the number under which its block list is stored; never used twice
 * @param blocks the number of blocks in the block list or, in an append blob, of appended blocks; 0
 *     if the content was put as a whole
 * @param sealed true if nothing can be appended any more
 */
public record BlobContent(long version, long length, int blocks, boolean sealed) {
  /** The content of a blob that has only uncommitted blocks. */
  public static final BlobContent NONE = new BlobContent(0, 0, 0, false);
}
