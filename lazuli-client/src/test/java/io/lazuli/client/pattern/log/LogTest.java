package io.lazuli.client.pattern.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.options.AppendBlobAppendBlockOptions;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.TestClock;
import io.lazuli.client.fault.BlockingThreads;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class LogTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Instant EVENING = Instant.parse("2026-07-31T17:59:59.5Z");

  /** The day of the evening. A reader lists a whole day with one request. */
  private static final Instant BEGIN = Instant.parse("2026-07-31T00:00:00Z");

  private static final Instant END = Instant.parse("2026-08-01T00:00:00Z");
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String container = client.newContainer();
  private final TestClock clock = new TestClock(EVENING);

  private LogWriter writer(LogOptions options) {
    return writer(client.container(container), options);
  }

  private LogWriter writer(BlobContainerAsyncClient blobs, LogOptions options) {
    return new AsyncLogWriter(blobs, "app/web", options, clock).blocking();
  }

  private List<String> stored(Instant from, Instant to) {
    return stored(container, client, from, to);
  }

  private static List<String> stored(
      String container, TestClient client, Instant from, Instant to) {
    try (var entries =
        AsyncLogReader.of(client.container(container), "app/web").blocking().read(from, to)) {
      return entries.map(LogEntry::text).toList();
    }
  }

  private Map<String, BlobItem> blobs() {
    return client
        .container(container)
        .listBlobs()
        .collectMap(BlobItem::getName)
        .blockOptional()
        .orElseThrow();
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  @Test
  void entriesWithAnyTextAreReadInOrder() {
    List<String> texts =
        List.of(
            "",
            " ",
            "two\nlines\r\n",
            "\\n is no \n",
            "\\",
            "Ä \uD83D\uDE00 ;",
            "x".repeat(70_000));
    try (LogWriter log = writer(LogOptions.atOnce())) {
      texts.forEach(log::append);
    }
    assertThat(stored(BEGIN, END)).isEqualTo(texts);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void anUnbufferedWriterSendsOneRequestForEachEntry() {
    LogWriter log = writer(LogOptions.atOnce());
    assertThat(client.count(() -> log.append("first"))).isEqualTo(3);
    assertThat(client.count(() -> log.append("second"))).isEqualTo(1);
    assertThat(stored(BEGIN, END)).containsExactly("first", "second");
    assertThat(client.count(log::close)).isEqualTo(1);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aBufferingWriterSendsOneRequestForEachFlush() {
    LogWriter log = writer(LogOptions.buffered(AN_HOUR, 1 << 20));
    assertThat(client.count(() -> numbered(1_000).forEach(log::append))).isZero();
    assertThat(client.count(log::flush)).isEqualTo(3);
    assertThat(client.count(log::flush)).isZero();
    int requests =
        client.count(
            () -> {
              log.append("1000");
              log.close();
            });
    assertThat(requests).as("a block, and the end in the metadata").isEqualTo(2);
    assertThat(stored(BEGIN, END)).isEqualTo(numbered(1_001));
    assertThatThrownBy(() -> log.append("late")).hasMessageContaining("closed");
  }

  @Test
  void aBufferIsSentWhenItIsLarge() {
    LogWriter log = writer(LogOptions.buffered(AN_HOUR, 1_000));
    log.append("x".repeat(900));
    log.append("y".repeat(900));
    Awaitility.await().until(() -> stored(BEGIN, END).size() == 2);
    log.close();
  }

  @Test
  void aBufferIsSentWhenItIsOld() {
    LogWriter log = writer(LogOptions.buffered(Duration.ofMillis(20), 1_000_000));
    log.append("a");
    Awaitility.await().until(() -> stored(BEGIN, END).equals(List.of("a")));
    log.append("b");
    Awaitility.await().until(() -> stored(BEGIN, END).equals(List.of("a", "b")));
    log.close();
  }

  @Test
  void entriesAreInTheBlobOfTheirHour() {
    LogWriter log = writer(LogOptions.buffered(AN_HOUR, 1 << 20));
    log.append("before");
    clock.set(Instant.parse("2026-07-31T18:00:00Z"));
    log.append("at");
    clock.set(Instant.parse("2026-07-31T18:30:00Z"));
    log.append("after");
    log.close();
    assertThat(blobs())
        .containsOnlyKeys(
            "app/web/2026/07/31/1700/000000.log", "app/web/2026/07/31/1800/000000.log");
    assertThat(stored(BEGIN, END)).containsExactly("before", "at", "after");
    assertThat(stored(EVENING, Instant.parse("2026-07-31T18:30:00Z")))
        .containsExactly("before", "at");
    assertThat(stored(EVENING.plusNanos(1), END)).containsExactly("at", "after");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void onlyBlobsOfTheTimeAreRead() {
    try (LogWriter log = writer(LogOptions.atOnce())) {
      log.append("early");
      clock.set(Instant.parse("2026-07-31T18:10:00Z"));
      log.append("middle");
    }
    clock.set(Instant.parse("2026-07-31T18:40:00Z"));
    try (LogWriter log = writer(LogOptions.atOnce())) {
      log.append("late");
    }
    Instant half = Instant.parse("2026-07-31T18:30:00Z");
    assertThat(client.count(() -> stored(EVENING, half))).as("2 hours, 2 blobs").isEqualTo(4);
    Instant farAway = Instant.parse("2100-01-01T00:00:00Z");
    assertThat(client.count(() -> stored(Instant.parse("2026-07-31T19:00:00Z"), farAway)))
        .as("5 hours, 5 months, 73 years, no blob")
        .isEqualTo(5 + 5 + 73);
  }

  @Test
  @NotRehearsed("counts blobs, and a blob whose creation was not answered stays empty")
  void blobsAreFollowedByOthersWhenTheyAreFull() {
    try (LogWriter log = writer(LogOptions.atOnce().withBlobMax(1 << 20, 2))) {
      numbered(5).forEach(log::append);
    }
    assertThat(blobs()).hasSize(3);
    assertThat(stored(BEGIN, END)).isEqualTo(numbered(5));
    try (LogWriter log = writer(LogOptions.atOnce().withBlobMax(100, 50_000))) {
      numbered(5).forEach(log::append);
    }
    assertThat(blobs()).hasSize(3 + 2);
  }

  @Test
  void theMetadataOfABlobHasItsPeriod() {
    LogWriter log = writer(LogOptions.atOnce());
    log.append("a");
    Map<String, String> open = metadata();
    assertThat(open).containsValue(EVENING.toString()).hasSize(1);
    clock.set(EVENING.plusMillis(100));
    log.append("b");
    log.close();
    assertThat(metadata().values())
        .containsExactlyInAnyOrder(EVENING.toString(), EVENING.plusMillis(100).toString());
  }

  private Map<String, String> metadata() {
    return client
        .container(container)
        .getBlobAsyncClient("app/web/2026/07/31/1700/000000.log")
        .getProperties()
        .map(properties -> properties.getMetadata())
        .blockOptional()
        .orElseThrow();
  }

  @Test
  void concurrentWritersHaveTheirOwnBlobsAndLoseNothing() {
    int writers = 4;
    Flux.range(0, writers)
        .flatMap(
            number -> {
              AsyncLogWriter log = writer(LogOptions.atOnce()).async();
              return Flux.range(0, 50)
                  .flatMap(i -> log.append(number + " line " + i + "\n"), 8)
                  .then(log.close());
            })
        .blockLast();
    assertThat(blobs()).hasSize(writers);
    List<String> lines = stored(BEGIN, END);
    assertThat(lines).hasSize(writers * 50).doesNotHaveDuplicates();
    assertThat(lines).allMatch(line -> line.matches("\\d line \\d+\n"));
  }

  @Test
  void aWriterMayDieAnywhere() {
    Map<String, List<String>> acknowledged = new ConcurrentHashMap<>();
    int requests =
        Faults.in(ACCOUNT, TestClient::newContainer)
            .forEveryCut(
                (here, mortal) -> {
                  List<String> done = acknowledged.computeIfAbsent(here, name -> new ArrayList<>());
                  LogWriter log =
                      writer(mortal.container(here), LogOptions.atOnce().withBlobMax(1 << 20, 2));
                  for (String text : numbered(3)) {
                    log.append(text);
                    done.add(text);
                  }
                  log.close();
                },
                (here, live) -> {},
                (here, live) -> {
                  List<String> done = acknowledged.getOrDefault(here, List.of());
                  List<String> there = stored(here, live, BEGIN, END);
                  assertThat(there).hasSizeBetween(done.size(), done.size() + 1);
                  assertThat(there.subList(0, done.size())).isEqualTo(done);
                });
    assertThat(requests).as("3 lines, 2 blobs").isEqualTo(3 + 2 * 3);
  }

  /** A network that loses some requests or responses. */
  private record Lossy(IntPredicate requests, IntPredicate answers, AtomicInteger number)
      implements HttpPipelinePolicy {
    Lossy(IntPredicate requests, IntPredicate answers) {
      this(requests, answers, new AtomicInteger());
    }

    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      int n = number.incrementAndGet();
      if (requests.test(n)) {
        return Mono.error(new IOException("lost request"));
      }
      return answers.test(n) ? next.process().flatMap(Lossy::lost) : next.process();
    }

    private static Mono<HttpResponse> lost(HttpResponse answer) {
      return answer.getBodyAsByteArray().then(Mono.error(() -> new IOException("lost answer")));
    }

    BlobContainerAsyncClient container(String name, int tries) {
      return new BlobServiceClientBuilder()
          .httpClient(TestAccount.HTTP)
          .connectionString(ACCOUNT.connectionString())
          .retryOptions(
              new RequestRetryOptions(
                  RetryPolicyType.FIXED,
                  tries,
                  Duration.ofSeconds(60),
                  Duration.ofMillis(1),
                  Duration.ofMillis(1),
                  null))
          .addPolicy(this)
          .buildAsyncClient()
          .getBlobContainerAsyncClient(name);
    }
  }

  @Test
  @NotRehearsed("some of its clients do not retry")
  void noLineIsStoredTwiceWhateverIsLost() {
    LogOptions small = LogOptions.atOnce().withBlobMax(1 << 20, 2);
    Flux.range(1, 8)
        .flatMap(n -> Flux.just(n, -n))
        .flatMap(
            n ->
                Mono.fromRunnable(
                        () -> {
                          String here = client.newContainer();
                          Lossy lossy = new Lossy(i -> i == n, i -> i == -n);
                          int tries = n % 2 == 0 ? 1 : 3;
                          LogWriter log = writer(lossy.container(here, tries), small);
                          numbered(3).forEach(log::append);
                          log.close();
                          assertThat(stored(here, client, BEGIN, END))
                              .as("lost " + n)
                              .isEqualTo(numbered(3));
                        })
                    .subscribeOn(BlockingThreads.get()),
            4)
        .blockLast();
  }

  @Test
  @NotRehearsed("its client does not retry")
  void aBufferIsKeptUntilTheServiceIsBack() {
    AtomicInteger down = new AtomicInteger(1);
    Lossy lossy = new Lossy(n -> down.get() == 1, n -> down.get() == 2);
    LogOptions options = LogOptions.buffered(Duration.ofMillis(10), 100).withBufferBytesMax(2_000);
    LogWriter log = writer(lossy.container(container, 1), options);
    List<String> accepted = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                log.append("line " + accepted.size());
                accepted.add("line " + accepted.size());
              }
            })
        .hasMessageContaining("lost request");
    assertThat(accepted).hasSizeGreaterThan(20);
    down.set(0);
    log.flush();
    assertThat(stored(BEGIN, END)).isEqualTo(accepted);
    down.set(2);
    log.append("answered too late");
    assertThatThrownBy(log::flush).hasMessageContaining("lost answer");
    accepted.add("answered too late");
    down.set(0);
    log.close();
    assertThat(stored(BEGIN, END)).isEqualTo(accepted);
  }

  @Test
  void aWriterContinuesInAnotherBlobIfItsBlobIsDeletedOrChanged() {
    LogWriter log = writer(LogOptions.atOnce());
    log.append("deleted");
    BlobContainerAsyncClient here = client.container(container);
    here.getBlobAsyncClient("app/web/2026/07/31/1700/000000.log").delete().block();
    log.append("a");
    String second = blobs().keySet().iterator().next();
    here.getBlobAsyncClient(second)
        .getAppendBlobAsyncClient()
        .appendBlockWithResponse(
            new AppendBlobAppendBlockOptions(BinaryData.fromString(EVENING + " foreign\n")))
        .block();
    log.append("b");
    log.close();
    assertThat(stored(BEGIN, END)).containsExactly("a", "foreign", "b");
    assertThat(blobs()).hasSize(2);
  }

  @Test
  void aWriterDoesNotCreateBlobsEndlesslyIfAppendsFail() {
    HttpPipelinePolicy sealing =
        (context, next) ->
            next.process()
                .flatMap(
                    answer ->
                        answer.getStatusCode() == 201 && isCreation(context)
                            ? seal(context).thenReturn(answer)
                            : Mono.just(answer));
    LogWriter log =
        writer(ACCOUNT.blobs(sealing).getBlobContainerAsyncClient(container), LogOptions.atOnce());
    assertThatThrownBy(() -> log.append("a")).hasMessageContaining("no line can be appended");
    assertThat(blobs()).hasSizeBetween(1, 4);
  }

  private static boolean isCreation(HttpPipelineCallContext context) {
    return context.getHttpRequest().getUrl().getQuery() == null;
  }

  private Mono<Void> seal(HttpPipelineCallContext context) {
    String path = URI.create(context.getHttpRequest().getUrl().toString()).getPath();
    String name = path.substring(path.indexOf("app/web"));
    return client.container(container).getBlobAsyncClient(name).getAppendBlobAsyncClient().seal();
  }

  @Test
  void aFollowerSeesNewEntriesOnce() {
    LogWriter first = writer(LogOptions.atOnce());
    first.append("a");
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    AsyncLogReader reader =
        new AsyncLogReader(client.container(container), "app/web", LogFormat.plain(), clock);
    Disposable following =
        reader.follow(EVENING, Duration.ofMillis(10)).map(LogEntry::text).subscribe(seen::add);
    Awaitility.await().until(() -> List.copyOf(seen).equals(List.of("a")));
    first.append("b");
    Awaitility.await().until(() -> List.copyOf(seen).equals(List.of("a", "b")));
    writer(LogOptions.atOnce()).append("c");
    Awaitility.await().until(() -> List.copyOf(seen).equals(List.of("a", "b", "c")));
    clock.set(EVENING.plus(AN_HOUR));
    first.append("d");
    Awaitility.await().until(() -> List.copyOf(seen).equals(List.of("a", "b", "c", "d")));
    following.dispose();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aPollCostsOneRequestAndOneForEachBlobThatHasGrown() {
    clock.set(Instant.parse("2026-07-31T17:30:00Z"));
    writer(LogOptions.atOnce()).append("a");
    AsyncLogReader reader =
        new AsyncLogReader(client.container(container), "app/web", LogFormat.plain(), clock);
    assertThat(client.count(() -> reader.follow(clock.instant(), AN_HOUR).take(1).blockLast()))
        .isEqualTo(2);
  }

  @Test
  void anUnchangedOrMissingBlobHasNoNewEntries() {
    try (LogWriter log = writer(LogOptions.atOnce())) {
      log.append("a");
    }
    AsyncLogReader reader = AsyncLogReader.of(client.container(container), "app/web");
    String name = blobs().keySet().iterator().next();
    long length = blobs().get(name).getProperties().getContentLength();
    assertThat(reader.entries(name, length, end -> {}).collectList().block()).isEmpty();
    assertThat(reader.entries("gone", 0, end -> {}).collectList().block()).isEmpty();
    assertThat(reader.entries(name, 0, end -> assertThat(end).isEqualTo(length)).count().block())
        .isEqualTo(1);
  }

  @Test
  void theCodeOfThePageWorks() {
    BlobContainerAsyncClient container = client.container(this.container);
    Instant from = Instant.now().minusSeconds(1);
    Instant to = from.plusSeconds(600);
    List<LogEntry> found;
    // snippet
    LogOptions buffered = LogOptions.buffered(Duration.ofSeconds(1), 256 << 10); // or atOnce()
    try (LogWriter log = AsyncLogWriter.of(container, "shop", buffered).blocking()) {
      log.append("employee 000123 logged in");
    }

    try (Stream<LogEntry> entries =
        AsyncLogReader.of(container, "shop").blocking().read(from, to)) {
      found = entries.toList();
    }
    // end
    assertThat(found).extracting(LogEntry::text).containsExactly("employee 000123 logged in");
  }

  @Test
  void foreignLinesAreReportedNotSkipped() {
    assertThatThrownBy(() -> LogFormat.plain().parse("yesterday it rained"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("yesterday it rained");
    assertThatThrownBy(() -> LogFormat.requestLog().parse("1.0;x;y"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Set.of("/a", "a/", ""))
        .allSatisfy(
            prefix ->
                assertThatThrownBy(() -> AsyncLogReader.of(client.container(container), prefix))
                    .isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  void theErrorOfOneCallerDoesNotStopTheWriter() {
    AsyncLogWriter writer =
        new AsyncLogWriter(client.container(container), "app/web", LogOptions.atOnce(), clock);
    Mono<Void> overflow =
        Mono.fromRunnable(
            () -> {
              throw new StackOverflowError("of a caller");
            });
    writer.append("a").then(overflow).subscribe();
    writer.append("b").block(Duration.ofSeconds(20));
    writer.close().block(Duration.ofSeconds(20));
    assertThat(stored(BEGIN, END)).containsExactly("a", "b");
  }
}
