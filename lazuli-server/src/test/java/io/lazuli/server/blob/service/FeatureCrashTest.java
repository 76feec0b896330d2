package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.ClearPages;
import io.lazuli.server.blob.service.BlobOperation.CreatePageBlob;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.PutPages;
import io.lazuli.server.blob.service.BlobOperation.ReplaceMetadata;
import io.lazuli.server.blob.service.BlobOperation.ReplaceTags;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetTier;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.faults.ForwardingEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends a server before each transaction of a workload with tags, soft delete, versions, pages and
 * copies and legal holds, on RocksDB: the data folder is copied at that moment, as a kill would
 * leave it. The copy opens, and another server finds the last acknowledged step, or the next one,
 * as a whole. After a round of the collector, the chunks are exactly those that records refer to.
 */
class FeatureCrashTest {
  private static final byte[] LARGE = bytes(70_000, 1);

  @TempDir private Path folder;
  private volatile BlobProtection protection = new BlobProtection(false, 7, false);
  private volatile long first;
  private volatile boolean copying;
  private final Protections protections =
      (account, deadline) -> CompletableFuture.completedFuture(protection);

  /** What an operation of the workload does, in the order of the operations. */
  private final List<Consumer<BlobsUnderTest>> steps =
      List.of(
          blobs -> blobs.putTagged("tagged", "k=1&all=1", RequestTerms.NONE),
          blobs -> blobs.putTagged("tagged", "k=2&all=1", RequestTerms.NONE),
          blobs -> blobs.setTags("tagged", "k=3&all=1"),
          blobs -> blobs.delete("tagged", DeletedSnapshots.NOT_SAID),
          blobs -> blobs.run(new UndeleteBlob(at("tagged"))),
          blobs -> blobs.put("large", LARGE),
          blobs -> blobs.put("large", bytes(80_000, 2)),
          blobs -> blobs.snapshot("large"),
          blobs -> blobs.delete("large", DeletedSnapshots.INCLUDE),
          blobs -> blobs.run(new UndeleteBlob(at("large"))),
          blobs -> blobs.putBlock("blocks", "b1", LARGE),
          blobs -> blobs.commit("blocks", List.of(BlobsUnderTest.latest("b1"))),
          blobs -> blobs.copy("blocks", null, "large"),
          blobs ->
              blobs.run(
                  new CreatePageBlob(
                      at("pages"), BlobsUnderTest.settings(), RequestTerms.NONE, 512 * 400, 0)),
          blobs -> write(blobs, 512 * 3, bytes(512 * 2, 3)),
          blobs -> write(blobs, 512 * 100, bytes(512 * 200, 4)),
          blobs -> blobs.snapshot("pages"),
          blobs ->
              blobs.run(
                  new ClearPages(
                      at("pages"),
                      new ByteRange(0, 512 * 150 - 1),
                      SequenceConditions.NONE,
                      RequestTerms.NONE)),
          blobs -> blobs.copy("pages", null, "pages-too"),
          blobs -> protection = new BlobProtection(true, 7, false),
          blobs -> first = version(blobs.putTagged("versions", "k=4", RequestTerms.NONE)),
          blobs -> blobs.put("versions", LARGE),
          blobs ->
              blobs.run(new ReplaceMetadata(at("versions"), Map.of("a", "b"), RequestTerms.NONE)),
          blobs -> blobs.copy("versions", null, "tagged"),
          blobs -> blobs.run(new DeleteVersion(at("versions"), first, RequestTerms.NONE)),
          blobs -> blobs.run(new UndeleteBlob(at("versions"))),
          blobs ->
              blobs.run(
                  new ReplaceTags(
                      at("versions"), first, BlobTags.parseHeader("k=1&all=1"), RequestTerms.NONE)),
          blobs -> blobs.putTagged("versions", "k=2&all=1", RequestTerms.NONE),
          blobs -> blobs.putTagged("versions", "k=2", RequestTerms.NONE),
          blobs ->
              blobs.run(
                  new SetTier(
                      at("versions"),
                      NamedState.version(first),
                      AccessTier.ARCHIVE,
                      null,
                      RequestTerms.NONE)),
          blobs -> blobs.delete("versions", DeletedSnapshots.NOT_SAID),
          blobs -> first = version(blobs.put("held", LARGE)),
          blobs -> blobs.run(new SetLegalHold(at("held"), null, true)),
          blobs -> blobs.put("held", bytes(80_000, 5)),
          blobs -> blobs.run(new SetLegalHold(at("held"), NamedState.version(first), false)),
          blobs -> blobs.run(new SetLegalHold(at("held"), NamedState.version(first), true)));

  /** The copies of the folder that were made during each step. */
  private final List<List<Path>> copies = new ArrayList<>();

  /** Copies the folder before each transaction. */
  private final class CopyingEngine extends ForwardingEngine {
    CopyingEngine(StorageEngine engine) {
      super(engine);
    }

    /** One transaction at a time, so that nothing changes while the folder is copied. */
    @Override
    public synchronized <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      if (copying) {
        copy();
      }
      CompletableFuture<R> done = super.transact(partition, touch, deadline, body);
      boolean unused = done.handle((result, failure) -> true).join();
      return done;
    }
  }

  @Test
  void noCrashLosesAnything() {
    List<String> states = run();
    int points = 0;
    for (int step = 0; step < steps.size(); step++) {
      for (Path copy : copies.get(step)) {
        assertThat(reopened(copy))
            .as("step %d, %s", step, copy.getFileName())
            .isIn(states.get(step), states.get(step + 1));
        points++;
      }
    }
    assertThat(points).isGreaterThan(2 * steps.size());
  }

  /** Runs all steps and returns the states before, between and after them. */
  private List<String> run() {
    List<String> states = new ArrayList<>();
    Path data = folder.resolve("data");
    try (StorageEngine engine = open(data, 0)) {
      BlobsUnderTest blobs = BlobsUnderTest.protecting(new CopyingEngine(engine), protections);
      states.add(state(blobs));
      for (Consumer<BlobsUnderTest> step : steps) {
        copies.add(new ArrayList<>());
        copying = true;
        step.accept(blobs);
        copying = false;
        states.add(state(blobs));
      }
    }
    return states;
  }

  /** Returns what another server finds in a copy of the folder. */
  private String reopened(Path copy) {
    try (StorageEngine engine = open(copy, Duration.ofDays(2).toSeconds() * Ticks.PER_SECOND)) {
      BlobsUnderTest blobs = new BlobsUnderTest(engine, protections);
      String atFirst = state(blobs);
      try (BlobCollector collector = blobs.collector()) {
        BlobsUnderTest.round(collector);
      }
      assertThat(blobs.storedChunks()).isEqualTo(blobs.referencedChunks());
      String state = state(blobs);
      assertThat(state).isEqualTo(atFirst);
      // The index of protected blobs was reviewed two days later, and is still right.
      assertThat(BlobsUnderTest.refusal(blobs::deleteContainer) != null)
          .isEqualTo(state.contains(" hold "));
      return state;
    }
  }

  private static StorageEngine open(Path folder, long laterTicks) {
    return BlobsUnderTest.engine(
        "rocksdb", folder, () -> Ticks.systemNow() + laterTicks, Durability.DISK);
  }

  private void copy() {
    Path data = folder.resolve("data");
    List<Path> made = copies.get(copies.size() - 1);
    Path copy = folder.resolve("copy-" + copies.size() + "-" + made.size());
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        Path name = data.relativize(file);
        // Each start unpacks the native library again.
        if (!name.startsWith("native")) {
          Files.copy(file, copy.resolve(name.toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    made.add(copy);
  }

  /** Describes everything that clients can see, without times. */
  private static String state(BlobsUnderTest blobs) {
    List<String> lines = new ArrayList<>();
    for (ListedBlob item :
        ProtectedBlobs.items(blobs, 5_000, true, new FormerStates(true, true, false))) {
      lines.add(described(blobs, item));
    }
    for (int value = 1; value <= 4; value++) {
      lines.add("k=" + value + " " + blobs.findVersions("k='" + value + "'"));
    }
    lines.add("all=1 " + blobs.find("all='1'") + " " + blobs.findVersions("all='1'"));
    return String.join("\n", lines);
  }

  private static String described(BlobsUnderTest blobs, ListedBlob item) {
    BlobProperties blob = item.properties();
    boolean deleted = blob.optional().deletion() != null;
    boolean archived = blob.tier() != null && blob.tier().tier() == AccessTier.ARCHIVE;
    String content = deleted || archived ? "" : content(blobs, item.name().text(), item.state());
    return "%s %s%s %s %d %s %s %s"
        .formatted(
            item.name().text(),
            item.state() == null ? "blob" : item.state().kind(),
            deleted ? " deleted" : archived ? " archived" : "",
            blob.optional().legalHold() ? "hold" : "free",
            blob.content().length(),
            blob.tags().values(),
            blob.metadata(),
            content);
  }

  private static String content(BlobsUnderTest blobs, String name, @Nullable NamedState state) {
    BlobOpened opened =
        (BlobOpened) blobs.run(new GetBlob(at(name), state, null, RequestTerms.NONE));
    try (BlobReader reader = opened.content()) {
      return "" + Arrays.hashCode(BlobsUnderTest.drain(reader));
    }
  }

  private static void write(BlobsUnderTest blobs, int from, byte[] content) {
    blobs.upload(
        new PutPages(
            at("pages"),
            new ByteRange(from, from + content.length - 1),
            SequenceConditions.NONE,
            RequestTerms.NONE,
            content.length,
            BlobsUnderTest.ANY),
        content);
  }

  private static long version(BlobProperties blob) {
    return blob.optional().versionTicks();
  }
}
