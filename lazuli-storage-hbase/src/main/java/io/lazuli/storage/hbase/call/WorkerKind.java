package io.lazuli.storage.hbase.call;

/**
 * The work of a thread. A region server that is away may hold a quarter of the threads of a kind.
 */
public enum WorkerKind {
  /** Threads of the engine that run transactions. */
  TRANSACTIONS,
  /** Threads that call the engine and wait for the answer. */
  CALLERS
}
