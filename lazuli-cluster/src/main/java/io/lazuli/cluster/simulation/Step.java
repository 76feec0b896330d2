package io.lazuli.cluster.simulation;

import org.jspecify.annotations.Nullable;

/** Something for which a Lazuli server calls a region server. It may share the call with others. */
abstract class Step {
  /** The table that is read or written. A call is for one table. */
  enum Table {
    DATA,
    QUEUES,
    CATALOG
  }

  private final Kind kind;
  private final Table table;

  /** The next one in the lane. */
  @Nullable Step next;

  /** When it came to the lane. */
  long since;

  Step(Kind kind, Table table) {
    this.kind = kind;
    this.table = table;
  }

  /** Returns the operation whose costs a call for it has. */
  final Kind kind() {
    return kind;
  }

  final Table table() {
    return table;
  }

  /** Returns the processor time of the region server for this step, without that of the call. */
  abstract long work();

  /** Returns the number of operations that this step is for. */
  abstract int operations();

  /** Returns how many of them are for the most used partition. */
  abstract int hotOperations();

  abstract boolean isWrite();

  abstract void answered();

  abstract void failed();

  /** Ends the step because too many others wait. */
  abstract void refused();
}
