package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.TaggedState;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transaction on a blob and reports which rows of the indexes of tags nothing needs after
 * it. Every state that the transaction writes has the stamp that it had before, or the stamp of
 * prepared rows. If there are no such rows, for instance because a state with tags becomes a
 * version or is restored, the transaction ends with {@link UnindexedTags}.
 *
 * @param prepared the states whose rows are written
 */
public record IndexedBody<R>(TransactionBody<R> body, List<TaggedState> prepared)
    implements TransactionBody<IndexedBody.Done<R>> {
  /**
   * The transaction took place, or was refused.
   *
   * @param dropped the states whose rows nothing needs
   */
  public record Done<R>(R value, List<TaggedState> dropped) {}

  @Override
  public Done<R> run(PartitionView view) {
    WatchedVersions watched = new WatchedVersions(view);
    byte[] before = view.read(BlobRows.PROPERTIES);
    R value = body.run(watched);
    Changes changes = new Changes(view);
    changes.add(0, BlobRows.PROPERTIES, before);
    for (Map.Entry<Bytes, byte @Nullable []> version : watched.before().entrySet()) {
      changes.add(BlobRows.versionTicks(version.getKey()), version.getKey(), version.getValue());
    }
    return new Done<>(value, changes.dropped());
  }

  /** The states that the body has changed. Mutable, used for one run. */
  private final class Changes {
    private final PartitionView view;
    private final List<TaggedState> had = new ArrayList<>(0);
    private final List<TaggedState> has = new ArrayList<>(0);
    private final List<TaggedState> missing = new ArrayList<>(0);

    Changes(PartitionView view) {
      this.view = view;
    }

    /** Adds a state, and gives it the stamp of its rows. */
    void add(long version, Bytes row, byte @Nullable [] before) {
      TaggedState old = new TaggedState(version, tags(before));
      byte[] record = view.read(row);
      TaggedState now = new TaggedState(version, tags(record));
      if (old.isIndexed()) {
        had.add(old);
      }
      if (record == null || now.tags().values().isEmpty()) {
        return;
      }
      boolean known = now.isIndexed() && (now.equals(old) || prepared.contains(now));
      TaggedState rows = known ? now : preparedFor(now);
      if (rows == null) {
        missing.add(now);
      } else {
        has.add(rows);
      }
      if (rows != null && !known) {
        BlobProperties state = BlobPropertiesCodec.decode(record);
        long stamp = rows.tags().stamp();
        view.put(row, BlobPropertiesCodec.encode(state.withTagStamp(stamp)));
      }
    }

    private @Nullable TaggedState preparedFor(TaggedState state) {
      for (TaggedState rows : prepared) {
        boolean same = rows.tags().values().equals(state.tags().values());
        if (rows.version() == state.version() && same) {
          return rows;
        }
      }
      return null;
    }

    List<TaggedState> dropped() {
      if (!missing.isEmpty()) {
        throw new UnindexedTags(missing);
      }
      if (had.isEmpty() && prepared.isEmpty()) {
        return List.of();
      }
      List<TaggedState> dropped = new ArrayList<>(had);
      dropped.addAll(prepared);
      dropped.removeAll(has);
      return dropped;
    }
  }

  /**
   * Returns the tags that a search can find. Most blobs have none, and their record is not read.
   */
  private static BlobTags tags(byte @Nullable [] record) {
    if (record == null || !BlobPropertiesCodec.hasOptional(record)) {
      return BlobTags.NONE;
    }
    BlobProperties blob = BlobPropertiesCodec.decode(record);
    return blob.isSearchable() ? blob.tags() : BlobTags.NONE;
  }

  @Override
  public long weightBytes() {
    return body.weightBytes();
  }

  @Override
  public Collection<Bytes> probablyAbsent() {
    return body.probablyAbsent();
  }
}
