package io.lazuli.server.table.service;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.explain.Explanation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a {@link TableOperation}. */
public sealed interface TableOutcome {
  /**
   * A page of table names.
   *
   * @param next the key of the first table of the next page; null on the last page
   */
  record TablePage(List<String> names, @Nullable String next) implements TableOutcome {}

  /** The table exists under this name. */
  record TableFound(String name) implements TableOutcome {}

  /** The table was created. */
  record TableCreated(String name) implements TableOutcome {}

  record TableDeleted() implements TableOutcome {}

  record EntityFound(String table, StoredEntity entity) implements TableOutcome {}

  /**
   * A page of entities.
   *
   * @param next the first key of the next page; null on the last page
   */
  record EntityPage(
      String table, List<StoredEntity> entities, @Nullable NextKey next, QueryCost cost)
      implements TableOutcome {}

  /** A query was explained; nothing was read. */
  record Explained(Explanation explanation) implements TableOutcome {}

  /** All writes took place, in order. */
  record Written(String table, List<StoredEntity> entities) implements TableOutcome {}

  /**
   * No write took place.
   *
   * @param index the index of the write that was refused
   * @param atCommit true if the stored data was the reason, false if the request itself was
   */
  record Refused(int index, ServiceException reason, boolean atCommit) implements TableOutcome {}

  /**
   * The key at which the next page begins.
   *
   * @param row null for the beginning of the partition
   */
  record NextKey(byte[] partition, byte @Nullable [] row) {}

  /**
   * The cost of a query.
   *
   * @param plan the kind of plan in words
   */
  record QueryCost(String plan, long entitiesRead) {}
}
