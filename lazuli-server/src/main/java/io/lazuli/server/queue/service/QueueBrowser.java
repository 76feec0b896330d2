package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.Futures;
import io.lazuli.server.queue.encoding.CountCodec;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads all messages of a queue for the console: visible, hidden and expired ones. It takes none:
 * dequeue counts and visibility stay as they are. It belongs to the server itself, so it checks no
 * access. A local engine reads on the calling thread.
 */
public final class QueueBrowser {
  /** How many rows are counted before a count becomes an estimate. */
  static final int COUNTED_MAX = 100_000;

  /** How long a count may take before it becomes an estimate. */
  private static final Duration COUNT_TIME_MAX = Duration.ofMillis(50);

  private static final int STEP_ROWS = 256;
  private static final int CLOCK_EVERY = 64;

  private final StorageEngine engine;
  private final Catalog catalog;
  private final QueueScan scan;

  public QueueBrowser(StorageEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
    this.scan = new QueueScan(engine);
  }

  /** Which messages are wanted. */
  public enum State {
    ALL,
    VISIBLE,
    HIDDEN,
    EXPIRED
  }

  /**
   * A page to read.
   *
   * @param contains a text that the message must contain; null for any
   * @param from the row at which the page begins; null for the first page
   */
  public record PageRequest(
      State state,
      @Nullable String contains,
      @Nullable Bytes from,
      int rows,
      long bytes,
      Duration time) {}

  /**
   * A page that was read.
   *
   * @param next the row at which the next page begins; null after the last page
   * @param now the engine's time, from which the states of messages follow
   */
  public record Page(List<QueueMessage> messages, @Nullable Bytes next, long scanned, long now) {}

  /** A number of messages, exact or at least that many. */
  public record Count(long n, boolean exact) {}

  /** The numbers of messages by their state. */
  public record Counts(Count visible, Count hidden, Count expired) {}

  /** Reads one page, in the order in which messages become visible or expire. */
  public CompletionStage<Page> page(
      String account, QueueName queue, PageRequest asked, Deadline deadline) {
    return onQueue(
        account,
        queue,
        deadline,
        space -> {
          PageReader reader = new PageReader(space, asked, deadline);
          return Futures.repeat(reader::step).thenApply(done -> reader.page());
        });
  }

  /** Reads a page in steps: rows first, then their messages. Mutable, for one page. */
  private final class PageReader {
    private final Space space;
    private final PageRequest asked;
    private final Deadline deadline;
    private final long now = engine.now();
    private final long endNanos;
    private final List<QueueMessage> messages = new ArrayList<>();
    private final Bytes end;
    private @Nullable Bytes from;
    private long scanned;
    private long bytes;

    PageReader(Space space, PageRequest asked, Deadline deadline) {
      this.space = space;
      this.asked = asked;
      this.deadline = deadline;
      this.endNanos = System.nanoTime() + asked.time.toNanos();
      Bytes given = asked.from;
      this.from = given == null ? start() : given;
      this.end =
          switch (asked.state) {
            case ALL, HIDDEN -> QueueRows.FIRST_EXPIRING;
            case VISIBLE -> QueueRows.visibleEnd(now);
            case EXPIRED -> QueueRows.expiringEnd(now);
          };
    }

    private Bytes start() {
      return switch (asked.state) {
        case ALL, VISIBLE -> QueueRows.FIRST_VISIBLE;
        case HIDDEN -> QueueRows.visibleEnd(now);
        case EXPIRED -> QueueRows.FIRST_EXPIRING;
      };
    }

    CompletableFuture<Boolean> step() {
      Bytes at = from;
      boolean over = System.nanoTime() - endNanos >= 0 && scanned > 0;
      if (at == null || over || messages.size() >= asked.rows || bytes >= asked.bytes) {
        return CompletableFuture.completedFuture(false);
      }
      int max = asked.contains == null ? Math.min(STEP_ROWS, asked.rows) : STEP_ROWS;
      return scan.rows(space, at, end, max, deadline)
          .thenCompose(
              rows ->
                  Futures.all(rows.stream().map(row -> find(space, row.id(), deadline)).toList())
                      .thenApply((List<@Nullable QueueMessage> found) -> take(rows, found, max)));
    }

    /** Takes the messages of a step. Returns whether there is more to read. */
    private boolean take(List<QueueScan.Found> rows, List<@Nullable QueueMessage> found, int max) {
      for (int i = 0; i < rows.size(); i++) {
        if (messages.size() >= asked.rows || bytes >= asked.bytes) {
          from = rows.get(i).row();
          return false;
        }
        scanned++;
        QueueMessage message = found.get(i);
        if (message != null && isWanted(message)) {
          messages.add(message);
          bytes += message.text().length;
        }
      }
      from = rows.size() < max ? null : rows.get(rows.size() - 1).row().successor();
      return from != null;
    }

    private boolean isWanted(QueueMessage message) {
      boolean state =
          switch (asked.state) {
            case ALL -> true;
            case VISIBLE -> message.isVisible(now);
            case HIDDEN -> !message.isVisible(now) && !message.isExpired(now);
            case EXPIRED -> message.isExpired(now);
          };
      String contains = asked.contains;
      return state
          && (contains == null
              || new String(message.text(), StandardCharsets.UTF_8).contains(contains));
    }

    Page page() {
      return new Page(messages, from, scanned, now);
    }
  }

  /** Counts messages by their state, in bounded time. */
  public CompletionStage<Counts> counts(String account, QueueName queue, Deadline deadline) {
    long now = engine.now();
    return onQueue(
        account,
        queue,
        deadline,
        space ->
            total(space, deadline)
                .thenCompose(
                    total ->
                        countRows(
                                space,
                                QueueRows.FIRST_EXPIRING,
                                QueueRows.expiringEnd(now),
                                deadline)
                            .thenCombine(
                                countRows(
                                    space,
                                    QueueRows.FIRST_VISIBLE,
                                    QueueRows.visibleEnd(now),
                                    deadline),
                                (expired, due) -> counts(total, expired, due))));
  }

  /** An expired message may be among those that are due; then hidden ones are fewer. */
  private static Counts counts(long total, Count expired, Count due) {
    boolean exact = expired.exact && due.exact;
    long visible = Math.max(0, due.n - expired.n);
    return new Counts(
        new Count(visible, due.exact && (expired.n == 0)),
        new Count(Math.max(0, total - visible - expired.n), exact && expired.n == 0),
        expired);
  }

  /** Returns the number of all stored messages, from sixteen rows. */
  public CompletionStage<Long> total(String account, QueueName queue, Deadline deadline) {
    return onQueue(account, queue, deadline, space -> total(space, deadline));
  }

  private CompletableFuture<Long> total(Space space, Deadline deadline) {
    long[] sum = new long[1];
    return engine
        .scan(
            space,
            List.of(range(QueueRows.FIRST_COUNT, QueueRows.COUNTS_END)),
            Direction.FORWARD,
            deadline,
            record -> {
              sum[0] += CountCodec.decode(record.value().copy());
              return Visit.CONTINUE;
            })
        .thenApply(done -> sum[0]);
  }

  private CompletableFuture<Count> countRows(
      Space space, Bytes from, Bytes end, Deadline deadline) {
    long endNanos = System.nanoTime() + COUNT_TIME_MAX.toNanos();
    long[] rows = new long[1];
    boolean[] cut = new boolean[1];
    return engine
        .scan(
            space,
            List.of(range(from, end)),
            Direction.FORWARD,
            deadline,
            record -> {
              boolean late =
                  rows[0] % CLOCK_EVERY == CLOCK_EVERY - 1 && System.nanoTime() - endNanos >= 0;
              if (rows[0] >= COUNTED_MAX || late) {
                cut[0] = true;
                return Visit.STOP;
              }
              rows[0]++;
              return Visit.CONTINUE;
            })
        .thenApply(done -> new Count(rows[0], !cut[0]));
  }

  /** Finds a message, whatever its state; null if there is none. */
  public CompletionStage<@Nullable QueueMessage> find(
      String account, QueueName queue, UUID id, Deadline deadline) {
    return onQueue(account, queue, deadline, space -> find(space, id, deadline));
  }

  /** Returns the engine's time. */
  public long now() {
    return engine.now();
  }

  private CompletableFuture<@Nullable QueueMessage> find(Space space, UUID id, Deadline deadline) {
    return engine
        .read(QueueRows.partition(space).row(QueueRows.message(id)), deadline)
        .thenApply(value -> value == null ? null : MessageCodec.decode(id, value));
  }

  private <R extends @Nullable Object> CompletionStage<R> onQueue(
      String account,
      QueueName queue,
      Deadline deadline,
      Function<Space, CompletableFuture<R>> work) {
    return StorageFailures.translatingStage(
        () ->
            catalog.onSpace(
                ServiceHome.ofQueues(account),
                queue.text(),
                deadline,
                QueueErrors.QUEUE_NOT_FOUND,
                entry -> work.apply(entry.space())));
  }

  private static KeyRange range(Bytes from, Bytes end) {
    return new KeyRange(new Position(Bytes.EMPTY, from), new Position(Bytes.EMPTY, end));
  }
}
