package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.PublicAccess;
import java.util.List;

/** What the catalogue keeps of a container for the blob service. */
public final class ContainerPropertiesCodec {
  private static final int VERSION = 1;

  /** Stored by their places here, which therefore never change. */
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
