package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lazuli partitions split} and the names in {@code /partitions}, as an operator uses them.
 */
@Tag("long")
final class PartitionsCommandIT {
  private static final int ENTITIES = 60;

  @TempDir private Path folder;

  private record Run(int code, String out, String err) {}

  @Test
  void aTableIsDividedBeforeItsLoadComes() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3))) {
      LazuliNode server = PackedServers.start(cluster, 1).get(0);
      Samples samples = new Samples(TestAccount.development(server), "orders", ENTITIES, 1);
      samples.storeEntities();
      Path data = dataOf(cluster);
      Run absent = split(data, "--table", "absent", "--at", "b");
      assertThat(absent.code).isEqualTo(1);
      assertThat(absent.err).isEqualTo("lazuli: account devstoreaccount1 has no table absent\n");
      Run divided = split(data, "--table", "orders", "--count", "6");
      System.out.print(divided.out + divided.err);
      assertThat(divided.out).isEqualTo("devstoreaccount1/orders has 6 ranges on 3 nodes\n");
      assertThat(divided.code).isZero();
      assertThat(split(data, "--table", "orders", "--count", "6")).isEqualTo(divided);
      Run named = split(data, "--table", "orders", "--at", "a1", "a5", "zzz/1");
      assertThat(named.out).contains("devstoreaccount1/orders has 4 ranges on ");
      // The leader shows what it has seen in its last round.
      String boundary = "tables +devstoreaccount1/orders/zzz/1 +…";
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> Pattern.compile(boundary).matcher(partitions(server)).find());
      String map = partitions(server);
      System.out.print(map);
      assertThat(map)
          .containsPattern("tables +devstoreaccount1/orders/a5 +devstoreaccount1/orders/")
          .contains("why: an operator asked for it")
          .contains("0 merges");
      assertThat(Files.readString(server.process().log()))
          .contains("at devstoreaccount1/orders/", "because an operator asked for it: done");
    }
  }

  private static String partitions(LazuliNode server) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.adminEndpoint().resolve("/partitions"))
            .header("Accept", "text/plain")
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Returns the data folder of the only server. */
  private static Path dataOf(Cluster cluster) throws IOException {
    Path top = cluster.clientConfig().getParent().getParent();
    try (Stream<Path> all = Files.walk(top, 4)) {
      return all.filter(path -> path.endsWith("admin-token")).findFirst().orElseThrow().getParent();
    }
  }

  private Run split(Path data, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar", PackedServers.jar().toString()));
    command.addAll(List.of("partitions", "split", "--data", data.toString()));
    command.addAll(List.of("--account", "devstoreaccount1"));
    command.addAll(List.of(options));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Run(process.waitFor(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
