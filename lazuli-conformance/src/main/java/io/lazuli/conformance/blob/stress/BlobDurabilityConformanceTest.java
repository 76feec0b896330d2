package io.lazuli.conformance.blob.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged writes survive a kill, and every visible blob is complete. */
@Covers(value = Area.DURABILITY, service = StorageService.BLOB)
@Tag("own-server")
class BlobDurabilityConformanceTest {

  @TempDir private Path folder;
  private final List<ServerProcess> started = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void killWhatStillRuns() {
    started.forEach(ServerProcess::close);
    threads.shutdownNow();
  }

  /** Starts the server in the folder of this case, with JVM options for a fast start. */
  private ScratchContainer open() {
    ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC");
    started.add(server);
    return new ScratchContainer(new WireClient(server.account(StorageService.BLOB)), "kills");
  }

  private void kill() {
    started.get(started.size() - 1).kill();
  }

  @Test
  @Documented("blob-rest 20.8, 2.3; mission B1: kills during uploads, commits, appends and copies")
  void blobsThatAreVisibleAfterAKillAreWhole(TestReporter reporter) {
    writeOverKills(2, reporter);
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 20.8, 2.3; mission B1: many kills")
  void blobsThatAreVisibleAfterManyKillsAreWhole(TestReporter reporter) {
    writeOverKills(40, reporter);
  }

  private void writeOverKills(int kills, TestReporter reporter) {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    reporter.publishEntry("conformance.seed", String.valueOf(seed));
    Random random = new Random(seed);
    List<KilledWriter> writers = new ArrayList<>();
    for (KilledWriter.Way way : KilledWriter.Way.values()) {
      IntStream.range(0, 2).forEach(i -> writers.add(new KilledWriter(way, i)));
    }
    for (int round = 0; round < kills; round++) {
      ScratchContainer container = open();
      if (round == 0) {
        container.created();
      }
      writers.forEach(writer -> writer.verify(container));
      writeUntilKilled(writers, container, 50 + random.nextInt(400));
    }
    ScratchContainer last = open();
    writers.forEach(writer -> writer.verify(last));
    reporter.publishEntry(
        "acknowledged",
        String.valueOf(writers.stream().mapToInt(KilledWriter::acknowledged).sum()));
  }

  private void writeUntilKilled(
      List<KilledWriter> writers, ScratchContainer container, int millis) {
    List<Integer> before = writers.stream().map(KilledWriter::acknowledged).toList();
    List<CompletableFuture<Void>> running =
        writers.stream()
            .map(writer -> CompletableFuture.runAsync(() -> writer.write(container), threads))
            .toList();
    Waiting.until(
        () ->
            IntStream.range(0, writers.size())
                .allMatch(i -> writers.get(i).acknowledged() > before.get(i)));
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    kill();
    running.forEach(each -> each.orTimeout(30, TimeUnit.SECONDS).join());
  }

  @Test
  @Documented(
      "blob-rest 13, 20.12; mission B1: markers, leases, blocks and snapshots outlive a kill")
  void metadataTagsAndLeasesSurviveAKill() {
    ScratchContainer container = open().created();
    for (String name : List.of("a", "b", "c")) {
      container.stored(name, name);
    }
    String snapshot = container.snapshot("a");
    expect(container.block("d", "1", "staged").send()).status(201);
    String id = "11111111-aaaa-4aaa-8aaa-111111111111";
    container.leased("b", id);
    String tag = container.property("b", "ETag");
    String marker = BlobListing.of(container, "maxresults=2").nextMarker();
    expect(container.delete("c").send()).status(202);
    container.stored("e", "e");
    kill();
    ScratchContainer again = open();
    assertThat(BlobListing.of(again, "marker=" + Keys.encode(marker)).items()).containsExactly("e");
    assertThat(again.on("GET", "a", "snapshot=" + Keys.encode(snapshot)).send().text())
        .isEqualTo("a");
    expect(again.commit("d", "Latest:1").send()).status(201);
    assertThat(again.content("d")).isEqualTo("staged");
    Refusal.refused(again.put("b", "x").send(), 412, "LeaseIdMissing");
    assertThat(again.property("b", "ETag")).isEqualTo(tag);
    expect(again.put("b", "x").header("x-ms-lease-id", id).send()).status(201);
    assertThat(again.property("b", "ETag")).isNotEqualTo(tag);
  }
}
