package io.lazuli.server.event;

import org.jspecify.annotations.Nullable;

/**
 * The stored things that a request is about. It refers to texts that the request has anyway, so
 * that it costs one small object. Keys may be private, so {@link #toString} omits them.
 *
 * @param resource the table, queue or container, as the client wrote it
 * @param partition the PartitionKey or the name of the blob; of a query, the key at which it
 *     begins; empty if there is none
 * @param row the RowKey; null if the request is not about one entity
 * @param writes the number of entities that the request writes
 * @param inserts how many of them need not exist before
 * @param worn the number of messages that were handed out too often
 * @param query null if the request is not a query
 */
public record KeyUse(
    String resource,
    String partition,
    @Nullable String row,
    int writes,
    int inserts,
    int worn,
    @Nullable QueryShape query) {
  /** Returns the use of a resource as a whole. */
  public static KeyUse of(String resource) {
    return new KeyUse(resource, "", null, 0, 0, 0, null);
  }

  /** Returns the use of one thing, which is read. */
  public static KeyUse of(String resource, String partition, @Nullable String row) {
    return new KeyUse(resource, partition, row, 0, 0, 0, null);
  }

  /** Returns the use of a resource by a query. */
  public static KeyUse ofQuery(String resource, String partition, QueryShape query) {
    return new KeyUse(resource, partition, null, 0, 0, 0, query);
  }

  @Override
  public String toString() {
    return "KeyUse[" + resource + ", " + writes + " writes]";
  }
}
