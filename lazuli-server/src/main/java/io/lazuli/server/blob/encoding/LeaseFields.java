package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.Lease;
import java.util.UUID;

/**
 * A lease inside a record. The first byte is {@code 0} for no lease, {@code 1} for a lease that is
 * held or has expired, {@code 2} for a lease that is breaking or broken. The id (16 bytes), the
 * duration in seconds (4) and the end in ticks (8) follow if there is a lease.
 */
final class LeaseFields {
  private static final int NONE = 0;
  private static final int HELD = 1;
  private static final int BROKEN = 2;

  private LeaseFields() {}

  static void write(Lease lease, RecordOutput out) {
    UUID id = lease.id();
    if (id == null) {
      out.writeByte(NONE);
      return;
    }
    out.writeByte(lease.breaking() ? BROKEN : HELD)
        .writeId(id)
        .writeInt(lease.durationSeconds())
        .writeLong(lease.endTicks());
  }

  static Lease read(RecordInput in) {
    return switch (in.readByte()) {
      case NONE -> Lease.NONE;
      case HELD -> new Lease(in.readId(), false, in.readInt(), in.readLong());
      case BROKEN -> new Lease(in.readId(), true, in.readInt(), in.readLong());
      default -> throw new IllegalStateException("blob record is damaged");
    };
  }
}
