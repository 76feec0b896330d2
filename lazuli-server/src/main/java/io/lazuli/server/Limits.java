package io.lazuli.server;

import java.time.Duration;

/**
 * Every bound of the server outside the storage engine, with the protocol's number beside it where
 * there is one.
 */
public final class Limits {
  /** A request body; the protocol's limit for a batch, and more than any entity needs. */
  public static final int TABLE_BODY_BYTES_MAX = 4 << 20;

  /** The body of one blob; the protocol's number. */
  public static final long BLOB_BODY_BYTES_MAX = 5_000L << 20;

  /**
   * A blob's body brings a MiB in this time, or its rest, or is given up; the protocol's number.
   * The protocol gives readers two minutes: that is {@link #IDLE_TIMEOUT}, as a file is sent in
   * parts of a MiB.
   */
  public static final Duration BLOB_MIB_TIME_MAX = Duration.ofMinutes(10);

  /** A request body: a message of 64 KiB of which every character is written as an entity. */
  public static final int QUEUE_BODY_BYTES_MAX = 512 << 10;

  /** All request bodies that one service holds at a time. */
  public static final long HELD_BODY_BYTES_MAX = 128L << 20;

  /** The request line; the protocol names no number, table-rest.md 5.4 asks for this one. */
  public static final int TARGET_BYTES_MAX = 128 << 10;

  /** All headers of a request; no number in the protocol. */
  public static final int HEADER_BYTES_MAX = 64 << 10;

  /** Open connections per listener. */
  public static final int CONNECTIONS_MAX = 10_000;

  /** What any request may take; the protocol's number. */
  public static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(30);

  /** Longer than any request may take: 30 s in the protocol. */
  public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

  /** Threads that run requests; some may wait for the disk. */
  public static final int WORKER_THREADS =
      Math.max(8, 2 * Runtime.getRuntime().availableProcessors());

  /** Requests that wait for a worker; one more is answered with 503. */
  public static final int WORKER_QUEUE_MAX = 4_096;

  /**
   * Threads that run partition and table scans: half of the cores, so that the other half is left
   * for everybody else.
   */
  public static final int SCAN_THREADS =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  /** Scans that wait for a thread; one more is answered with 503. */
  public static final int SCAN_QUEUE_MAX = 256;

  /** What a query's page may take before it ends with a continuation; the protocol's number. */
  public static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);

  /** How long requests may run on when the server stops. */
  public static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private Limits() {}
}
