package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static io.lazuli.server.blob.service.BlobsUnderTest.search;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.CopySource;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.Expiry;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.FindBlobs;
import io.lazuli.server.blob.service.BlobOperation.FindBlobsInContainer;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.blob.service.BlobOperation.SetExpiry;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlob;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds previous versions by their tags (blob-features 1.4). */
class VersionSearchTest {
  private static final FormerStates WITH_VERSIONS = new FormerStates(false, true, false);

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final FaultyEngine engine =
      new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::incrementAndGet));
  private final CountingEngine counting = new CountingEngine(engine);
  private volatile BlobProtection protection = new BlobProtection(true, 7, false);
  private final Protections protections =
      new Protections() {
        @Override
        public CompletionStage<BlobProtection> of(String account, Deadline deadline) {
          return CompletableFuture.completedFuture(protection);
        }

        @Override
        public int containerDays(String account) {
          return 7;
        }
      };
  private final BlobsUnderTest blobs = BlobsUnderTest.protecting(counting, protections);

  @AfterEach
  void close() {
    engine.close();
  }

  /** Puts a blob with tags. Returns the name of its version. */
  private long put(String blob, String tags) {
    return blobs.putTagged(blob, tags, RequestTerms.NONE).optional().versionTicks();
  }

  private void setTags(String blob, long version, String tags) {
    blobs.run(new ReplaceTags(at(blob), version, BlobTags.parseHeader(tags), RequestTerms.NONE));
  }

  @Test
  void aFormerVersionKeepsItsTagsAndIsFoundByThem() {
    long first = put("a", "k=1&l=1");
    long second = put("a", "k=1&l=2");
    long third = put("a", "k=2");
    put("b", "k=1");
    List<FoundBlob> found = new ArrayList<>(page("k='1'", null, 10).blobs());
    assertThat(found.stream().map(FoundBlob::versionTicks).limit(2)).containsExactly(first, second);
    assertThat(found.stream().map(FoundBlob::current)).containsExactly(false, false, true);
    assertThat(page("k='2'", null, 10).blobs().get(0).versionTicks()).isEqualTo(third);
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a~", "b");
    assertThat(blobs.findVersions("k='1' AND l='2'")).containsExactly("a~");
    assertThat(blobs.findVersions("k>'' AND l='1'")).containsExactly("a~");
    assertThat(blobs.findVersions("l>='1' AND l<'2'")).containsExactly("a~");
    assertThat(blobs.findVersions("k>=''")).containsExactly("a~", "a~", "b", "a");
    assertThat(blobs.find("k='1'")).containsExactly("b");
    assertThat(blobs.find("l>''")).isEmpty();
  }

  @Test
  void everythingThatMakesAVersionIsIndexed() {
    put("a", "k=1");
    blobs.run(new ReplaceMetadata(at("a"), Map.of("m", "1"), RequestTerms.NONE));
    blobs.snapshot("a");
    blobs.putBlock("a", "b1", new byte[1]);
    blobs.commit("a", List.of(BlobsUnderTest.latest("b1")));
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a~", "a~");
    put("a", "k=1");
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a~", "a~", "a~");
    assertThat(blobs.find("k='1'")).isEmpty();
    requireExact(blobs);
  }

  @Test
  void tagsOfAVersionCanBeReplaced() {
    long first = put("a", "k=1");
    long second = put("a", "k=1");
    setTags("a", first, "k=2");
    assertThat(blobs.findVersions("k='1'")).containsExactly("a");
    assertThat(blobs.findVersions("k='2'")).containsExactly("a~");
    setTags("a", second, "k=3");
    assertThat(blobs.find("k='3'")).containsExactly("a");
    setTags("a", first, "");
    assertThat(blobs.findVersions("k>''")).containsExactly("a");
    int rows = blobs.indexRows();
    setTags("a", second, "k=3");
    assertThat(blobs.indexRows()).isEqualTo(rows);
  }

  @Test
  void aDeletedVersionIsFoundAgainOnceItIsRestored() {
    long first = put("a", "k=1");
    put("a", "k=1");
    blobs.run(new DeleteVersion(at("a"), first, RequestTerms.NONE));
    assertThat(blobs.findVersions("k='1'")).containsExactly("a");
    blobs.run(new UndeleteBlob(at("a")));
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a");
    protection = new BlobProtection(true, 0, false);
    blobs.run(new DeleteVersion(at("a"), first, RequestTerms.NONE));
    blobs.delete("a", DeletedSnapshots.NOT_SAID);
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~");
  }

  @Test
  void aPromotedVersionIsFoundTwice() {
    long first = put("a", "k=1");
    put("a", "k=2");
    CopySource version =
        new CopySource(
            BlobsUnderTest.OWNER.account(),
            BlobsUnderTest.CONTAINER,
            new BlobName("a"),
            NamedState.version(first));
    blobs.run(
        new CopyBlob(
            at("a"),
            new Source(version, Conditions.NONE, Conditions.Use.COPY_SOURCE, null, null),
            "http://server/a",
            null,
            BlobTags.NONE,
            null,
            Immutability.NONE,
            RehydratePriority.STANDARD,
            null,
            false,
            BlobsUnderTest.ANY,
            RequestTerms.NONE));
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a");
    assertThat(blobs.findVersions("k='2'")).containsExactly("a~");
    assertThat(blobs.find("k='1'")).containsExactly("a");
  }

  @Test
  void versionsOutliveTheSwitchAndTheExpiryOfTheirBlob() {
    put("a", "k=1");
    protection = BlobProtection.NONE;
    put("a", "k=1");
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a");
    blobs.run(new SetExpiry(at("a"), new Expiry.AfterNow(1_000), RequestTerms.NONE));
    clock.addAndGet(10 * Ticks.PER_SECOND);
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~");
    put("a", "k=1");
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~", "a");
  }

  @Test
  void aRestoredContainerHasItsVersions() {
    put("a", "k=1");
    put("a", "k=2");
    blobs.deleteContainer();
    assertThat(refusal(() -> blobs.findVersions("k='1'")))
        .isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    ContainerPage page = (ContainerPage) blobs.run(new ListContainers("", "", 10, false, true));
    String version = Objects.requireNonNull(page.containers().get(0).deletion()).version();
    blobs.run(new RestoreContainer(BlobsUnderTest.CONTAINER, "docs", version));
    assertThat(blobs.findVersions("k='1'")).containsExactly("a~");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 59, 60, 61})
  void pagesContinueWhereTheLastOneEnded(int max) {
    for (int i = 0; i < 60; i++) {
      put("n" + (char) ('a' + i % 12), "k=1&v=" + i % 7);
    }
    for (String where : List.of("k='1'", "v>=''", "k='1' AND v>='0'")) {
      List<String> states = new ArrayList<>();
      SearchMarker marker = null;
      do {
        FoundBlobs page = page(where, marker, max);
        assertThat(page.blobs()).hasSizeLessThanOrEqualTo(max);
        page.blobs().forEach(found -> states.add(found.name().text() + found.versionTicks()));
        marker = page.next() == null ? null : SearchMarker.require(page.next().text());
      } while (marker != null);
      assertThat(states).hasSize(60).doesNotHaveDuplicates();
      if (where.startsWith("k")) {
        assertThat(states).isSorted();
      }
    }
    FindBlobs all = new FindBlobs(search("k='1'", null, 1).query(), true, null, 100);
    assertThat(((FoundBlobs) blobs.run(all)).blobs()).hasSize(60);
  }

  private FoundBlobs page(String where, @Nullable SearchMarker at, int max) {
    return (FoundBlobs)
        blobs.run(
            new FindBlobsInContainer(
                BlobsUnderTest.CONTAINER, search(where, null, 1).query(), true, at, max));
  }

  @Test
  void theCostDependsOnTheResult() {
    for (int i = 0; i < 10; i++) {
      put("a", "k=7&n=" + i);
    }
    int few = cost("k='7'");
    int plain = plainCost("k='7'");
    for (int i = 0; i < 300; i++) {
      put("b" + i % 10, "k=5" + i % 100 + "&n=0");
    }
    assertThat(cost("k='7'")).isEqualTo(few).isEqualTo(20);
    assertThat(cost("k='7' AND n='0'")).isLessThan(40);
    // A search for blobs does not pay for versions.
    assertThat(plainCost("k='7'")).isEqualTo(plain).isEqualTo(2);
  }

  private int cost(String where) {
    int before = counting.recordsRead();
    assertThat(page(where, null, 10).next()).isNull();
    return counting.recordsRead() - before;
  }

  private int plainCost(String where) {
    int before = counting.recordsRead();
    blobs.run(search(where, null, 10));
    return counting.recordsRead() - before;
  }

  @Test
  void blobsWithoutTagsCostNoMoreThanBefore() {
    blobs.put("a", new byte[1]);
    assertThat(transactions(() -> blobs.put("a", new byte[1]))).isEqualTo(1);
    assertThat(transactions(() -> blobs.delete("a", DeletedSnapshots.NOT_SAID))).isEqualTo(3);
    // The row of the new version, the first run, the row of the old version, the second run, and
    // the removal of the row that the old version had as a blob.
    put("b", "k=1");
    assertThat(transactions(() -> put("b", "k=2"))).isEqualTo(5);
    // The tags of a blob that becomes a version, without others after it.
    assertThat(transactions(() -> blobs.put("b", new byte[1]))).isEqualTo(4);
  }

  private int transactions(Runnable work) {
    int before = counting.calls().get(0);
    work.run();
    return counting.calls().get(0) - before;
  }

  /** The writes that change the blob "a", which has k=1 and a version with k=1. */
  enum Write {
    OVERWRITE,
    PLAIN,
    METADATA,
    SET,
    SET_VERSION,
    DELETE,
    DELETE_VERSION,
    UNDELETE;

    void run(BlobsUnderTest blobs, long version) {
      switch (this) {
        case OVERWRITE -> blobs.putTagged("a", "k=2&l=1", RequestTerms.NONE);
        case PLAIN -> blobs.put("a", new byte[1]);
        case METADATA ->
            blobs.run(new ReplaceMetadata(at("a"), Map.of("m", "1"), RequestTerms.NONE));
        case SET -> blobs.setTags("a", "k=2");
        case SET_VERSION ->
            blobs.run(
                new ReplaceTags(
                    at("a"), version, BlobTags.parseHeader("k=2&l=2"), RequestTerms.NONE));
        case DELETE -> blobs.delete("a", DeletedSnapshots.INCLUDE);
        case DELETE_VERSION -> blobs.run(new DeleteVersion(at("a"), version, RequestTerms.NONE));
        case UNDELETE -> blobs.run(new UndeleteBlob(at("a")));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void searchesAreExactIfAnyStepFails(Write write) {
    fail(write, Call.TRANSACT, Kind.UNAVAILABLE);
  }

  @ParameterizedTest
  @EnumSource
  void searchesAreExactIfAReplyIsLost(Write write) {
    fail(write, Call.TRANSACT_REPLY, Kind.UNKNOWN_OUTCOME);
  }

  /** Lets a write fail at each of its steps. An hour later, a search removes what is left over. */
  private void fail(Write write, Call call, Kind kind) {
    for (int step = 0; step < 7; step++) {
      long version = put("a", "k=1");
      put("a", "k=1&l=1");
      put("b", "k=1&l=1");
      if (write == Write.UNDELETE) {
        blobs.run(new DeleteVersion(at("a"), version, RequestTerms.NONE));
      }
      engine.passNext(call, step);
      engine.failNext(call, kind);
      refusal(() -> write.run(blobs, version));
      engine.failNoMore();
      requireExact(blobs);
      BlobsUnderTest restarted = new BlobsUnderTest(engine, protections);
      requireExact(restarted);
      clock.addAndGet(Duration.ofHours(2).toSeconds() * Ticks.PER_SECOND);
      requireExact(restarted);
      assertThat(indexedTags(restarted))
          .isEqualTo(
              states(restarted).stream()
                  .mapToInt(state -> state.properties().tags().values().size())
                  .sum());
    }
  }

  /** Returns the number of rows that the indexes of tags have. */
  private static int indexedTags(BlobsUnderTest blobs) {
    return blobs.indexRows(partition -> partition[1] == 'T' || partition[1] == 'V');
  }

  private static List<ListedBlob> states(BlobsUnderTest blobs) {
    return ProtectedBlobs.items(blobs, 5_000, false, WITH_VERSIONS);
  }

  /** Compares searches with the tags that a listing of blobs and versions shows. */
  private static void requireExact(BlobsUnderTest blobs) {
    for (String key : List.of("k", "l")) {
      for (String value : List.of("1", "2")) {
        List<String> expected =
            states(blobs).stream()
                .filter(state -> value.equals(state.properties().tags().values().get(key)))
                .map(state -> state.name().text() + (state.state() == null ? "" : "~"))
                .toList();
        assertThat(blobs.findVersions(key + "='" + value + "'")).isEqualTo(expected);
        assertThat(blobs.find(key + "='" + value + "'"))
            .isEqualTo(expected.stream().filter(name -> !name.endsWith("~")).toList());
      }
    }
  }

  @Test
  void randomHistoriesWithFailuresAreExact() {
    long seed = RandomGenerator.getDefault().nextLong();
    try {
      runHistory(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private void runHistory(RandomGenerator random) {
    List<Long> versions = new ArrayList<>(List.of(put("a", "k=1")));
    for (int i = 0; i < 300; i++) {
      String name = List.of("a", "b", "c").get(random.nextInt(3));
      String tags = List.of("", "k=1", "k=2", "l=1", "k=1&l=2").get(random.nextInt(5));
      Call call = random.nextBoolean() ? Call.TRANSACT : Call.TRANSACT_REPLY;
      engine.passNext(call, random.nextInt(8));
      engine.failNext(call, call == Call.TRANSACT ? Kind.UNAVAILABLE : Kind.UNKNOWN_OUTCOME);
      protection = new BlobProtection(random.nextInt(4) > 0, 7, false);
      long version = versions.get(random.nextInt(versions.size()));
      int write = random.nextInt(7);
      refusal(
          () -> {
            switch (write) {
              case 0, 1 -> versions.add(put(name, tags));
              case 2 -> blobs.setTags(name, tags);
              case 3 -> setTags(name, version, tags);
              case 4 -> blobs.run(new DeleteVersion(at(name), version, RequestTerms.NONE));
              case 5 -> blobs.run(new UndeleteBlob(at(name)));
              default -> blobs.delete(name, DeletedSnapshots.INCLUDE);
            }
          });
      engine.failNoMore();
      clock.addAndGet(random.nextInt(20) * 60L * Ticks.PER_SECOND);
      requireExact(blobs);
    }
  }

  /** Searches while blobs become versions: what was acknowledged before a search is in it. */
  @Test
  void aStateThatBecomesAVersionDuringASearchIsFound() throws Exception {
    ConcurrentLinkedQueue<Long> written = new ConcurrentLinkedQueue<>();
    written.add(put("a", "k=1"));
    CyclicBarrier start = new CyclicBarrier(4);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writers.add(
            threads.submit(
                () -> {
                  start.await();
                  for (int n = 0; n < 40; n++) {
                    written.add(put("a", "k=1"));
                  }
                  return true;
                }));
      }
      start.await();
      while (!writers.stream().allMatch(Future::isDone)) {
        requireAll(new TreeSet<>(written));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(written).hasSize(121);
    requireAll(new TreeSet<>(written));
    assertThat(indexedTags(blobs)).isEqualTo(121);
  }

  private void requireAll(Set<Long> versions) {
    List<Long> found =
        page("k='1'", null, 1_000).blobs().stream().map(FoundBlob::versionTicks).toList();
    assertThat(found).doesNotHaveDuplicates().isSorted().containsAll(versions);
  }

  @Test
  void theCollectorIndexesVersionsThatAnOlderServerWrote() {
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      versions.add(put("a", i % 2 == 0 ? "k=1" : ""));
    }
    Partition partition =
        new Partition(blobs.space(), Bytes.of("a".getBytes(StandardCharsets.UTF_8)));
    versions.forEach(ticks -> asOlderServerDid(partition, ticks));
    clock.addAndGet(Duration.ofHours(2).toSeconds() * Ticks.PER_SECOND);
    assertThat(blobs.findVersions("k='1'")).hasSize(125); // Removes the rows, which it follows.
    assertThat(indexedTags(blobs)).isZero();
    assertThat(blobs.findVersions("k='1'")).isEmpty();
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
    assertThat(blobs.findVersions("k='1'")).hasSize(125);
    assertThat(indexedTags(blobs)).isEqualTo(125);
    assertThat(transactions(() -> BlobsUnderTest.round(blobs.collector()))).isZero();
  }

  /** Gives a version the stamp that it had as the current one. */
  private void asOlderServerDid(Partition partition, long ticks) {
    EngineFixture.await(
        engine.transact(
            partition,
            List.of(),
            Deadline.after(Duration.ofSeconds(30)),
            view -> {
              byte[] record = view.read(BlobRows.version(ticks));
              if (record != null) {
                BlobProperties version = BlobPropertiesCodec.decode(record);
                view.put(
                    BlobRows.version(ticks),
                    BlobPropertiesCodec.encode(version.withTagStamp(-version.tags().stamp())));
              }
              return true;
            }));
  }
}
