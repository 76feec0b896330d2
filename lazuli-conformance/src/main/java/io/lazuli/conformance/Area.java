package io.lazuli.conformance;

import java.util.Locale;

/** The part of a service that a case tests. A score card has one line for each area. */
public enum Area {
  OPERATIONS,
  TYPES,
  FILTERS,
  PAGING,
  CONCURRENCY,
  BATCH,
  LIMITS,
  ERRORS,
  ACCESS,
  CORS,
  ADDRESSING,
  DURABILITY;

  /** Returns the name as users write it: {@code paging}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
