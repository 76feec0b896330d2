package io.lazuli.conformance;

import java.util.Locale;

/** The part of the service that a case speaks about; a score card has one line for each. */
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

  /** As users write it: {@code paging}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
