package io.lazuli.conformance;

import java.util.Locale;

/** The service that a case tests. A score card has one table for each service. */
public enum StorageService {
  TABLE,
  QUEUE,
  BLOB;

  /** Returns the name as users write it: {@code table}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name as connection strings write it: {@code Table}. */
  public String title() {
    return name().charAt(0) + word().substring(1);
  }
}
