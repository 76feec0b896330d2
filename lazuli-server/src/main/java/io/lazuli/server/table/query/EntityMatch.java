package io.lazuli.server.table.query;

import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Visit;

/** Receives the entities that match a query, in order. */
@FunctionalInterface
public interface EntityMatch {
  /** Receives one entity. The record is lent: it is valid until this method returns. */
  Visit accept(LentRecord record);
}
