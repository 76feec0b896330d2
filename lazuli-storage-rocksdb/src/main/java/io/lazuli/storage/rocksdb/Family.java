package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;

/**
 * The column families. They are few and fixed: creating or dropping one takes 53 ms, so a table
 * does not get its own family. The catalogue is in the default family, together with the engine's
 * own records.
 */
enum Family {
  CATALOGUE("default"),
  TABLES("tables"),
  QUEUES("queues"),
  BLOBS("blobs");

  private final String label;

  Family(String label) {
    this.label = label;
  }

  String title() {
    return label;
  }

  byte[] label() {
    return label.getBytes(StandardCharsets.UTF_8);
  }

  static Family of(Space space) {
    return of(space.kind());
  }

  /** Returns the family of a space, from its number, whose top three bits are the kind. */
  static Family ofNumber(long space) {
    return of(SpaceKind.of(space));
  }

  private static Family of(SpaceKind kind) {
    return switch (kind) {
      case CATALOGUE -> CATALOGUE;
      case TABLE -> TABLES;
      case QUEUE -> QUEUES;
      case CONTAINER, CHUNKS, GATE -> BLOBS;
    };
  }
}
