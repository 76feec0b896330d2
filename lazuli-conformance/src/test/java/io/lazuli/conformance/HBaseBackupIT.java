package io.lazuli.conformance;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backs up a cluster with the commands of the packed server while clients write, and restores it
 * into another namespace of the cluster, with two servers on each.
 */
@Tag("long")
@Timeout(900)
class HBaseBackupIT {
  private static final int ENTITIES = 4_000;
  private static final int BATCH = 100;
  private static final int CHANGED = 40;
  private static final int BLOBS = 6;

  /** The number of blobs of the test that kills. The new ones take a while to copy. */
  private static final int NEW_BLOBS = 30;

  private static final Pattern COPIED =
      Pattern.compile("\"storedBytes\":\"(\\d+)\",\"copiedBytes\":\"(\\d+)\",\"missing\":\"0\"");

  @TempDir private Path folder;

  private record Ran(int code, String text) {}

  @Test
  void aClusterIsBackedUpAndRestoredUnderLoad() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.inOneProcess())) {
      try (ServerProcess first = ClusterServers.start(cluster, folder.resolve("first"));
          ServerProcess second = ClusterServers.start(cluster, folder.resolve("second"))) {
        backUpAndRestore(cluster, first, second);
      }
    }
  }

  private void backUpAndRestore(Cluster cluster, ServerProcess first, ServerProcess second)
      throws Exception {
    fill(first);
    double whole = share(backUp("first"));
    // The list of files counts as copied only.
    assertThat(whole).isBetween(0.99, 1.01);
    double nothing = share(backUp("second"));
    TableClient orders = tables(first).getTableClient("orders");
    for (int i = 0; i < CHANGED; i++) {
      orders.upsertEntity(order(1_000 + i, "changed"));
    }
    double little = share(backUp("second"));
    System.out.printf(
        "new in a backup: first %.3f, without a change %.3f, 1 %% in one range %.3f%n",
        whole, nothing, little);
    assertThat(nothing).isLessThan(0.02);
    assertThat(little).isLessThan(0.35);

    // Two servers write while one of them makes the backup.
    AtomicInteger acknowledged = new AtomicInteger(-1);
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(second, acknowledged));
    Awaitility.await().until(() -> acknowledged.get() > 10);
    int floor = acknowledged.get();
    Ran made = backUp("first");
    writer.cancel(false);
    acknowledged.set(Integer.MIN_VALUE);
    assertThat(made.code).as(made.text).isZero();
    assertThat(run("backup", target(), "--verify", "--rate", "0").code).isZero();

    restoreOne(first, floor);
    restoreAll(cluster, floor);
    assertThat(run("backup", target(), "--prune", "--keep", "1").code).isZero();
    assertThat(run("backup", target(), "--list").text.lines()).hasSize(1);
    assertThat(run("backup", target(), "--verify", "--rate", "0").code).isZero();
  }

  /**
   * The server that makes a backup is killed while it copies, on HDFS. The backups of before stay
   * whole. The other server makes the next one, and removes the clones that the killed one left.
   */
  @Test
  void aServerThatIsKilledWhileItCopiesLeavesTheBackupsWhole() throws Exception {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1).withHdfs())) {
      try (ServerProcess first = ClusterServers.start(cluster, folder.resolve("first"));
          ServerProcess second = ClusterServers.start(cluster, folder.resolve("second"))) {
        fill(first);
        assertThat(backUp("first").code).isZero();
        killWhileCopying(first);
        assertThat(clones(cluster)).isPositive();
        assertThat(run("backup", target(), "--list").text.lines()).hasSize(1);
        assertThat(run("backup", target(), "--verify", "--rate", "0").code).isZero();
        // Another server waits until the dead one has been silent for a minute.
        Awaitility.await()
            .atMost(Duration.ofMinutes(3))
            .pollInterval(Duration.ofSeconds(5))
            .until(() -> backUp("second").code == 0);
        assertThat(clones(cluster)).isZero();
        assertThat(run("backup", target(), "--prune", "--keep", "1").code).isZero();
        Ran verified = run("backup", target(), "--verify", "--rate", "0");
        assertThat(verified.code).as(verified.text).isZero();
        Ran restored = restoreFiles("second");
        assertThat(restored.code).as(restored.text).isZero();
        assertBlobs(container(second, "files-again"), 0, NEW_BLOBS);
      }
    }
  }

  private void killWhileCopying(ServerProcess server) throws Exception {
    BlobContainerClient container = container(server, "files");
    for (int i = BLOBS; i < NEW_BLOBS; i++) {
      container.getBlobClient("b" + i).upload(BinaryData.fromBytes(content(i)), true);
    }
    long before = objects();
    CompletableFuture<Ran> killed =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run("backup", target(), "--data", data("first"), "--rate", "1");
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> objects() >= before + 3);
    server.kill();
    Ran ran = killed.get();
    assertThat(ran.code).as(ran.text).isNotZero();
  }

  private long objects() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(target()))) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  /** Returns the number of regions of clones, which only a backup needs. */
  private static long clones(Cluster cluster) {
    return cluster.regions().stream().filter(region -> region.table().contains("backup")).count();
  }

  private void fill(ServerProcess server) {
    TableServiceClient tables = tables(server);
    TableClient orders = tables.createTable("orders");
    tables.createTable("counters");
    for (int from = 0; from < ENTITIES; from += BATCH) {
      orders.submitTransaction(
          IntStream.range(from, from + BATCH)
              .mapToObj(i -> new TableTransactionAction(CREATE, order(i, "new")))
              .toList());
    }
    QueueClient queue = queue(server, "jobs");
    queue.create();
    queue.sendMessage("first");
    queue.sendMessage("second");
    BlobContainerClient container = container(server, "files");
    container.create();
    for (int i = 0; i < BLOBS; i++) {
      container.getBlobClient("b" + i).upload(BinaryData.fromBytes(content(i)), true);
    }
  }

  /** Writes pairs of entities in one transaction, and a blob with the same number. */
  private static void write(ServerProcess server, AtomicInteger acknowledged) {
    TableClient counters = tables(server).getTableClient("counters");
    BlobContainerClient container = container(server, "files");
    for (int i = 0; acknowledged.get() == i - 1; i++) {
      String number = String.valueOf(i);
      counters.submitTransaction(List.of(upsert("a", number), upsert("b", number)));
      container.getBlobClient("moving").upload(BinaryData.fromBytes(content(i)), true);
      acknowledged.compareAndSet(i - 1, i);
    }
  }

  private static TableTransactionAction upsert(String row, String number) {
    return new TableTransactionAction(
        TableTransactionActionType.UPSERT_REPLACE,
        new TableEntity("p", row).addProperty("N", number));
  }

  private void restoreOne(ServerProcess server, int floor) throws Exception {
    Ran table =
        run(
            "restore",
            target(),
            "--table",
            "devstoreaccount1/orders",
            "--as",
            "ordersagain",
            "--data",
            data("first"));
    assertThat(table.code).as(table.text).isZero();
    TableServiceClient tables = tables(server);
    assertThat(tables.getTableClient("ordersagain").listEntities().stream()).hasSize(ENTITIES);
    assertThat(tables.getTableClient("ordersagain").getEntity("p", row(7)).getETag())
        .isEqualTo(tables.getTableClient("orders").getEntity("p", row(7)).getETag());
    Ran container = restoreFiles("first");
    assertThat(container.code).as(container.text).isZero();
    assertBlobs(container(server, "files-again"), floor);
  }

  private Ran restoreFiles(String server) throws Exception {
    return run(
        "restore",
        target(),
        "--container",
        "devstoreaccount1/files",
        "--as",
        "files-again",
        "--data",
        data(server));
  }

  private void restoreAll(Cluster cluster, int floor) throws Exception {
    Path site = folder.resolve("restored-site.xml");
    Files.writeString(
        site,
        Files.readString(cluster.clientConfig())
            .replace(
                "</configuration>",
                "<property><name>lazuli.namespace</name><value>again</value></property>"
                    + "</configuration>"));
    Ran refused = restore(cluster.clientConfig());
    assertThat(refused.code).isEqualTo(1);
    assertThat(refused.text).contains("has tables");
    Ran restored = restore(site);
    assertThat(restored.code).as(restored.text).isZero();
    Path engine =
        AccountUnderTest.serverJar().resolve("../../../lazuli-storage-hbase/target/engine");
    try (ServerProcess server =
        ServerProcess.start(
            AccountUnderTest.serverJar(),
            folder.resolve("third"),
            List.of("-Dlazuli.engine.hbase=" + engine.normalize()),
            List.of("--engine", "hbase", "--engine-config", site.toString()))) {
      TableServiceClient tables = tables(server);
      assertThat(tables.getTableClient("orders").listEntities().stream()).hasSize(ENTITIES);
      assertThat(tables.getTableClient("orders").getEntity("p", row(1_000)).getProperty("State"))
          .isEqualTo("changed");
      TableClient counters = tables.getTableClient("counters");
      String counted = (String) counters.getEntity("p", "a").getProperty("N");
      assertThat(counters.getEntity("p", "b").getProperty("N")).isEqualTo(counted);
      assertThat(Integer.parseInt(counted)).isGreaterThanOrEqualTo(floor);
      assertThat(queue(server, "jobs").getProperties().getApproximateMessagesCountLong())
          .isEqualTo(2);
      assertBlobs(container(server, "files"), floor);
      tables.createTable("later").createEntity(order(0, "new"));
      assertThat(tables.getTableClient("later").listEntities().stream()).hasSize(1);
    }
  }

  private Ran restore(Path site) throws Exception {
    return run(
        "restore",
        target(),
        "--data",
        data("third"),
        "--engine",
        "hbase",
        "--engine-config",
        site.toString());
  }

  private static void assertBlobs(BlobContainerClient container, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(container.getBlobClient("b" + i).downloadContent().toBytes())
          .isEqualTo(content(i));
    }
  }

  private static void assertBlobs(BlobContainerClient container, int floor) {
    assertBlobs(container, 0, BLOBS);
    byte[] moving = container.getBlobClient("moving").downloadContent().toBytes();
    int number = ByteBuffer.wrap(moving).getInt();
    assertThat(number).isGreaterThanOrEqualTo(floor);
    assertThat(moving).isEqualTo(content(number));
  }

  /** Returns the share of a backup that was new. */
  private static double share(Ran ran) {
    assertThat(ran.code).as(ran.text).isZero();
    Matcher found = COPIED.matcher(ran.text);
    assertThat(found.find()).as(ran.text).isTrue();
    return Double.parseDouble(found.group(2)) / Double.parseDouble(found.group(1));
  }

  private Ran backUp(String server) throws Exception {
    return run("backup", target(), "--data", data(server), "--json", "--rate", "0");
  }

  private static Ran run(String... arguments) throws IOException, InterruptedException {
    Path engine =
        AccountUnderTest.serverJar().resolve("../../../lazuli-storage-hbase/target/engine");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-Dlazuli.engine.hbase=" + engine.normalize()));
    command.addAll(List.of("-jar", AccountUnderTest.serverJar().toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), text);
  }

  private String target() {
    return folder.resolve("target").toString();
  }

  private String data(String server) {
    return folder.resolve(server).resolve("data").toString();
  }

  private static TableEntity order(int number, String state) {
    byte[] text = new byte[750];
    new Random(number).nextBytes(text);
    return new TableEntity("p", row(number)).addProperty("State", state).addProperty("Bytes", text);
  }

  private static String row(int number) {
    return "r%06d".formatted(number);
  }

  /** Returns bytes that begin with their number; some have several parts. */
  private static byte[] content(int number) {
    byte[] bytes = new byte[100_000 + number % 3 * 900_000];
    new Random(number).nextBytes(bytes);
    ByteBuffer.wrap(bytes).putInt(number);
    return bytes;
  }

  private static TableServiceClient tables(ServerProcess server) {
    return new TableServiceClientBuilder()
        .connectionString(server.account(StorageService.TABLE).connectionString())
        .buildClient();
  }

  private static QueueClient queue(ServerProcess server, String name) {
    return new QueueClientBuilder()
        .connectionString(server.account(StorageService.QUEUE).connectionString())
        .queueName(name)
        .buildClient();
  }

  private static BlobContainerClient container(ServerProcess server, String name) {
    return new BlobServiceClientBuilder()
        .connectionString(server.account(StorageService.BLOB).connectionString())
        .buildClient()
        .getBlobContainerClient(name);
  }
}
