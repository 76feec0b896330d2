package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.PublicAccess;
import java.util.List;

/** The properties of a container, as the catalogue stores them for the blob service. */
public final class ContainerPropertiesCodec {
  /** Without a guard. */
  private static final int PLAIN = 1;

  private static final int WITH_GUARD = 2;

  /** Stored as indexes into this array, so the order must never change. */
  private static final PublicAccess[] LEVELS = {
    PublicAccess.NONE, PublicAccess.BLOB, PublicAccess.CONTAINER
  };

  private ContainerPropertiesCodec() {}

  public static byte[] encode(ContainerProperties container) {
    RecordOutput out =
        new RecordOutput(container.guard() == 0 ? PLAIN : WITH_GUARD)
            .writeLong(container.changedTicks())
            .writeByte(List.of(LEVELS).indexOf(container.publicAccess()))
            .writeTexts(container.metadata());
    LeaseFields.write(container.lease(), out);
    if (container.guard() != 0) {
      out.writeLong(container.guard());
    }
    return out.finish();
  }

  public static ContainerProperties decode(byte[] record) {
    RecordInput in = new RecordInput(record, PLAIN, WITH_GUARD);
    long changedTicks = in.readLong();
    PublicAccess publicAccess = in.readOneOf(LEVELS);
    ContainerProperties plain =
        new ContainerProperties(changedTicks, in.readTexts(), publicAccess, LeaseFields.read(in));
    return in.finish(in.version() == PLAIN ? plain : plain.withGuard(in.readLong()));
  }
}
