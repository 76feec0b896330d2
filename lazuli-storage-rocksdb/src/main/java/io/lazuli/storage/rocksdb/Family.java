package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;

/**
 * The column families, few and fixed: one costs 53 ms to make or drop, so none belongs to a table.
 * The catalogue lives in the default family, beside the engine's own records.
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

  byte[] label() {
    return label.getBytes(StandardCharsets.UTF_8);
  }

  static Family of(Space space) {
    return of(space.kind());
  }

  /** The family of a space of which only the number is known; its top three bits are the kind. */
  static Family ofNumber(long space) {
    return of(SpaceKind.ofCode((int) (space >>> 60)));
  }

  private static Family of(SpaceKind kind) {
    return switch (kind) {
      case CATALOGUE -> CATALOGUE;
      case TABLE -> TABLES;
      case QUEUE -> QUEUES;
      case CONTAINER, CHUNKS -> BLOBS;
    };
  }
}
