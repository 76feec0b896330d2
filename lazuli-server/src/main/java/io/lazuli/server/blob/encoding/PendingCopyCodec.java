package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.UUID;

/** The rows of {@link IndexPartitions#COPIES}. */
public final class PendingCopyCodec {
  private static final int VERSION = 1;

  private PendingCopyCodec() {}

  /** Returns the row of a copy. */
  public static Bytes row(UUID id) {
    return Bytes.of(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array());
  }

  public static byte[] encode(PendingCopy copy) {
    return new RecordOutput(VERSION)
        .writeId(copy.id())
        .writeText(copy.blob().text())
        .writeText(copy.url())
        .writeOptionalText(copy.etag())
        .writeLong(copy.length())
        .writeLong(copy.beganTicks())
        .writeLong(copy.touchedTicks())
        .finish();
  }

  public static PendingCopy decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    return in.finish(
        new PendingCopy(
            in.readId(),
            BlobName.require(in.readText()),
            in.readText(),
            in.readOptionalText(),
            in.readLong(),
            in.readLong(),
            in.readLong()));
  }
}
