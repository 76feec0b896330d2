package io.lazuli.server.config;

import java.time.Duration;

/**
 * Every bound of the server outside the storage engine, with the protocol's number where there is
 * one.
 */
public final class Limits {
  /**
   * The maximum bytes of a request body of the table service: the protocol's limit for a batch, and
   * more than any entity needs.
   */
  public static final int TABLE_BODY_BYTES_MAX = 4 << 20;

  /**
   * The time in which one MiB of a blob's body, or its remainder, must arrive; a slower body is
   * aborted. The protocol has the same number. For downloads the protocol allows two minutes;
   * {@link #IDLE_TIMEOUT} enforces that, because a file is sent in parts of one MiB.
   */
  public static final Duration BLOB_MIB_TIME_MAX = Duration.ofMinutes(10);

  /**
   * The maximum bytes of a request body of the queue service: a message of 64 KiB in which every
   * character is an XML entity.
   */
  public static final int QUEUE_BODY_BYTES_MAX = 512 << 10;

  /**
   * The maximum bytes of request bodies that all services together hold at a time. {@link
   * MemoryPlan} may allow less.
   */
  public static final long HELD_BODY_BYTES_MAX = 128L << 20;

  /**
   * The maximum bytes of answers that all services together hold at a time: an eighth of the heap.
   */
  public static final long HELD_ANSWER_BYTES_MAX = MemoryPlan.ofThisProcess().answerBytesMax();

  /** The maximum bytes of answers about the server's health. */
  public static final long HELD_ADMIN_ANSWER_BYTES_MAX = 16L << 20;

  /** The time after which a client that takes nothing of its answer is disconnected. */
  public static final Duration ANSWER_STALL_TIME_MAX = Duration.ofSeconds(30);

  /**
   * The time in which a client must take what is held for it, while memory for answers is short.
   */
  public static final Duration SHORT_ANSWER_TIME_MAX = Duration.ofSeconds(10);

  /**
   * The maximum bytes of the request line. The protocol has no number; table-rest 5.4 requires this
   * one.
   */
  public static final int TARGET_BYTES_MAX = 128 << 10;

  /** The maximum bytes of all headers of a request. The protocol has no number. */
  public static final int HEADER_BYTES_MAX = 64 << 10;

  /** The maximum bytes of an unwanted body that are discarded before the connection is closed. */
  public static final long DISCARDED_BODY_BYTES_MAX = 8L << 20;

  /** The maximum time for discarding an unwanted body before the connection is closed. */
  public static final Duration DISCARD_TIME_MAX = Duration.ofSeconds(5);

  /**
   * The maximum length of an {@code x-ms-client-request-id}; a longer one is not returned. The
   * protocol has the same number.
   */
  public static final int CLIENT_REQUEST_ID_CHARS_MAX = 1_024;

  /**
   * The maximum number of headers of a request. Metadata of 8,192 characters can have 3,081 pairs:
   * 27 names of one character, 999 of two, 2,055 of three, and no values.
   */
  public static final int HEADER_LINES_MAX = 4_096;

  /** The maximum time for the head of a request, from its first byte. */
  public static final Duration HEAD_TIME_MAX = Duration.ofSeconds(20);

  /**
   * The maximum time for the body of a request, from the end of its head: as long as any request
   * may take.
   */
  public static final Duration BODY_TIME_MAX = Duration.ofSeconds(30);

  /** The maximum time that a request may take. The protocol has the same number. */
  public static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(30);

  /**
   * The time without any data after which a connection is closed. It is longer than any request may
   * take, which is 30 s in the protocol.
   */
  public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

  /** The number of threads that run requests. Some may wait for the disk. */
  public static final int WORKER_THREADS =
      Math.max(8, 2 * Runtime.getRuntime().availableProcessors());

  /**
   * The maximum number of requests that wait for a worker. Further requests are answered with 503.
   */
  public static final int WORKER_QUEUE_MAX = 4_096;

  /**
   * The number of threads that run partition and table scans: half of the cores, so that the other
   * half is left for other requests.
   */
  public static final int SCAN_THREADS =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  /**
   * The number of threads that read and write the content of blobs. Most of them wait for the disk.
   */
  public static final int CONTENT_THREADS = WORKER_THREADS;

  /**
   * The maximum number of pieces of content that wait for a thread. Further requests are answered
   * with 503.
   */
  public static final int CONTENT_QUEUE_MAX = 4_096;

  /**
   * The number of threads that list containers, blobs, blocks and queues: half of the cores, as for
   * scans. Anonymous callers may list public containers, so they must not fill the threads for
   * other requests.
   */
  public static final int LISTING_THREADS = SCAN_THREADS;

  /** The maximum number of listings that wait for a thread. Further ones are answered with 503. */
  public static final int LISTING_QUEUE_MAX = 256;

  /** The maximum number of scans that wait for a thread. Further scans are answered with 503. */
  public static final int SCAN_QUEUE_MAX = 256;

  /**
   * The maximum number of requests for {@code /partitions} and {@code /metrics} that wait. They run
   * one at a time, and may ask the whole cluster.
   */
  public static final int PARTITIONS_QUEUE_MAX = 16;

  /**
   * The maximum time for a page of a query before it ends with a continuation. The protocol has the
   * same number.
   */
  public static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);

  /** The maximum number of partitions whose rate is tracked, if partitions have a target. */
  public static final int WATCHED_PARTITIONS_MAX = 10_000;

  /** The maximum number of accounts whose rate is tracked, if accounts have a target. */
  public static final int WATCHED_ACCOUNTS_MAX = 10_000;

  /** The time between checks of the accounts file. A change takes effect within twice this time. */
  public static final Duration ACCOUNTS_CHECK_PERIOD = Duration.ofSeconds(1);

  /** The time between checks of the files of the TLS certificate. */
  public static final Duration TLS_CHECK_PERIOD = Duration.ofSeconds(1);

  /** The maximum time for a TLS handshake, from the start of the connection. */
  public static final Duration TLS_HANDSHAKE_TIME_MAX = Duration.ofSeconds(10);

  /**
   * The time after which no request still runs that was accepted before its account was removed.
   */
  public static final Duration ACCOUNT_SETTLE_TIME = REQUEST_TIME_MAX.plusSeconds(5);

  /** The maximum time that a line of the request log waits. A crash loses the waiting lines. */
  public static final Duration LOG_FLUSH_PERIOD = Duration.ofSeconds(1);

  /**
   * The maximum memory of requests whose log lines wait. Lines that do not fit are dropped and
   * counted. {@link MemoryPlan} may allow less.
   */
  public static final long LOG_QUEUE_BYTES_MAX = 32L << 20;

  /**
   * The maximum time that a stopping server still accepts connections. Its answers then say that
   * the connection will be closed. It ends earlier if there are no connections.
   */
  public static final Duration STOP_NOTICE = Duration.ofSeconds(1);

  /** The maximum time that requests may continue when the server stops. */
  public static final Duration STOP_WAIT = Duration.ofSeconds(10);

  /**
   * The maximum time that stopping takes in total. Kubernetes kills a process after 30 s, so the
   * server ends by itself before that.
   */
  public static final Duration STOP_TIME_MAX = Duration.ofSeconds(25);

  /**
   * The maximum number of calls to other servers, for sources of copies. Further copies get 503.
   */
  public static final int COPY_SOURCE_CALLS_MAX = 32;

  /** The maximum time to connect to the source of a copy on another server. */
  public static final Duration COPY_SOURCE_CONNECT_TIME_MAX = Duration.ofSeconds(10);

  /** The maximum time in which the source of a copy on another server sends nothing. */
  public static final Duration COPY_SOURCE_IDLE_TIME_MAX = Duration.ofSeconds(30);

  /** The maximum number of open connections to the admin port. */
  public static final int ADMIN_CONNECTIONS_MAX = 256;

  /** The maximum bytes of a request line, and of all headers, on the admin port. */
  public static final int ADMIN_HEAD_BYTES_MAX = 16 << 10;

  /** The maximum number of open connections to the port of the development identity. */
  public static final int IDENTITY_CONNECTIONS_MAX = 64;

  /** The maximum bytes of a form that asks the development identity for a token. */
  public static final int IDENTITY_FORM_BYTES_MAX = 32 << 10;

  /** The maximum bytes of the forms of the development identity at a time, and of its answers. */
  public static final long HELD_IDENTITY_BYTES_MAX = 2L << 20;

  /** The maximum number of requests for tokens in a second. Further ones get 429. */
  public static final int IDENTITY_RATE_MAX = 100;

  /** The maximum number of tokens that wait to be signed. */
  public static final int IDENTITY_QUEUE_MAX = 64;

  /** The maximum bytes of the arguments of a command. */
  public static final int COMMAND_BODY_BYTES_MAX = 64 << 10;

  /** The maximum bytes of the bodies of commands and of the console at a time. */
  public static final long HELD_COMMAND_BYTES_MAX = 6L << 20;

  /** The number of threads of the console. */
  public static final int CONSOLE_THREADS = 8;

  /** The maximum number of requests of the console that wait. Further ones get 503. */
  public static final int CONSOLE_QUEUE_MAX = 64;

  /** The maximum bytes of a JSON body of the console. */
  public static final int CONSOLE_BODY_BYTES_MAX = 4 << 20;

  /** The maximum number of commands that wait. They run one at a time. */
  public static final int COMMANDS_QUEUE_MAX = 16;

  private Limits() {}
}
