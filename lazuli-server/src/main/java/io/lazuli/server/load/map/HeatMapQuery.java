package io.lazuli.server.load.map;

/**
 * Asks for a heat map.
 *
 * @param account whose load
 * @param service {@code table}, {@code queue} or {@code blob}; empty for all
 * @param space the table, queue or container; empty for all
 * @param from in seconds since 1970
 * @param to in seconds since 1970, exclusive
 * @param rows the number of ranges at most
 * @param columns the number of periods at most
 */
public record HeatMapQuery(
    String account,
    String service,
    String space,
    long from,
    long to,
    Metric metric,
    Side side,
    int rows,
    int columns) {
  /** The rows and columns of an answer. */
  public static final int ROWS_MAX = 256;

  public static final int COLUMNS_MAX = 360;

  /** The quantity that a map shows. */
  public enum Metric {
    REQUESTS,
    ENTITIES,
    BYTES
  }

  /** Which requests are counted. */
  public enum Side {
    READS,
    WRITES,
    BOTH
  }

  public HeatMapQuery {
    if (to <= from
        || rows < 1
        || rows > ROWS_MAX
        || columns < 1
        || columns > COLUMNS_MAX
        || account.isEmpty()) {
      throw new IllegalArgumentException("the window or the size of the map is not possible");
    }
  }

  /** Returns a question about another quantity of the same window. */
  public HeatMapQuery of(Metric other, Side otherSide) {
    return new HeatMapQuery(account, service, space, from, to, other, otherSide, rows, columns);
  }
}
