package io.lazuli.server.table.query;

import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Visit;

/** Takes the entities that match a query, in order. */
@FunctionalInterface
public interface EntityMatch {
  /** The record is lent: it is valid until this method returns. */
  Visit accept(LentRecord record);
}
