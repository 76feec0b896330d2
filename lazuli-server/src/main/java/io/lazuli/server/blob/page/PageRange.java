package io.lazuli.server.blob.page;

/**
 * Consecutive pages in an answer.
 *
 * @param from the offset of the first byte
 * @param to the offset of the last byte
 * @param cleared true if the pages were cleared, false if they were written
 */
public record PageRange(long from, long to, boolean cleared) {}
