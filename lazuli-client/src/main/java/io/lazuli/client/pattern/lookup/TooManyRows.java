package io.lazuli.client.pattern.lookup;

/** A lookup table has more rows than its cache may contain. */
public final class TooManyRows extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooManyRows(String query, int rowsMax) {
    super(
        "the lookup table has more than %d rows (query: %s); it is too large for the cache"
            .formatted(rowsMax, query));
  }
}
