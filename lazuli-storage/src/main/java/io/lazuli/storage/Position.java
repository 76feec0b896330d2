package io.lazuli.storage;

/** A position in the order of a space's records: by partition, then by row. */
public record Position(Bytes partition, Bytes row) implements Comparable<Position> {
  /** The position before the first record of a space. */
  public static final Position START = new Position(Bytes.EMPTY, Bytes.EMPTY);

  /** Returns the position before the first row of a partition. */
  public static Position startOf(Bytes partition) {
    return new Position(partition, Bytes.EMPTY);
  }

  /** Returns the position after the last row of a partition. */
  public static Position endOf(Bytes partition) {
    return startOf(partition.successor());
  }

  /** Returns the position directly after this one. */
  public Position successor() {
    return new Position(partition, row.successor());
  }

  @Override
  public int compareTo(Position other) {
    int byPartition = partition.compareTo(other.partition);
    return byPartition != 0 ? byPartition : row.compareTo(other.row);
  }
}
