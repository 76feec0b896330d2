package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.PendingCopy;
import io.lazuli.server.blob.encoding.PendingCopyCodec;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.ExternalSource;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.AbortCopy;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.DeleteContainer;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOperation.ReadProperties;
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.BlobFound;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.work.WorkBoard;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pending copies without a network: restarts, retries and two servers. */
class PendingCopiesTest {
  private static final PendingCopies.Times TIMES =
      new PendingCopies.Times(
          Duration.ofNanos(1),
          Duration.ofMinutes(5),
          Duration.ofNanos(1),
          Duration.ZERO,
          Duration.ofDays(14));

  private static final int SHARDS = 4;

  private final AtomicLong ticks = new AtomicLong(1_000_000_000L);
  private final AtomicInteger opened = new AtomicInteger();
  private final List<PendingCopies> started = new ArrayList<>();
  private @TempDir Path folder;
  private StorageEngine engine;
  private final List<WorkBoard> boards = new ArrayList<>();
  private BlobService service;

  @BeforeEach
  void open() {
    engine = BlobsUnderTest.engine("memory", folder, ticks::incrementAndGet);
    service = service(source -> content("hello"));
    run(new CreateContainer(BlobsUnderTest.CONTAINER, Map.of(), PublicAccess.NONE));
  }

  @AfterEach
  void close() {
    started.forEach(PendingCopies::close);
    boards.forEach(WorkBoard::close);
    engine.close();
  }

  private BlobService service(ExternalSources sources) {
    return new BlobService(
        engine,
        new Catalog(engine),
        UUID::randomUUID,
        new DeletedContainersTest.Days(7),
        ForkJoinPool.commonPool(),
        Duration.ZERO,
        source -> {
          opened.incrementAndGet();
          return sources.open(source);
        },
        TIMES);
  }

  private void start(BlobService begun) {
    started.add(begun.pendingCopies());
    WorkBoard board = new WorkBoard(engine, "test", (line, failure) -> {});
    boards.add(board);
    begun.pendingCopies().start(board);
    board.start();
  }

  private BlobOutcome run(BlobOperation operation) {
    return Futures.await(
        service.execute(operation, BlobsUnderTest.OWNER, Deadline.after(Duration.ofSeconds(30))));
  }

  private static CompletionStage<ExternalContent> content(String text) {
    return CompletableFuture.completedFuture(new Text(text));
  }

  private static CompletionStage<ExternalContent> failing(ServiceError error) {
    return CompletableFuture.failedFuture(error.exception());
  }

  /** Content that arrives one byte at a time. */
  private static final class Text implements ExternalContent {
    private final byte[] bytes;
    private int at;

    Text(String text) {
      this.bytes = text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public BlobType type() {
      return BlobType.BLOCK;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public HttpProperties http() {
      return HttpProperties.DEFAULT;
    }

    @Override
    public Map<String, String> metadata() {
      return Map.of("a", "1");
    }

    @Override
    public @Nullable String etag() {
      return "1";
    }

    @Override
    public CompletionStage<@Nullable ByteBuffer> read() {
      return CompletableFuture.completedFuture(
          at == bytes.length ? null : ByteBuffer.wrap(new byte[] {bytes[at++]}));
    }

    @Override
    public void close() {}
  }

  private static BlobAddress at(String name) {
    return new BlobAddress(BlobsUnderTest.CONTAINER, new BlobName(name));
  }

  private BlobProperties begin(String name) {
    return ((BlobChanged) run(copyTo(name))).properties();
  }

  private static CopyBlob copyTo(String name) {
    Source source =
        new Source(
            new ExternalSource("https://a.example/x?sig=1", null),
            Conditions.NONE,
            Conditions.Use.COPY_SOURCE,
            null,
            null);
    return new CopyBlob(
        at(name),
        source,
        "https://a.example/x?sig=",
        null,
        BlobTags.NONE,
        null,
        Immutability.NONE,
        RehydratePriority.STANDARD,
        null,
        false,
        ExpectedChecksums.NONE,
        new RequestTerms(Conditions.NONE, null));
  }

  private BlobProperties find(String name) {
    ReadProperties read =
        new ReadProperties(at(name), null, new RequestTerms(Conditions.NONE, null));
    return ((BlobFound) run(read)).properties();
  }

  private CopyProperties copy(String name) {
    return Objects.requireNonNull(find(name).copy());
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private Space space() {
    return Objects.requireNonNull(
            Futures.await(
                new Catalog(engine)
                    .find(
                        ServiceHome.ofContainers(BlobsUnderTest.OWNER.account()),
                        BlobsUnderTest.CONTAINER.text(),
                        Deadline.NEVER)))
        .space();
  }

  private int rows() {
    AtomicInteger rows = new AtomicInteger();
    Futures.await(
        engine.scan(
            space(),
            List.of(
                new KeyRange(
                    Position.startOf(IndexPartitions.COPIES),
                    Position.endOf(IndexPartitions.COPIES))),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              rows.incrementAndGet();
              return Visit.CONTINUE;
            }));
    return rows.get();
  }

  /** The first service never starts its thread: it was killed after it answered. */
  @Test
  void aCopyGoesOnAfterItsContainerWasRestored() {
    begin("a");
    run(new DeleteContainer(BlobsUnderTest.CONTAINER, RequestTerms.NONE));
    service = service(source -> content("hello"));
    start(service);
    run(new CreateContainer(BlobsUnderTest.CONTAINER, Map.of(), PublicAccess.NONE));
    begin("b");
    await(() -> copy("b").status() == CopyStatus.SUCCESS);
    run(new DeleteContainer(BlobsUnderTest.CONTAINER, RequestTerms.NONE));
    ContainerPage all = (ContainerPage) run(new ListContainers("", "", 9, false, true));
    String version = Objects.requireNonNull(all.containers().get(0).deletion()).version();
    run(new RestoreContainer(BlobsUnderTest.CONTAINER, "docs", version));
    await(() -> copy("a").status() == CopyStatus.SUCCESS);
    assertThat(find("a").content().length()).isEqualTo(5);
    await(() -> rows() == 0);
  }

  /** A copy that is under way when its container is deleted is complete when it is restored. */
  @Test
  void aCopyDoesNotStopWhileItsContainerIsDeleted() {
    begin("a");
    run(new DeleteContainer(BlobsUnderTest.CONTAINER, RequestTerms.NONE));
    start(service);
    await(() -> opened.get() == 2);
    ContainerPage all = (ContainerPage) run(new ListContainers("", "", 9, false, true));
    String version = Objects.requireNonNull(all.containers().get(0).deletion()).version();
    run(new RestoreContainer(BlobsUnderTest.CONTAINER, "docs", version));
    await(() -> copy("a").status() == CopyStatus.SUCCESS);
  }

  /** The first service never starts its thread: it was killed after it answered. */
  @Test
  void anotherRunFindsThePendingCopiesOfAKilledOne() {
    begin("a");
    begin("b");
    assertThat(copy("a").status()).isEqualTo(CopyStatus.PENDING);
    assertThat(rows()).isEqualTo(2);
    start(service(source -> content("hello")));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    await(() -> copy("b").status() != CopyStatus.PENDING);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.SUCCESS);
    assertThat(copy("a").progress()).isEqualTo("5/5");
    assertThat(find("b").content().length()).isEqualTo(5);
    await(() -> rows() == 0);
  }

  /** Half of the content, which goes to a chunk, and then nothing until it is closed. */
  private static final class Half implements ExternalContent {
    private final Text head = new Text("x".repeat(400_000));
    private final CompletableFuture<@Nullable ByteBuffer> rest = new CompletableFuture<>();
    private boolean sent;

    @Override
    public BlobType type() {
      return head.type();
    }

    @Override
    public long length() {
      return head.length();
    }

    @Override
    public HttpProperties http() {
      return head.http();
    }

    @Override
    public Map<String, String> metadata() {
      return head.metadata();
    }

    @Override
    public @Nullable String etag() {
      return head.etag();
    }

    @Override
    public CompletionStage<@Nullable ByteBuffer> read() {
      if (sent) {
        return rest;
      }
      sent = true;
      return CompletableFuture.completedFuture(ByteBuffer.wrap(new byte[200_000]));
    }

    @Override
    public void close() {
      rest.completeExceptionally(BlobErrors.COPY_SOURCE_UNREACHABLE.exception());
    }
  }

  /**
   * The transaction that ends the copy completes on the thread of the engine, which also removes
   * the chunk of the transfer. It must not wait for itself.
   */
  @Test
  void anAbortedTransferDoesNotStopTheEngine() {
    engine.close();
    engine = BlobsUnderTest.engine("rocksdb", folder.resolve("rocksdb"), ticks::incrementAndGet);
    Half[] half = new Half[1];
    service =
        service(
            source -> {
              half[0] = new Half();
              return CompletableFuture.completedFuture(half[0]);
            });
    run(new CreateContainer(BlobsUnderTest.CONTAINER, Map.of(), PublicAccess.NONE));
    start(service);
    UUID id = Objects.requireNonNull(begin("a").copy()).id();
    await(() -> opened.get() == 2 && half[0].sent);
    run(new AbortCopy(at("a"), id, null));
    assertThat(copy("a").status()).isEqualTo(CopyStatus.ABORTED);
    run(new CreateContainer(new ContainerName("other"), Map.of(), PublicAccess.NONE));
    await(() -> rows() == 0);
  }

  /** A run was killed after it wrote the row and before the blob became pending. */
  @Test
  void aRowWithoutAPendingBlobIsRemoved() {
    UUID id = UUID.randomUUID();
    PendingCopy copy = new PendingCopy(id, new BlobName("a"), "https://a.example/x", null, 5, 1, 1);
    boolean written =
        Futures.await(
            engine.transact(
                new Partition(space(), IndexPartitions.COPIES),
                List.of(),
                Deadline.NEVER,
                view -> {
                  view.put(PendingCopyCodec.row(id), PendingCopyCodec.encode(copy));
                  return true;
                }));
    assertThat(written).isTrue();
    assertThat(rows()).isEqualTo(1);
    start(service);
    await(() -> rows() == 0);
    assertThat(opened).hasValue(0);
  }

  @Test
  void theRowsOfCopiesAreNotBlobs() {
    begin("a");
    assertThat(PendingCopyCodec.decode(PendingCopyCodec.encode(pending())).toString())
        .doesNotContain("secret");
    assertThat(PendingCopyCodec.decode(PendingCopyCodec.encode(pending()))).isEqualTo(pending());
  }

  private static PendingCopy pending() {
    return new PendingCopy(
        new UUID(1, 2), new BlobName("a/ü"), "https://a.example/x?sig=secret", "1", 2, 3, 4);
  }

  @Test
  void twoServersMayWorkOnTheSameCopy() {
    begin("a");
    start(service(source -> content("hello")));
    start(service(source -> content("hello")));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    await(() -> rows() == 0);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.SUCCESS);
    assertThat(find("a").content().length()).isEqualTo(5);
  }

  /** An engine that changes blobs, and whose answer is late or gets lost. */
  private static final class LosesAnswers extends ForwardingEngine {
    private final AtomicInteger failures = new AtomicInteger();
    private volatile StorageException.@Nullable Kind failure;
    private volatile @Nullable CompletableFuture<@Nullable Void> late;

    LosesAnswers(StorageEngine engine) {
      super(engine);
    }

    @Override
    public <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      boolean isBlob =
          partition.space().kind() == SpaceKind.CONTAINER
              && !partition.name().equals(IndexPartitions.COPIES);
      StorageException.Kind kind = failure;
      CompletableFuture<@Nullable Void> until = late;
      if (!isBlob || (kind == null && until == null)) {
        return super.transact(partition, touch, deadline, body);
      } else if (kind == StorageException.Kind.UNAVAILABLE) {
        failures.incrementAndGet();
        return CompletableFuture.failedFuture(new StorageException(kind, "not done"));
      }
      return super.transact(partition, touch, deadline, body)
          .thenCompose(
              done ->
                  kind == null && until != null
                      ? until.thenApply(now -> done)
                      : CompletableFuture.failedFuture(
                          new StorageException(
                              StorageException.Kind.UNKNOWN_OUTCOME, "the answer is lost")));
    }
  }

  private LosesAnswers losesAnswers() {
    LosesAnswers loses = new LosesAnswers(engine);
    engine = loses;
    service = service(source -> content("hello"));
    return loses;
  }

  /** Stops what runs, in order, and starts another one, which finds no loss but what was noted. */
  private void restart() {
    started.forEach(PendingCopies::close);
    started.clear();
    boards.forEach(WorkBoard::close);
    boards.clear();
    service = service(source -> content("hello"));
    start(service);
  }

  /** Starts the first process and waits for its rounds, which find nothing. */
  private void startAndWait() {
    start(service);
    await(() -> rounds() == SHARDS);
  }

  private int rounds() {
    AtomicInteger rounds = new AtomicInteger();
    boards
        .get(0)
        .metrics(
            new MetricVisitor() {
              @Override
              public void counter(String name, String text, Number value, String... labels) {
                rounds.addAndGet(name.equals("lazuli_work_rounds") ? value.intValue() : 0);
              }

              @Override
              public void gauge(String name, String text, Number value, String... labels) {}

              @Override
              public void histogram(String name, String text, Histogram values, String... labels) {}
            });
    return rounds.get();
  }

  @Test
  void theNextProcessTakesUpACopyWhoseBeginIsNotKnown() {
    LosesAnswers loses = losesAnswers();
    startAndWait();
    loses.failure = StorageException.Kind.UNKNOWN_OUTCOME;
    assertThatThrownBy(() -> begin("a")).isNotNull();
    loses.failure = null;
    assertThat(copy("a").status()).isEqualTo(CopyStatus.PENDING);
    restart();
    await(() -> copy("a").status() == CopyStatus.SUCCESS);
  }

  @Test
  void theNextProcessTakesUpACopyWhoseFailureCouldNotBeStored() {
    LosesAnswers loses = losesAnswers();
    service =
        service(
            source -> {
              if (opened.get() == 1) {
                return content("hello");
              }
              loses.failure = StorageException.Kind.UNAVAILABLE;
              return failing(BlobErrors.COPY_SOURCE_NOT_FOUND);
            });
    startAndWait();
    begin("a");
    await(() -> loses.failures.get() > 0);
    // The workers then note that the copy is left.
    assertThat(ForkJoinPool.commonPool().awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
    loses.failure = null;
    assertThat(copy("a").status()).isEqualTo(CopyStatus.PENDING);
    restart();
    await(() -> copy("a").status() == CopyStatus.SUCCESS);
  }

  @Test
  void theNextProcessTakesUpACopyThatBeganDuringTheStop() {
    LosesAnswers loses = losesAnswers();
    startAndWait();
    CompletableFuture<@Nullable Void> late = new CompletableFuture<>();
    loses.late = late;
    CompletableFuture<BlobOutcome> begun =
        service
            .execute(copyTo("a"), BlobsUnderTest.OWNER, Deadline.after(Duration.ofMinutes(1)))
            .toCompletableFuture();
    await(() -> rows() == 1 && isThere("a"));
    started.forEach(PendingCopies::close);
    loses.late = null;
    late.complete(null);
    assertThat(Futures.await(begun)).isInstanceOf(BlobChanged.class);
    restart();
    await(() -> copy("a").status() == CopyStatus.SUCCESS);
  }

  private boolean isThere(String name) {
    try {
      return find(name).copy() != null;
    } catch (ServiceException e) {
      return false;
    }
  }

  @Test
  void aSourceThatCannotBeReachedIsTriedAgain() {
    begin("a");
    AtomicInteger left = new AtomicInteger(3);
    start(
        service(
            source ->
                left.getAndDecrement() > 0
                    ? failing(BlobErrors.COPY_SOURCE_UNREACHABLE)
                    : content("hello")));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.SUCCESS);
  }

  @Test
  void aCopyFailsAfterItsLastAttempt() {
    begin("a");
    opened.set(0);
    start(service(source -> failing(BlobErrors.COPY_SOURCE_UNREACHABLE)));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.FAILED);
    assertThat(opened).hasValue(8);
    assertThat(find("a").content().length()).isZero();
    assertThat(find("a").metadata()).containsEntry("a", "1");
    assertThat(find("a").optional().copyDescription()).startsWith("500 CannotVerifyCopySource");
    await(() -> rows() == 0);
  }

  @Test
  void aSourceThatRefusesIsNotTriedAgain() {
    begin("a");
    opened.set(0);
    start(service(source -> failing(BlobErrors.COPY_SOURCE_NOT_FOUND)));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.FAILED);
    assertThat(opened).hasValue(1);
  }

  @Test
  void aSourceOfAnotherLengthLetsTheCopyFail() {
    begin("a");
    start(service(source -> content("hello world")));
    await(() -> copy("a").status() != CopyStatus.PENDING);
    assertThat(copy("a").status()).isEqualTo(CopyStatus.FAILED);
    assertThat(find("a").optional().copyDescription()).startsWith("412 ");
  }
}
