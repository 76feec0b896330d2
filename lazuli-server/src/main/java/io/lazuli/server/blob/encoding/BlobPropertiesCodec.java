package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.TierChoice;
import org.jspecify.annotations.Nullable;

/** The values of the rows {@code p} and {@code s}: the properties of a blob or a snapshot. */
public final class BlobPropertiesCodec {
  /** Without optional properties. */
  private static final int PLAIN = 1;

  /** With optional properties at the end. */
  private static final int WITH_OPTIONAL = 2;

  /** Stored as indexes into these arrays, so the order must never change. */
  static final BlobType[] TYPES = {BlobType.BLOCK, BlobType.APPEND, BlobType.PAGE};

  private static final AccessTier[] TIERS = {
    AccessTier.HOT, AccessTier.COOL, AccessTier.COLD, AccessTier.ARCHIVE, AccessTier.SMART
  };
  private static final CopyStatus[] STATUSES = {
    CopyStatus.PENDING, CopyStatus.SUCCESS, CopyStatus.ABORTED, CopyStatus.FAILED
  };

  private BlobPropertiesCodec() {}

  public static byte[] encode(BlobProperties blob) {
    boolean plain = blob.optional().equals(OptionalProperties.NONE) && blob.tags().stamp() == 0;
    RecordOutput out = new RecordOutput(plain ? PLAIN : WITH_OPTIONAL);
    out.writeOneOf(TYPES, blob.type())
        .writeLong(blob.changedTicks())
        .writeLong(blob.creationTicks())
        .writeLong(blob.content().version())
        .writeLong(blob.content().length())
        .writeInt(blob.content().blocks())
        .writeBoolean(blob.content().sealed());
    writeHttp(blob.http(), out);
    out.writeTexts(blob.metadata()).writeTexts(blob.tags().values());
    writeTier(blob.tier(), out);
    LeaseFields.write(blob.lease(), out);
    writeCopy(blob.copy(), out);
    out.writeLong(blob.upload().number())
        .writeByte(blob.upload().idBytes())
        .writeInt(blob.upload().blocks())
        .writeLong(blob.upload().lastTicks())
        .writeInt(blob.snapshots().count())
        .writeLong(blob.snapshots().lastTicks());
    OptionalFields.write(blob, TIERS, out);
    return out.finish();
  }

  /** Returns true if a record has optional properties, such as tags that the index has. */
  public static boolean hasOptional(byte[] record) {
    return record.length > 0 && record[0] != PLAIN;
  }

  public static BlobProperties decode(byte[] record) {
    RecordInput in = new RecordInput(record, PLAIN, WITH_OPTIONAL);
    BlobProperties plain =
        new BlobProperties(
            in.readOneOf(TYPES),
            in.readLong(),
            in.readLong(),
            new BlobContent(in.readLong(), in.readLong(), in.readInt(), in.readBoolean()),
            readHttp(in),
            in.readTexts(),
            new BlobTags(in.readTexts()),
            readTier(in),
            LeaseFields.read(in),
            readCopy(in),
            new Upload(in.readLong(), in.readByte(), in.readInt(), in.readLong()),
            new SnapshotCount(in.readInt(), in.readLong()),
            OptionalProperties.NONE);
    return in.finish(in.version() == PLAIN ? plain : OptionalFields.read(plain, TIERS, in));
  }

  private static void writeHttp(HttpProperties http, RecordOutput out) {
    out.writeOptionalText(http.contentType())
        .writeOptionalText(http.contentEncoding())
        .writeOptionalText(http.contentLanguage())
        .writeOptionalText(http.contentDisposition())
        .writeOptionalText(http.cacheControl())
        .writeOptionalText(http.contentMd5());
  }

  private static HttpProperties readHttp(RecordInput in) {
    return new HttpProperties(
        in.readOptionalText(),
        in.readOptionalText(),
        in.readOptionalText(),
        in.readOptionalText(),
        in.readOptionalText(),
        in.readOptionalText());
  }

  private static void writeTier(@Nullable TierChoice choice, RecordOutput out) {
    out.writeBoolean(choice != null);
    if (choice != null) {
      out.writeOneOf(TIERS, choice.tier()).writeLong(choice.changedTicks());
    }
  }

  private static @Nullable TierChoice readTier(RecordInput in) {
    return in.readBoolean() ? new TierChoice(in.readOneOf(TIERS), in.readLong()) : null;
  }

  private static void writeCopy(@Nullable CopyProperties copy, RecordOutput out) {
    out.writeBoolean(copy != null);
    if (copy != null) {
      out.writeId(copy.id())
          .writeText(copy.source())
          .writeOneOf(STATUSES, copy.status())
          .writeLong(copy.copiedBytes())
          .writeLong(copy.totalBytes())
          .writeLong(copy.endTicks());
    }
  }

  private static @Nullable CopyProperties readCopy(RecordInput in) {
    if (!in.readBoolean()) {
      return null;
    }
    return new CopyProperties(
        in.readId(),
        in.readText(),
        in.readOneOf(STATUSES),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }
}
