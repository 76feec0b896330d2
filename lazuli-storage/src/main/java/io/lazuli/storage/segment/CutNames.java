package io.lazuli.storage.segment;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.util.HexFormat;

/**
 * The names of the files of a cut in segments, in the order in which a restore needs them: {@code
 * boundaries/TABLE}, {@code chunks/COUNTER}, {@code records/TABLE/SPACE-ORDINAL}, {@code store}.
 * The space is that of the segment's first record.
 */
public final class CutNames {
  public static final String BOUNDARIES = "boundaries/";
  public static final String CHUNKS = "chunks/";
  public static final String RECORDS = "records/";

  /** What belongs to no table. */
  public static final String STORE = "store";

  private CutNames() {}

  public static String ofBoundaries(String table) {
    return BOUNDARIES + table;
  }

  public static String of(ChunkRef chunk) {
    return CHUNKS + HexFormat.of().toHexDigits(Space.counter(chunk.number()));
  }

  /**
   * Returns the chunk of a name.
   *
   * @throws IllegalArgumentException if the name is not that of a chunk
   */
  public static ChunkRef chunk(String name) {
    long counter = HexFormat.fromHexDigitsToLong(name, CHUNKS.length(), name.length());
    return new ChunkRef(Space.number(SpaceKind.CHUNKS, counter));
  }

  /**
   * Returns the name of a segment.
   *
   * @param ordinal the number of the segment in its table, from 0
   */
  public static String ofSegment(String table, byte[] firstKey, int ordinal) {
    return "%s%s/%016x-%08d".formatted(RECORDS, table, Segments.space(firstKey), ordinal);
  }

  /** Returns the table of a segment. */
  public static String table(String segment) {
    return segment.substring(RECORDS.length(), segment.lastIndexOf('/'));
  }

  /** Returns the space of the first record of a segment. */
  public static long space(String segment) {
    int from = segment.lastIndexOf('/') + 1;
    return HexFormat.fromHexDigitsToLong(segment, from, segment.indexOf('-', from));
  }

  /** Returns the table with the spaces of a kind. */
  public static String table(SpaceKind kind) {
    return switch (kind) {
      case CATALOGUE -> "catalog";
      case TABLE -> "tables";
      case QUEUE -> "queues";
      case CONTAINER, GATE -> "blobs";
      case CHUNKS -> "chunks";
    };
  }
}
