package io.lazuli.server.blob.model;

/**
 * The committed content of a blob.
 *
 * @param version under which its block list is stored; never used twice
 * @param blocks in the block list; of an append blob, how many were appended; 0 if the content was
 *     put as a whole
 * @param sealed true if nothing can be appended any more
 */
public record BlobContent(long version, long length, int blocks, boolean sealed) {
  /** Of a blob that has uncommitted blocks only. */
  public static final BlobContent NONE = new BlobContent(0, 0, 0, false);
}
