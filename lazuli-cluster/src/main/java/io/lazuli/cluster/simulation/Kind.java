package io.lazuli.cluster.simulation;

/** The operations of clients. */
enum Kind {
  /** A read of an entity by its key. */
  GET,
  /** An insert of an entity. */
  INSERT,
  /** A query that returns a page of {@link Costs#PAGE_ROWS} entities of a partition. */
  QUERY,
  /** A transaction that inserts {@link Costs#BATCH_ROWS} entities of a partition. */
  BATCH,
  /** A put of a message, or a get with its deletion: a share of a transaction on a queue. */
  QUEUE
}
