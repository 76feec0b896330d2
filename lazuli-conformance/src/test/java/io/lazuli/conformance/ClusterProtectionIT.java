package io.lazuli.conformance;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Protected blobs and the deletion of their container, at two servers of a cluster. */
@Tag("long")
@Timeout(900)
class ClusterProtectionIT {
  /** More than one page of the index of protected blobs. */
  private static final int BLOBS = 230;

  private static final int RACES = 25;

  @TempDir private Path folder;

  @Test
  void aContainerStaysAsLongAsABlobIsHeld() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.inOneProcess());
        ServerProcess first = start(cluster, "first");
        ServerProcess second = start(cluster, "second")) {
      deletionFindsTheLastHold(first, second);
      aHoldOrADeletionWins(first, second);
    }
  }

  private ServerProcess start(Cluster cluster, String name) {
    List<String> options = new ArrayList<>(ClusterServers.serveOptions(cluster));
    options.addAll(List.of("--blob-versioning", "--blob-immutability"));
    return ServerProcess.start(
        AccountUnderTest.serverJar(),
        folder.resolve(name),
        List.of(ClusterServers.engineOption()),
        options);
  }

  private static ScratchContainer at(ServerProcess server, String name) {
    return new ScratchContainer(new WireClient(server.account(StorageService.BLOB)), name);
  }

  private static WireAnswer hold(ScratchContainer container, String blob, boolean on) {
    return container
        .on("PUT", blob, "comp=legalhold")
        .header("x-ms-legal-hold", Boolean.toString(on))
        .send();
  }

  private static WireAnswer delete(ScratchContainer container) {
    return container.on("DELETE", "").send();
  }

  /** Holds blobs at one server, ends the holds at the other, and tries to delete at both. */
  private static void deletionFindsTheLastHold(ServerProcess first, ServerProcess second) {
    String name = ScratchContainer.freshName();
    ScratchContainer one = at(first, name).created();
    ScratchContainer other = at(second, name);
    for (int i = 0; i < BLOBS; i++) {
      expect(one.put("b" + i, "x").send()).status(201);
      expect(hold(other, "b" + i, true)).status(200);
    }
    expect(delete(one)).status(409);
    expect(delete(other)).status(409);
    for (int i = 0; i < BLOBS - 1; i++) {
      expect(hold(one, "b" + i, false)).status(200);
    }
    expect(delete(one)).status(409);
    expect(delete(other)).status(409);
    expect(hold(other, "b" + (BLOBS - 1), false)).status(200);
    expect(delete(one)).status(202);
  }

  /** If a hold at one server and a deletion at the other meet, one of them is refused. */
  private static void aHoldOrADeletionWins(ServerProcess first, ServerProcess second)
      throws Exception {
    int held = 0;
    for (int i = 0; i < RACES; i++) {
      String name = ScratchContainer.freshName();
      ScratchContainer one = at(first, name).created();
      ScratchContainer other = at(second, name);
      expect(one.put("b", "x").send()).status(201);
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<WireAnswer> deleted =
          CompletableFuture.supplyAsync(
              () -> {
                await(start);
                return delete(other);
              });
      await(start);
      WireAnswer hold = hold(one, "b", true);
      WireAnswer deletion = deleted.get(1, TimeUnit.MINUTES);
      assertThat(hold.status() == 200 && deletion.status() == 202)
          .as("hold: %s, deletion: %s", hold, deletion)
          .isFalse();
      if (hold.status() == 200) {
        held++;
        expect(one.get("b").send()).status(200);
        expect(delete(other)).status(409);
        expect(hold(other, "b", false)).status(200);
        expect(delete(one)).status(202);
      } else {
        assertThat(deletion.status()).isEqualTo(202);
      }
    }
    System.out.println("a hold won " + held + " of " + RACES + " races with a deletion");
  }

  private static void await(CyclicBarrier start) {
    try {
      int unused = start.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
