package io.lazuli.server.event;

/** The condition of a query. All methods take time, so no event loop calls them. */
public interface QueryShape {
  /** Returns the condition without its literals; empty if the query has none. */
  String text();

  /** Returns the condition with its literals, which may be private. */
  String example();

  /** Returns the number of partitions that the condition names; 0 if it does not name them. */
  int partitions();
}
