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
 * Reads the entries of a time from append blobs that are named by time, and follows those that
 * come. The entries of one writer come in their order; those of several writers come one blob after
 * the other. Immutable and thread-safe.
 */
public final class AsyncLogReader {
  private static final String SYSTEM_CONTAINER = "$logs";

  /** A writer that buffers may store the entries of an hour a little after it. */
  private static final Duration SETTLING = Duration.ofHours(1);

  /** The clocks of writers may be ahead of ours. */
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

  /** Reads what {@linkplain AsyncLogWriter writers} with this prefix wrote. */
  public static AsyncLogReader of(BlobContainerAsyncClient container, String prefix) {
    return of(container, prefix, LogFormat.plain());
  }

  /** Reads lines of another format in blobs that are named in the same way. */
  public static AsyncLogReader of(
      BlobContainerAsyncClient container, String prefix, LogFormat format) {
    return new AsyncLogReader(container, prefix, format, Clock.systemUTC());
  }

  /**
   * Reads the request log of an account. There are no entries as long as logging was never on.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public static AsyncLogReader ofRequests(BlobServiceAsyncClient account, String service) {
    return of(
        account.getBlobContainerAsyncClient(SYSTEM_CONTAINER), service, LogFormat.requestLog());
  }

  /** The same reader; calls wait. */
  public LogReader blocking() {
    return new LogReader(this);
  }

  /**
   * The entries from a time until before another: one request for each hour that is touched, whole
   * days, months and years counting as one, and one for each blob with entries of that time.
   */
  public Flux<LogEntry> read(Instant from, Instant to) {
    return blobs(from, to.plus(format.lateMax()))
        .filter(blob -> overlaps(blob, from, to))
        .concatMap(blob -> entries(blob.getName(), 0, complete -> {}), 1)
        .filter(entry -> !entry.time().isBefore(from) && entry.time().isBefore(to));
  }

  /**
   * The entries from a time on, and those that come, until it is cancelled: each time one request
   * for this hour and one for the last, and one for each blob that has grown.
   *
   * @param every how long to wait before looking again
   */
  public Flux<LogEntry> follow(Instant from, Duration every) {
    return Flux.defer(
        () -> {
          Following following = new Following(from);
          return Flux.defer(following::look)
              .repeatWhen(looks -> looks.concatMap(look -> Mono.delay(every)))
              .filter(entry -> !entry.time().isBefore(from));
        });
  }

  /** How far a follower has come. For one thread at a time. */
  private final class Following {
    private Instant from;
    private final Map<String, Long> seen = new HashMap<>();

    Following(Instant from) {
      this.from = from;
    }

    Flux<LogEntry> look() {
      Instant now = clock.instant();
      Set<String> listed = new HashSet<>();
      return blobs(from, now.plus(AHEAD))
          .doOnNext(blob -> listed.add(blob.getName()))
          .filter(blob -> length(blob) > seen(blob.getName()))
          .concatMap(blob -> news(blob.getName()), 1)
          .doOnComplete(() -> forget(listed, now));
    }

    private Flux<LogEntry> news(String name) {
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
   * Request logs have times cut to the second, and an end that is behind while the blob grows; no
   * entry is later than the last change of its blob.
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
   * The entries of a blob behind a position. A blob that was deleted has none, and so has one that
   * has not grown.
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
