package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.storage.Bytes;

/**
 * The tags of a blob or of one of its previous versions, and the rows that an index has for them.
 * The sign of a stamp says which index has the rows: positive for the index of blobs, negative for
 * that of versions. So tags that a version still has from the time when it was the blob, as servers
 * without an index of versions left them, count as tags that no index has.
 *
 * @param version the ticks that name the version; 0 for the blob itself
 */
public record TaggedState(long version, BlobTags tags) {
  /** Returns the index in which the state belongs. */
  public TagIndexRows index() {
    return version == 0 ? TagIndexRows.CURRENT : TagIndexRows.VERSIONS;
  }

  /** Returns true if the state has tags and its index has rows for them. */
  public boolean isIndexed() {
    return version == 0 ? tags.stamp() > 0 : tags.stamp() < 0;
  }

  /** Returns true if the state has tags that its index does not have. */
  public boolean isUnindexed() {
    return !tags.values().isEmpty() && !isIndexed();
  }

  /** Returns the state with the stamp of its rows. */
  public TaggedState indexed(long stamp) {
    return new TaggedState(version, tags.stamped(version == 0 ? stamp : -stamp));
  }

  /** Returns the stamp that is part of the state's rows. */
  public long rowStamp() {
    return Math.abs(tags.stamp());
  }

  /** Returns the key of the state's rows; each of its tags has one. */
  public Bytes row(Bytes name) {
    Bytes entry = version == 0 ? name : TagIndexRows.versionEntry(name, version);
    return TagIndexRows.row(entry, rowStamp());
  }
}
