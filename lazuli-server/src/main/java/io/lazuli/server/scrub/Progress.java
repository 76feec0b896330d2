package io.lazuli.server.scrub;

/**
 * What a walk has read so far.
 *
 * @param spaces tables, queues and containers
 * @param bytes of files, records and chunks; records are read from files, so their bytes count
 *     twice
 */
public record Progress(long files, long spaces, long records, long chunks, long bytes) {
  static final Progress NOTHING = new Progress(0, 0, 0, 0, 0);

  /** Returns a line for an operator. */
  public String line() {
    return "%,d files, %,d tables, queues and containers, %,d records, %,d chunks, %,d MiB"
        .formatted(files, spaces, records, chunks, bytes >> 20);
  }
}
