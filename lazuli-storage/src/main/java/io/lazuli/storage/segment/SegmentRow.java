package io.lazuli.storage.segment;

/**
 * One record in a segment.
 *
 * @param key the encoded key, as in {@link io.lazuli.storage.keys.KeyCodec}
 * @param millis the time that the store kept with the record
 * @param version the version of the record, in ticks
 * @param writeId the write that stored it
 */
public record SegmentRow(byte[] key, long millis, long version, long writeId, byte[] value) {
  static final int FIXED_BYTES = 2 * Integer.BYTES + 3 * Long.BYTES;

  /** Returns the number of bytes of the row in a segment. */
  int bytes() {
    return FIXED_BYTES + key.length + value.length;
  }
}
