package io.lazuli.server.blob.model;

/**
 * The summary of a blob's uncommitted blocks, which its properties contain.
 *
 * @param number the upload number under which the blocks are stored; never used twice, 0 if there
 *     are none
 * @param idBytes the length of each block id in bytes; all ids have the same length
 * @param blocks the number of blocks
 * @param lastTicks the time when the last block was put; a commit compares it to see whether the
 *     blocks have changed, and a week after it the blocks are dropped
 */
public record Upload(long number, int idBytes, int blocks, long lastTicks) {
  public static final Upload NONE = new Upload(0, 0, 0, 0);
}
