package io.lazuli.storage.rocksdb.log;

/**
 * How much of a log is known to be good.
 *
 * @param length the bytes from the beginning of the log to the end of a batch
 * @param lastSequence the sequence number of the last change in these bytes
 */
record Extent(long length, long lastSequence) {
  static final Extent EMPTY = new Extent(0, 0);
}
