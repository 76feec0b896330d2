package io.lazuli.server.requestlog;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import io.lazuli.storage.work.WorkBoard;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes log blobs when their retention time is over. Its own thread visits all accounts once an
 * hour, on one of the servers of a store. Thread-safe.
 */
public final class LogSweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogSweeper.class);

  private static final Duration BETWEEN_ROUNDS = Duration.ofHours(1);
  private static final Duration FIRST_ROUND = Duration.ofMinutes(1);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_ACCOUNTS = Duration.ofMillis(5);
  private static final List<String> SERVICES = List.of("blob", "queue", "table");

  /** The retention time of the logs of each service. */
  @FunctionalInterface
  public interface Retention {
    /** Returns the number of days that the logs are kept; null to keep them forever. Blocks. */
    @Nullable Integer days(String account, String service);
  }

  private final LogBlobs blobs;
  private final Supplier<? extends Collection<String>> accounts;
  private final Retention retention;
  private final Clock clock;
  private final SharedWalk walk;
  private final BackgroundThread thread = new BackgroundThread("log-sweeper", LOG::warn);

  /**
   * @param accounts the accounts whose logs are swept
   */
  public LogSweeper(
      BlobService blobs,
      Supplier<? extends Collection<String>> accounts,
      Retention retention,
      WorkBoard board,
      Clock clock) {
    this.blobs = new LogBlobs(blobs);
    this.accounts = accounts;
    this.retention = retention;
    this.clock = clock;
    this.walk = board.walk("logs", 1, Pace.every(BETWEEN_ROUNDS));
  }

  /** Starts the thread. */
  public void start() {
    thread.repeat(
        FIRST_ROUND,
        AFTER_FAILURE,
        () -> walk.step(BETWEEN_ACCOUNTS, (shard, from, full) -> sweep(from)));
    thread.start();
  }

  /** Returns one line about a round that failed; empty if the last one succeeded. */
  public String trouble() {
    return thread.trouble();
  }

  /**
   * Visits one account.
   *
   * @param from the first account to visit
   * @return the account after it; null after the last one
   */
  @Nullable Bytes sweep(Bytes from) {
    NavigableSet<String> left =
        new TreeSet<>(accounts.get())
            .tailSet(new String(from.array(), StandardCharsets.UTF_8), true);
    String account = left.pollFirst();
    if (account != null) {
      for (String service : SERVICES) {
        Integer days = retention.days(account, service);
        if (days != null && !thread.isClosing()) {
          sweep(account, service, days);
        }
      }
    }
    return left.isEmpty() ? null : Bytes.of(left.first().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Deletes the old blobs of one service. The order of names is the order of time, so the search
   * ends at the first blob that is kept.
   */
  private void sweep(String account, String service, int days) {
    long firstKept = LogName.epochHour(clock.instant()) - 24L * days;
    String kept = LogName.prefix(service, firstKept);
    try {
      List<String> old;
      do {
        old =
            blobs.names(account, service + "/").stream()
                .takeWhile(name -> name.compareTo(kept) < 0)
                .toList();
        old.forEach(name -> blobs.delete(account, name));
      } while (!old.isEmpty() && !thread.isClosing());
    } catch (CompletionException e) {
      LOG.debug("old logs of account {} were not deleted; the next round tries again", account, e);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
