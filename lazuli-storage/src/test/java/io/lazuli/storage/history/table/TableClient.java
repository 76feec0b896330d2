package io.lazuli.storage.history.table;

import java.io.IOException;
import java.util.List;

/**
 * A client of a table service, for one thread. Every method throws if the answer was lost; the
 * request may then have taken effect. No method sends a request twice.
 */
public interface TableClient extends AutoCloseable {
  /** Creates a table, until it exists. */
  void create(String table);

  /** Sends one write alone. */
  Written write(String table, String partition, TableWrite write) throws IOException;

  /** Sends several writes as one transaction. */
  Written batch(String table, String partition, List<TableWrite> writes) throws IOException;

  /** Reads one row. */
  Shown get(String table, String partition, int row) throws IOException;

  /** Reads all rows of a partition as one page. */
  Shown page(String table, String partition) throws IOException;

  /**
   * The answer to a write.
   *
   * @param status of the write, or of the first write that was refused
   * @param etags one for each write, empty for a delete; none after a refusal
   */
  record Written(int status, List<String> etags) {}

  /**
   * The answer to a read.
   *
   * @param rows the rows that exist
   */
  record Shown(int status, List<Row> rows) {}

  /** A row of an answer. */
  record Row(int row, long cell, String etag) {}
}
