package io.lazuli.client.pattern.log;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.ListBlobsOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the entries of a period from append blobs that are named by time, and can follow new
 * entries. The entries of one writer are returned in their order; those of several writers are
 * returned blob by blob. Immutable and thread-safe.
 */
public final class AsyncLogReader {
  private static final String SYSTEM_CONTAINER = "$logs";

  /**
   * How long a follower keeps looking for late entries: a buffering writer may store the entries of
   * an hour after that hour.
   */
  private static final Duration SETTLING = Duration.ofHours(1);

  /** How far a follower looks into the future: the clocks of writers may be ahead of ours. */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final BlobContainerAsyncClient container;
  private final LogNames names;
  private final LogFormat format;
  private final Clock clock;

  AsyncLogReader(BlobContainerAsyncClient container, String prefix, LogFormat format, Clock clock) {
    this.container = container;
    this.names = new LogNames(prefix);
    this.format = format;
    this.clock = clock;
  }

  /** Returns a reader for the entries of {@linkplain AsyncLogWriter writers} with this prefix. */
  public static AsyncLogReader of(BlobContainerAsyncClient container, String prefix) {
    return of(container, prefix, LogFormat.plain());
  }

  /** Returns a reader for lines of another format, in blobs that are named in the same way. */
  public static AsyncLogReader of(
      BlobContainerAsyncClient container, String prefix, LogFormat format) {
    return new AsyncLogReader(container, prefix, format, Clock.systemUTC());
  }

  /**
   * Returns a reader for the request log of an account. The log is empty if logging was never
   * enabled.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public static AsyncLogReader ofRequests(BlobServiceAsyncClient account, String service) {
    return of(
        account.getBlobContainerAsyncClient(SYSTEM_CONTAINER), service, LogFormat.requestLog());
  }

  /** Returns this reader with blocking calls. */
  public LogReader blocking() {
    return new LogReader(this);
  }

  /**
   * Returns the entries from one time, inclusive, to another, exclusive. Sends one listing for each
   * hour, where a whole day, month or year needs only one, and one request for each blob with
   * entries of that period.
   */
  public Flux<LogEntry> read(Instant from, Instant to) {
    return blobs(from, to.plus(format.lateMax()))
        .filter(blob -> overlaps(blob, from, to))
        .concatMap(blob -> entries(blob.getName(), 0, complete -> {}), 1)
        .filter(entry -> !entry.time().isBefore(from) && entry.time().isBefore(to));
  }

  /**
   * Returns the entries from a time on and then the new entries as they arrive, until the
   * subscription is cancelled. Each poll lists the current hour and the previous one, and downloads
   * each blob that has grown.
   *
   * @param every the pause between polls
   */
  public Flux<LogEntry> follow(Instant from, Duration every) {
    return Flux.defer(
        () -> {
          Following following = new Following(from);
          return Flux.defer(following::poll)
              .repeatWhen(polls -> polls.concatMap(poll -> Mono.delay(every)))
              .filter(entry -> !entry.time().isBefore(from));
        });
  }

  /** The progress of a follower. Used by one thread at a time. */
  private final class Following {
    private Instant from;
    private final Map<String, Long> seen = new HashMap<>();

    Following(Instant from) {
      this.from = from;
    }

    Flux<LogEntry> poll() {
      Instant now = clock.instant();
      Set<String> listed = new HashSet<>();
      return blobs(from, now.plus(AHEAD))
          .doOnNext(blob -> listed.add(blob.getName()))
          .filter(blob -> length(blob) > seen(blob.getName()))
          .concatMap(blob -> newEntries(blob.getName()), 1)
          .doOnComplete(() -> forget(listed, now));
    }

    private Flux<LogEntry> newEntries(String name) {
      long begin = seen(name);
      return entries(name, begin, complete -> seen.put(name, begin + complete));
    }

    private long seen(String name) {
      return seen.getOrDefault(name, 0L);
    }

    private void forget(Set<String> listed, Instant now) {
      seen.keySet().retainAll(listed);
      Instant settled = now.minus(SETTLING).minus(format.lateMax());
      from = from.isBefore(settled) ? settled : from;
    }
  }

  private Flux<BlobItem> blobs(Instant from, Instant to) {
    return Flux.fromIterable(names.covering(from, to))
        .concatMap(this::listed, 1)
        .onErrorResume(
            failure -> LogBlobs.isMissing(failure) && isSystemContainer(), never -> Flux.empty());
  }

  private boolean isSystemContainer() {
    return container.getBlobContainerName().equals(SYSTEM_CONTAINER);
  }

  private Flux<BlobItem> listed(String prefix) {
    return container.listBlobs(
        new ListBlobsOptions()
            .setPrefix(prefix)
            .setDetails(new BlobListDetails().setRetrieveMetadata(true)));
  }

  /**
   * Returns whether a blob may have entries of a period. Request logs have start and end times
   * truncated to the second, and their end time lags while the blob grows. No entry is later than
   * the last change of its blob.
   */
  private static boolean overlaps(BlobItem blob, Instant from, Instant to) {
    boolean beginsBefore =
        time(blob, LogBlobs.START_TIME).map(start -> start.isBefore(to)).orElse(true);
    boolean endsAfter =
        time(blob, LogBlobs.END_TIME)
            .map(end -> !end.plusSeconds(1).isBefore(from) || isChangedSince(blob, from))
            .orElse(true);
    return beginsBefore && endsAfter;
  }

  private static boolean isChangedSince(BlobItem blob, Instant time) {
    return !blob.getProperties().getLastModified().toInstant().plusSeconds(1).isBefore(time);
  }

  private static Optional<Instant> time(BlobItem blob, String name) {
    Map<String, String> metadata = Optional.ofNullable(blob.getMetadata()).orElse(Map.of());
    return metadata.entrySet().stream()
        .filter(entry -> entry.getKey().equalsIgnoreCase(name))
        .map(entry -> Instant.parse(entry.getValue()))
        .findFirst();
  }

  private static long length(BlobItem blob) {
    return Optional.ofNullable(blob.getProperties().getContentLength()).orElse(Long.MAX_VALUE);
  }

  /**
   * Returns the entries of a blob after a position: none if the blob was deleted or has not grown.
   */
  Flux<LogEntry> entries(String name, long begin, LongConsumer complete) {
    return Flux.defer(
        () -> {
          LogLines lines = new LogLines();
          return container
              .getBlobAsyncClient(name)
              .downloadStreamWithResponse(new BlobRange(begin), null, null, false)
              .flatMapMany(answer -> answer.getValue())
              .concatMapIterable(lines::add)
              .map(format::parse)
              .onErrorResume(
                  failure -> LogBlobs.isMissing(failure) || LogBlobs.isBeyondTheEnd(failure),
                  none -> Flux.empty())
              .doOnComplete(() -> complete.accept(lines.complete()));
        });
  }
}
