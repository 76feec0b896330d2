package io.lazuli.server.blob.encoding;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Ticks;

/**
 * The one row of a partition that names a protected blob.
 *
 * @param stampTicks the time of the last request that was about to protect a state of the blob
 * @param reviewTicks the time from which the collector looks whether the row is still needed
 */
public record ProtectionRow(long stampTicks, long reviewTicks) {
  private static final int VERSION = 1;

  /** The key of the row. The partition {@link IndexPartitions#PROTECTED} uses the same one. */
  public static final Bytes KEY = Bytes.of(new byte[] {'h'});

  /** The first look at a blob comes this long after the request that protected it. */
  public static final long FIRST_REVIEW_TICKS = 24 * 60 * 60 * Ticks.PER_SECOND;

  /** Returns the row of a blob that is about to be protected. */
  public static ProtectionRow at(long now) {
    return new ProtectionRow(now, now + FIRST_REVIEW_TICKS);
  }

  public byte[] encode() {
    return new RecordOutput(VERSION).writeLong(stampTicks).writeLong(reviewTicks).finish();
  }

  public static ProtectionRow decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    return in.finish(new ProtectionRow(in.readLong(), in.readLong()));
  }
}
