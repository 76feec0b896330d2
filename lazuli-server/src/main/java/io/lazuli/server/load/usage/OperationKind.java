package io.lazuli.server.load.usage;

import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.SpaceLoad;
import java.util.Locale;

/** The kinds of operations that a bill knows, and some that it does not. */
public enum OperationKind {
  READ,
  /** Queries and lists, without scans. */
  QUERY,
  /** Queries that read whole partitions or more. */
  SCAN,
  INSERT,
  /** Changes of one thing. */
  WRITE,
  /** Transactions; each is one operation, whatever it changes. */
  BATCH,
  DELETE,
  /** Requests for messages. */
  TAKE;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the operations of this kind. */
  long of(SpaceLoad load) {
    long scans = Math.min(load.count(Tally.SCAN_RUNS), load.count(Tally.of(OperationClass.QUERY)));
    return switch (this) {
      case READ -> load.count(Tally.of(OperationClass.READ));
      case QUERY -> load.count(Tally.of(OperationClass.QUERY)) - scans;
      case SCAN -> scans;
      case INSERT -> load.count(Tally.of(OperationClass.INSERT));
      case WRITE -> load.count(Tally.of(OperationClass.WRITE));
      case BATCH -> load.count(Tally.of(OperationClass.BATCH));
      case DELETE -> load.count(Tally.of(OperationClass.DELETE));
      case TAKE -> load.count(Tally.of(OperationClass.TAKE));
    };
  }
}
