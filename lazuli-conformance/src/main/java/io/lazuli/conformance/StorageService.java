package io.lazuli.conformance;

import java.util.Locale;

/** The service that a case speaks to; a score card has one part for each. */
public enum StorageService {
  TABLE,
  QUEUE,
  BLOB;

  /** As users write it: {@code table}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As connection strings write it: {@code Table}. */
  public String title() {
    return name().charAt(0) + word().substring(1);
  }
}
