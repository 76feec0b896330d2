package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
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
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.CreateContainer;
import io.lazuli.server.blob.service.BlobOperation.FindBlobs;
import io.lazuli.server.blob.service.BlobOperation.PutBlobFromUrl;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds blobs by their tags, after every operation that gives, changes or drops tags. */
class BlobSearchTest {
  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final FaultyEngine engine =
      new FaultyEngine(BlobsUnderTest.engine("memory", Path.of("unused"), clock::get));
  private final CountingEngine counting = new CountingEngine(engine);
  private final BlobsUnderTest blobs = BlobsUnderTest.withContainer(counting);

  @AfterEach
  void close() {
    engine.close();
  }

  private void put(String blob, String tags) {
    blobs.putTagged(blob, tags, RequestTerms.NONE);
  }

  @Test
  void aBlobIsFoundByTheTagsThatItHasNow() {
    put("b", "k=1&other=x");
    put("a", "k=1");
    blobs.put("plain", new byte[1]);
    assertThat(blobs.find("k='1'")).containsExactly("a", "b");
    assertThat(blobs.find("k='1' AND other='x'")).containsExactly("b");
    put("a", "k=2");
    assertThat(blobs.find("k='1'")).containsExactly("b");
    assertThat(blobs.find("k='2'")).containsExactly("a");
    blobs.setTags("b", "k=2");
    assertThat(blobs.find("k='2'")).containsExactly("a", "b");
    assertThat(blobs.find("other='x'")).isEmpty();
    blobs.setTags("a", "");
    blobs.put("b", new byte[1]);
    assertThat(blobs.find("k>=''")).isEmpty();
    assertThat(blobs.indexRows()).isZero();
    put("a", "k=3");
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    assertThat(blobs.find("k='3'")).isEmpty();
    assertThat(blobs.indexRows()).isZero();
  }

  @Test
  void everyWayToGiveTagsIsIndexed() {
    put("source", "k=1");
    CopyBlob copy =
        new CopyBlob(
            at("copy"),
            BlobsUnderTest.source("source", null, null),
            "http://server/source",
            null,
            null,
            null,
            Immutability.NONE,
            null,
            null,
            false,
            BlobsUnderTest.ANY,
            RequestTerms.NONE);
    blobs.run(copy);
    blobs.run(
        new PutBlobFromUrl(
            at("fromUrl"),
            BlobsUnderTest.source("source", null, null),
            HttpProperties.NONE,
            true,
            null,
            null,
            null,
            BlobsUnderTest.ANY,
            RequestTerms.NONE));
    blobs.putBlock("blocks", "x", new byte[1]);
    BlobSettings tagged =
        new BlobSettings(HttpProperties.NONE, Map.of(), new BlobTags(Map.of("k", "1")), null);
    blobs.run(new PutBlockList(at("blocks"), List.of(latest("x")), tagged, RequestTerms.NONE));
    blobs.createAppendBlob("append");
    blobs.setTags("append", "k=1");
    assertThat(blobs.find("k='1'"))
        .containsExactly("append", "blocks", "copy", "fromUrl", "source");
    blobs.append("append", new byte[5]);
    blobs.snapshot("source");
    assertThat(blobs.find("k='1'")).hasSize(5);
    assertThat(blobs.indexRows()).isEqualTo(5);
  }

  @Test
  void rangesFollowTheOrderOfValues() {
    put("z", "d=2026-01-05&k=1");
    put("y", "d=2026-01-20&k=2");
    put("x", "d=2026-02-01&k=1");
    put("w", "dd=2026-01-07");
    assertThat(blobs.find("d>='2026-01' AND d<'2026-02'")).containsExactly("z", "y");
    assertThat(blobs.find("d>'2026-01-05'")).containsExactly("y", "x");
    assertThat(blobs.find("d>='2026-01-05' AND d<='2026-01-20'")).containsExactly("z", "y");
    assertThat(blobs.find("d<'2026-01-05'")).isEmpty();
    assertThat(blobs.find("d>'' AND k='1'")).containsExactly("x", "z");
    assertThat(blobs.find("d>'' AND k>'1'")).containsExactly("y");
    assertThat(blobs.find("d>'3' AND d<'2'")).isEmpty();
  }

  @Test
  void pagesContinueWhereTheLastOneEnded() {
    for (int i = 0; i < 50; i++) {
      put(String.format("n%02d", i), "k=1&v=" + i % 7);
    }
    for (String where : List.of("k='1'", "v>=''", "k='1' AND v>='0'")) {
      for (int max : new int[] {1, 3, 49, 50, 51}) {
        List<String> names = new ArrayList<>();
        SearchMarker marker = null;
        do {
          FoundBlobs page = (FoundBlobs) blobs.run(search(where, marker, max));
          assertThat(page.blobs()).hasSizeLessThanOrEqualTo(max);
          page.blobs().forEach(found -> names.add(found.name().text()));
          marker = page.next() == null ? null : SearchMarker.require(page.next().text());
        } while (marker != null);
        assertThat(names).hasSize(50).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void theRarestTagDecidesTheCost() {
    for (int i = 0; i < 400; i++) {
      put(String.format("n%03d", i), "all=x&rare=" + (i % 100 == 0 ? "yes" : "no"));
    }
    int before = counting.recordsRead();
    FoundBlobs page = (FoundBlobs) blobs.run(search("all='x' AND rare='yes'", null, 10));
    assertThat(page.blobs()).hasSize(4);
    assertThat(page.next()).isNull();
    assertThat(counting.recordsRead() - before).isLessThan(25);
  }

  @ParameterizedTest
  @ValueSource(strings = {"k='7'", "k>='7' AND k<='7'", "k>'6' AND k<'8'"})
  void theCostDependsOnTheResultAndNotOnTheNumberOfBlobs(String where) {
    int few = cost(where, 0, 200);
    int many = cost(where, 200, 2_000);
    assertThat(many).isEqualTo(few);
  }

  /** Adds blobs, ten of which have the value 7, and returns the records that a search reads. */
  private int cost(String where, int from, int to) {
    for (int i = from; i < to; i++) {
      put(String.format("n%05d", i), "k=" + (i < 10 ? "7" : "5" + i % 1_000));
    }
    int before = counting.recordsRead();
    FoundBlobs page = (FoundBlobs) blobs.run(search(where, null, 10));
    assertThat(page.blobs()).hasSize(10);
    return counting.recordsRead() - before;
  }

  @Test
  void blobsWithoutTagsCostNoMoreThanBefore() {
    blobs.put("warm", new byte[1]);
    assertThat(calls(() -> blobs.put("a", new byte[1]))).containsExactly(1, 1, 0);
    assertThat(calls(() -> blobs.put("a", new byte[2]))).containsExactly(1, 1, 0);
    assertThat(calls(() -> blobs.properties("a"))).containsExactly(0, 1, 0);
    assertThat(calls(() -> blobs.delete("a", DeletedSnapshots.INCLUDE))).containsExactly(1, 0, 0);
    assertThat(calls(() -> put("a", "k=1&l=2"))).containsExactly(3, 1, 0);
  }

  /** Returns the numbers of transactions, reads and scans that work needs. */
  private List<Integer> calls(Runnable work) {
    List<Integer> before = counting.calls();
    work.run();
    List<Integer> after = counting.calls();
    return List.of(
        after.get(0) - before.get(0), after.get(1) - before.get(1), after.get(2) - before.get(2));
  }

  @Test
  void anAccountIsSearchedInTheOrderOfContainers() {
    ContainerName second = new ContainerName("another");
    blobs.run(new CreateContainer(second, Map.of(), PublicAccess.NONE));
    put("b", "k=1");
    put("a", "k=1");
    BlobSettings tagged =
        new BlobSettings(HttpProperties.NONE, Map.of(), new BlobTags(Map.of("k", "1")), null);
    blobs.upload(
        new BlobOperation.PutBlob(
            new BlobAddress(second, new BlobName("z")),
            BlobType.BLOCK,
            tagged,
            RequestTerms.NONE,
            1,
            BlobsUnderTest.ANY),
        new byte[1]);
    assertThat(inAccount("k='1'", 10)).containsExactly("another/z", "docs/a", "docs/b");
    assertThat(inAccount("k='1'", 1)).containsExactly("another/z", "docs/a", "docs/b");
    assertThat(inAccount("@container='docs' AND k='1'", 1)).containsExactly("docs/a", "docs/b");
    assertThat(inAccount("@container='missing' AND k='1'", 1)).isEmpty();
  }

  private List<String> inAccount(String where, int max) {
    List<String> names = new ArrayList<>();
    SearchMarker marker = null;
    do {
      FindBlobs find = new FindBlobs(search(where, null, 1).query(), false, marker, max);
      FoundBlobs page = (FoundBlobs) blobs.run(find);
      page.blobs().forEach(found -> names.add(found.container() + "/" + found.name().text()));
      marker = page.next();
    } while (marker != null);
    return names;
  }

  /** The writes that change the tags of the blob "a", which has k=1 before. */
  enum Write {
    OVERWRITE("k=2"),
    SAME_TAGS("k=1"),
    SET("k=2"),
    DROP(""),
    DELETE("");

    private final String after;

    Write(String after) {
      this.after = after;
    }

    void run(BlobsUnderTest blobs) {
      switch (this) {
        case OVERWRITE, SAME_TAGS -> blobs.putTagged("a", after, RequestTerms.NONE);
        case SET -> blobs.setTags("a", after);
        case DROP -> blobs.put("a", new byte[1]);
        case DELETE -> blobs.delete("a", DeletedSnapshots.INCLUDE);
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
    for (int step = 0; step < 4; step++) {
      put("a", "k=1");
      put("b", "k=1&l=1");
      engine.passNext(call, step);
      engine.failNext(call, kind);
      refusal(() -> write.run(blobs));
      engine.failNoMore();
      requireExact(blobs);
      BlobsUnderTest restarted = new BlobsUnderTest(engine);
      requireExact(restarted);
      clock.addAndGet(Duration.ofHours(2).toSeconds() * Ticks.PER_SECOND);
      requireExact(restarted);
      requireExact(restarted);
      int tags = tags(restarted).values().stream().mapToInt(Map::size).sum();
      assertThat(restarted.indexRows()).isEqualTo(tags);
    }
  }

  /** Compares every search with the tags that the blobs have. */
  private static void requireExact(BlobsUnderTest blobs) {
    Map<String, Map<String, String>> tags = tags(blobs);
    for (String key : List.of("k", "l")) {
      for (String value : List.of("1", "2")) {
        List<String> expected =
            tags.keySet().stream().filter(name -> value.equals(tags.get(name).get(key))).toList();
        assertThat(blobs.find(key + "='" + value + "'")).isEqualTo(expected);
      }
      long having = tags.values().stream().filter(found -> found.containsKey(key)).count();
      assertThat(blobs.find(key + ">''")).hasSize((int) having);
    }
  }

  private static Map<String, Map<String, String>> tags(BlobsUnderTest blobs) {
    Map<String, Map<String, String>> tags = new TreeMap<>();
    for (String name : List.of("a", "b", "c")) {
      if (refusal(() -> blobs.properties(name)) == null) {
        tags.put(name, blobs.properties(name).tags().values());
      }
    }
    return tags;
  }

  @Test
  void randomHistoriesWithFailuresAreExact() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    for (int i = 0; i < 300; i++) {
      String name = List.of("a", "b", "c").get(random.nextInt(3));
      String tags = List.of("", "k=1", "k=2", "l=1", "k=1&l=2").get(random.nextInt(5));
      Call call = random.nextBoolean() ? Call.TRANSACT : Call.TRANSACT_REPLY;
      Kind kind = call == Call.TRANSACT ? Kind.UNAVAILABLE : Kind.UNKNOWN_OUTCOME;
      engine.passNext(call, random.nextInt(6));
      engine.failNext(call, kind);
      refusal(
          () -> {
            switch (random.nextInt(3)) {
              case 0 -> blobs.putTagged(name, tags, RequestTerms.NONE);
              case 1 -> blobs.setTags(name, tags);
              default -> blobs.delete(name, DeletedSnapshots.INCLUDE);
            }
          });
      engine.failNoMore();
      clock.addAndGet(random.nextInt(20) * 60L * Ticks.PER_SECOND);
      requireExact(blobs);
    }
  }

  @Test
  void aRefusedWriteLeavesNoRows() {
    BlobProperties first = blobs.putTagged("a", "k=1", RequestTerms.NONE);
    put("a", "k=1");
    assertThat(refusal(() -> blobs.putTagged("a", "k=2&l=2", BlobsUnderTest.ifMatch(first))))
        .isEqualTo(BlobErrors.CONDITION_NOT_MET);
    assertThat(blobs.indexRows()).isEqualTo(1);
    assertThat(blobs.find("k='1'")).containsExactly("a");
  }

  @Test
  void aRowOfAWriteThatMayBeUnderWayStays() {
    put("a", "k=1");
    engine.passNext(Call.TRANSACT, 1);
    engine.failNext(Call.TRANSACT, Kind.UNKNOWN_OUTCOME);
    refusal(() -> put("b", "k=1"));
    engine.failNoMore();
    assertThat(blobs.find("k='1'")).containsExactly("a");
    assertThat(blobs.indexRows()).isEqualTo(2);
    clock.addAndGet(Duration.ofMinutes(61).toSeconds() * Ticks.PER_SECOND);
    assertThat(blobs.find("k='1'")).containsExactly("a");
    assertThat(blobs.indexRows()).isEqualTo(1);
  }

  @Test
  void theCollectorIndexesTagsThatAnOlderServerWrote() {
    put("a", "k=1");
    blobs.setTags("a", "");
    BlobProperties old = blobs.properties("a").withTags(new BlobTags(Map.of("k", "1")));
    Partition partition = new Partition(blobs.space(), Bytes.of(new byte[] {'a'}));
    EngineFixture.await(
        engine.transact(
            partition,
            List.of(),
            Deadline.after(Duration.ofSeconds(30)),
            view -> {
              view.put(BlobRows.PROPERTIES, BlobPropertiesCodec.encode(old));
              return true;
            }));
    assertThat(blobs.find("k='1'")).isEmpty();
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
    assertThat(blobs.find("k='1'")).containsExactly("a");
    assertThat(blobs.properties("a").changedTicks()).isEqualTo(old.changedTicks());
    blobs.delete("a", DeletedSnapshots.INCLUDE);
    assertThat(blobs.indexRows()).isZero();
  }
}
