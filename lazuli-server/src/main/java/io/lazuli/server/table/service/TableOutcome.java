package io.lazuli.server.table.service;

import io.lazuli.server.error.ServiceException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a {@link TableOperation}. */
public sealed interface TableOutcome {
  /**
   * A page of table names.
   *
   * @param next key of the first table of the next page; null behind the last
   */
  record TablePage(List<String> names, @Nullable String next) implements TableOutcome {}

  /** The table is there, under this name. */
  record TableFound(String name) implements TableOutcome {}

  /** It was not there and is now. */
  record TableCreated(String name) implements TableOutcome {}

  record TableDeleted() implements TableOutcome {}

  record EntityFound(String table, StoredEntity entity) implements TableOutcome {}

  /**
   * A page of entities.
   *
   * @param next first key of the next page; null behind the last
   */
  record EntityPage(
      String table, List<StoredEntity> entities, @Nullable NextKey next, QueryCost cost)
      implements TableOutcome {}

  /** All writes took place, in order. */
  record Written(String table, List<StoredEntity> entities) implements TableOutcome {}

  /**
   * No write took place.
   *
   * @param index of the write that was refused
   * @param atCommit true if it was refused for what is stored, not for what was sent
   */
  record Refused(int index, ServiceException reason, boolean atCommit) implements TableOutcome {}

  /**
   * Where the next page begins.
   *
   * @param row null for the beginning of the partition
   */
  record NextKey(byte[] partition, byte @Nullable [] row) {}

  /**
   * What a query did.
   *
   * @param plan the kind of plan in words
   */
  record QueryCost(String plan, long entitiesRead) {}
}
