package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.PublicAccess;
import java.util.List;

/** The properties of a container, as the catalogue stores them for the blob service. */
public final class ContainerPropertiesCodec {
  private static final int VERSION = 1;

  /** Stored as indexes into this array, so the order must never change. */
  private static final PublicAccess[] LEVELS = {
    PublicAccess.NONE, PublicAccess.BLOB, PublicAccess.CONTAINER
  };

  private ContainerPropertiesCodec() {}

  public static byte[] encode(ContainerProperties container) {
    RecordOutput out =
        new RecordOutput(VERSION)
            .writeLong(container.changedTicks())
            .writeByte(List.of(LEVELS).indexOf(container.publicAccess()))
            .writeTexts(container.metadata());
    LeaseFields.write(container.lease(), out);
    return out.finish();
  }

  public static ContainerProperties decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    long changedTicks = in.readLong();
    PublicAccess publicAccess = in.readOneOf(LEVELS);
    return in.finish(
        new ContainerProperties(changedTicks, in.readTexts(), publicAccess, LeaseFields.read(in)));
  }
}
