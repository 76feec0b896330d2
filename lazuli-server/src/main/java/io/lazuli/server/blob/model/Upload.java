package io.lazuli.server.blob.model;

/**
 * The uncommitted blocks of a blob, as its properties know them.
 *
 * @param number under which they are stored; never used twice, 0 if there are none
 * @param idBytes the length that all their ids have
 * @param blocks how many
 * @param lastTicks when the last one came: who read the blocks before sees that they changed, and a
 *     week later they are dropped
 */
public record Upload(long number, int idBytes, int blocks, long lastTicks) {
  public static final Upload NONE = new Upload(0, 0, 0, 0);
}
