package io.lazuli.server.blob.model;

/**
 * The uncommitted blocks of a blob, as far as its properties record them.
 *
 * @param number the upload number under which they are stored; never used twice, 0 if there are
 *     none
 * @param idBytes the length of all their ids
 * @param blocks the number of blocks
 * @param lastTicks the time when the last block was put; a commit compares it to see whether the
 *     blocks changed, and a week later they are dropped
 */
public record Upload(long number, int idBytes, int blocks, long lastTicks) {
  public static final Upload NONE = new Upload(0, 0, 0, 0);
}
