package io.lazuli.server.design;

/** How entities of a type are stored. */
public enum Storage {
  /** Each is an entity. */
  PLAIN,
  /** The points of a series are properties of one entity. */
  SERIES,
  /** Each is stored in several entities. */
  WIDE,
  /** Large values are in blobs. */
  LARGE,
  /** There is a table for each period. */
  PERIOD,
  /** Lines of append blobs, not entities. */
  LOG
}
