package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blobs whose content is in files of HDFS, while the server, a region server or a data node is
 * killed: what was acknowledged is there, byte for byte.
 */
@Tag("long")
@Timeout(1_800)
final class BlobKillIT {
  private static final int ROUNDS = Integer.getInteger("kill.rounds", 6);
  private static final int WRITERS = 3;
  private static final int BLOB_BYTES = (5 << 20) / 2;

  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();

  @Test
  void acknowledgedBlobsSurviveKills() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (Cluster cluster = Cluster.start(ClusterSpec.of(2).withHdfs())) {
      TestAccount account = TestAccount.development(PackedServers.start(cluster, 1).get(0));
      try (SignedConnection connection = account.connect(Service.BLOB)) {
        assertThat(connection.send("PUT", "/kill?restype=container", "").status()).isEqualTo(201);
      }
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        writers.add(threads.submit(() -> write(account, number)));
      }
      for (int round = 0; round < ROUNDS; round++) {
        awaitMore();
        ClusterProcess victim =
            switch (round % 3) {
              case 0 -> account.server().process();
              case 1 -> cluster.dataNodes().get(round % cluster.dataNodes().size());
              default -> cluster.regionServers().get(round % cluster.regionServers().size());
            };
        victim.restart();
        String unused = account.server().connectionString();
      }
      awaitMore();
      stopped.set(true);
      for (Future<?> writer : writers) {
        writer.get(3, TimeUnit.MINUTES);
      }
      verify(account);
    } finally {
      threads.shutdownNow();
    }
  }

  private void awaitMore() {
    int before = acknowledged.size();
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .until(() -> acknowledged.size() > before + 2 * WRITERS);
  }

  private void write(TestAccount account, int writer) {
    try (SignedConnection connection = account.connect(Service.BLOB)) {
      for (int i = 0; !stopped.get(); i++) {
        String name = "blob" + writer + "-" + i;
        int seed = writer * 1_000_000 + i;
        try {
          Map<String, String> headers = Map.of("x-ms-blob-type", "BlockBlob");
          if (connection.send("PUT", "/kill/" + name, headers, content(seed)).status() == 201) {
            acknowledged.put(name, seed);
            continue;
          }
        } catch (IOException e) {
          unanswered.incrementAndGet();
        }
        PacedClients.pass(Duration.ofMillis(200));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void verify(TestAccount account) throws IOException {
    try (SignedConnection connection = account.connect(Service.BLOB)) {
      for (Map.Entry<String, Integer> blob : acknowledged.entrySet()) {
        Answer answer = connection.send("GET", "/kill/" + blob.getKey(), "");
        assertThat(answer.status()).as(blob.getKey()).isEqualTo(200);
        assertThat(answer.body()).as(blob.getKey()).isEqualTo(content(blob.getValue()));
      }
    }
    System.out.printf(
        "%d kills, %d blobs acknowledged and read, %d requests without an answer%n",
        ROUNDS, acknowledged.size(), unanswered.get());
  }

  private static byte[] content(int seed) {
    byte[] content = new byte[BLOB_BYTES];
    new Random(seed).nextBytes(content);
    return content;
  }
}
