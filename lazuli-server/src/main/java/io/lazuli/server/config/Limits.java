package io.lazuli.server.config;

import java.time.Duration;

/**
 * Every bound of the server outside the storage engine, with the protocol's number beside it where
 * there is one.
 */
public final class Limits {
  /** A request body; the protocol's limit for a batch, and more than any entity needs. */
  public static final int TABLE_BODY_BYTES_MAX = 4 << 20;

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

  /** An unwanted body is thrown away up to so much before the connection is closed instead. */
  public static final long DISCARDED_BODY_BYTES_MAX = 8L << 20;

  /** And for so long. */
  public static final Duration DISCARD_TIME_MAX = Duration.ofSeconds(5);

  /** A longer {@code x-ms-client-request-id} is not sent back; the protocol's number. */
  public static final int CLIENT_REQUEST_ID_CHARS_MAX = 1_024;

  /** Open connections per listener. */
  public static final int CONNECTIONS_MAX = 10_000;

  /** The head of a request must be there so long after it began. */
  public static final Duration HEAD_TIME_MAX = Duration.ofSeconds(20);

  /** The body of a request must be there so long after its head: what any request may take. */
  public static final Duration BODY_TIME_MAX = Duration.ofSeconds(30);

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

  /** Threads on which the content of blobs passes; most of them wait for the disk. */
  public static final int CONTENT_THREADS = WORKER_THREADS;

  /** Pieces of content that wait for a thread; one more is answered with 503. */
  public static final int CONTENT_QUEUE_MAX = 4_096;

  /** Scans that wait for a thread; one more is answered with 503. */
  public static final int SCAN_QUEUE_MAX = 256;

  /** Questions about partitions that wait; they ask a whole cluster, one at a time. */
  public static final int PARTITIONS_QUEUE_MAX = 16;

  /** What a query's page may take before it ends with a continuation; the protocol's number. */
  public static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);

  /** Partitions whose rate is watched, when partitions have a target. */
  public static final int WATCHED_PARTITIONS_MAX = 10_000;

  /** Accounts whose rate is watched, when accounts have a target. */
  public static final int WATCHED_ACCOUNTS_MAX = 10_000;

  /** How often the accounts file is looked at; a change is in force within twice this time. */
  public static final Duration ACCOUNTS_LOOK_PERIOD = Duration.ofSeconds(1);

  /** How often the files of the TLS certificate are looked at. */
  public static final Duration TLS_LOOK_PERIOD = Duration.ofSeconds(1);

  /** A TLS handshake must be over so long after connecting. */
  public static final Duration TLS_HANDSHAKE_TIME_MAX = Duration.ofSeconds(10);

  /** After this no request runs any more that an account sent before it was removed. */
  public static final Duration ACCOUNT_SETTLE_TIME = REQUEST_TIME_MAX.plusSeconds(5);

  /** A line of the request log waits so long at most; a crash loses what waits. */
  public static final Duration LOG_FLUSH_PERIOD = Duration.ofSeconds(1);

  /** Memory of the requests whose lines wait; lines that do not fit are dropped and counted. */
  public static final long LOG_QUEUE_BYTES_MAX = 32L << 20;

  /** How long requests may run on when the server stops. */
  public static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private Limits() {}
}
