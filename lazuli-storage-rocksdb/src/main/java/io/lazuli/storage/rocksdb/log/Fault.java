package io.lazuli.storage.rocksdb.log;

/**
 * A place where a file cannot be read on.
 *
 * @param offset the first byte of the piece that cannot be read
 */
record Fault(long offset, Kind kind) {
  /** The reasons why a piece of a file cannot be read. */
  enum Kind {
    CUT("the file ends in the middle of a record"),
    ZEROS("there are zeros instead of a record"),
    LENGTH("a record is longer than its block"),
    TYPE("a record has an unknown type"),
    CHECKSUM("a record does not pass its checksum"),
    NO_BEGINNING("a record has no beginning"),
    NO_END("a record has no end");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }
}
