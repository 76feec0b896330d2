package io.lazuli.server.blob.check;

import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.PendingCopyCodec;
import io.lazuli.server.blob.encoding.ProtectionRow;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
import io.lazuli.server.check.SpaceCheck;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the blobs of a container one after another, and the rows of its indexes. A row of an index
 * that no blob needs is not damage: a crash leaves such rows, and searches remove them.
 */
public final class ContainerCheck implements SpaceCheck {
  private static final int COPY_ROW_BYTES = 16;

  private final StorageEngine engine;
  private final Place place;
  private final Space space;
  private final Consumer<Finding> found;
  private @Nullable BlobCheck blob;

  public ContainerCheck(StorageEngine engine, Place place, Space space, Consumer<Finding> found) {
    this.engine = engine;
    this.place = place;
    this.space = space;
    this.found = found;
  }

  @Override
  public void record(Bytes partition, Bytes row, byte[] value) {
    if (partition.compareTo(IndexPartitions.END_OF_BLOBS.partition()) >= 0) {
      endBlob();
      checkIndexRow(partition, row, value);
    } else {
      blobOf(partition).add(row, value);
    }
  }

  @Override
  public void damaged(Position from, @Nullable Position to) {
    addDamage(from);
    if (to != null) {
      addDamage(to);
    }
  }

  private void addDamage(Position at) {
    if (at.partition().compareTo(IndexPartitions.END_OF_BLOBS.partition()) < 0) {
      blobOf(at.partition()).addDamage();
    }
  }

  @Override
  public void end() {
    endBlob();
  }

  @Override
  public Position restart() {
    BlobCheck current = blob;
    return current == null ? Position.START : Position.startOf(current.partition().name());
  }

  /** Returns the key of a row as operators know it: the name of its blob. */
  public static String key(Position at) {
    return "blob '" + new String(at.partition().array(), StandardCharsets.UTF_8) + "'";
  }

  private BlobCheck blobOf(Bytes name) {
    BlobCheck current = blob;
    if (current == null || !current.partition().name().equals(name)) {
      endBlob();
      current = new BlobCheck(engine, place, new Partition(space, name));
      blob = current;
    }
    return current;
  }

  private void endBlob() {
    BlobCheck current = blob;
    blob = null;
    if (current != null) {
      current.confirmed().forEach(found);
    }
  }

  private void checkIndexRow(Bytes partition, Bytes row, byte[] value) {
    boolean readable;
    if (partition.equals(IndexPartitions.COPIES)) {
      readable = row.length() == COPY_ROW_BYTES && isPendingCopy(value);
    } else if (IndexPartitions.isProtectedBlob(partition)) {
      readable = row.equals(ProtectionRow.KEY) && isProtection(value);
    } else {
      readable = value.length == 1 && value[0] == 1;
    }
    if (!readable) {
      found.accept(
          new Finding(
              place,
              "index row " + HexFormat.of().formatHex(row.array()),
              "the row cannot be read",
              Fix.remove(new Partition(space, partition).row(row))));
    }
  }

  private static boolean isProtection(byte[] value) {
    try {
      return ProtectionRow.decode(value) != null;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static boolean isPendingCopy(byte[] value) {
    try {
      return PendingCopyCodec.decode(value) != null;
    } catch (IllegalStateException | ServiceException e) {
      return false;
    }
  }
}
