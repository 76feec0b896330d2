package io.lazuli.storage.hbase.call;

/** Threads that do the same kind of work; one machine that is away may hold a part of each crew. */
public enum WorkerKind {
  /** The engine's own, which run transactions. */
  TRANSACTIONS,
  /** Whoever calls the engine and waits for the answer. */
  CALLERS
}
