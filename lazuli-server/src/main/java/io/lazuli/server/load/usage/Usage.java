package io.lazuli.server.load.usage;

import io.lazuli.server.load.count.SpaceName;
import java.util.List;

/**
 * The operations of an account over time.
 *
 * @param since the start of the first period that was counted, in seconds since 1970; 0 if none was
 * @param until the end of the last one
 * @param complete false if there was more to read than one answer reads
 */
public record Usage(List<Row> rows, long since, long until, boolean complete) {
  /** The tables, queues and containers of an answer; the others are summed by service. */
  public static final int SPACES_MAX = 32;

  /**
   * The operations of one kind.
   *
   * @param space without a name for the sum of those that are not named
   * @param operations by period; nobody may write to it
   */
  public record Row(SpaceName space, OperationKind kind, long[] operations) {}

  public Usage {
    rows = List.copyOf(rows);
  }
}
