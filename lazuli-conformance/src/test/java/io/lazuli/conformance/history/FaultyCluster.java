package io.lazuli.conformance.history;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliJars;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.cluster.LazuliPorts;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** A cluster with two packed servers, for clients that use both while faults happen. */
final class FaultyCluster implements AutoCloseable {
  private static final Duration STANDSTILL_MAX = Duration.ofMinutes(5);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final String PROBE = "probe";
  private static final int SERVERS = 2;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(ANSWER_MAX)
          .build();
  private final Cluster cluster;
  private final List<LazuliNode> servers = new CopyOnWriteArrayList<>();

  FaultyCluster(ClusterSpec spec) {
    this(spec, clientConfig -> {});
  }

  /**
   * @param configure changes the configuration of the servers before they start
   */
  FaultyCluster(ClusterSpec spec, Consumer<Path> configure) {
    cluster = Cluster.start(spec);
    configure.accept(cluster.clientConfig());
    for (int number = 0; number < SERVERS; number++) {
      servers.add(cluster.addLazuli(jars(), "hbase", LazuliPorts.free()));
    }
    servers.forEach(LazuliNode::connectionString);
  }

  /** Returns the packed server of this build. */
  static LazuliJars jars() {
    Path jar = AccountUnderTest.serverJar();
    Path engine = jar.resolve("../../../lazuli-storage-hbase/target/engine").normalize();
    return new LazuliJars(jar, engine);
  }

  /**
   * Ends a server, starts another one in its place, and waits until that one is ready.
   *
   * @param orderly whether the server is asked to stop; else it is killed
   */
  void replace(int number, LazuliJars jars, boolean orderly) {
    ClusterProcess process = servers.get(number).process();
    if (orderly) {
      process.stop(STANDSTILL_MAX);
    } else {
      process.kill();
    }
    LazuliNode replacement = cluster.addLazuli(jars, "hbase", LazuliPorts.free());
    replacement.connectionString();
    servers.set(number, replacement);
  }

  Cluster cluster() {
    return cluster;
  }

  List<LazuliNode> servers() {
    return servers;
  }

  /** Returns the clients of tables, queues and blobs whose names begin with a word. */
  HistoryRun run(String name, long seed) {
    return new HistoryRun(this::anyPorts, token(), name, seed);
  }

  /** Returns all processes. */
  List<ClusterProcess> processes() {
    List<ClusterProcess> all = new ArrayList<>();
    servers.forEach(server -> all.add(server.process()));
    all.addAll(cluster.regionServers());
    all.add(cluster.master());
    all.addAll(cluster.dataNodes());
    all.add(cluster.nameNode());
    all.add(cluster.zooKeeper());
    return all;
  }

  /**
   * Restarts the processes that have ended themselves, and waits until both servers write and read
   * in all services. The servers themselves must go on without a restart.
   */
  Recovery recover() {
    long begin = System.nanoTime();
    List<String> restarted = new ArrayList<>();
    Awaitility.await()
        .atMost(STANDSTILL_MAX)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              restarted.addAll(restartEnded());
              return servers.stream().allMatch(this::serves);
            });
    return new Recovery(restarted, Duration.ofNanos(System.nanoTime() - begin));
  }

  /**
   * What it took to have everything served again.
   *
   * @param restarted the processes of the cluster that had ended themselves
   */
  record Recovery(List<String> restarted, Duration time) {
    @Override
    public String toString() {
      return "served after %.1f s%s"
          .formatted(
              time.toMillis() / 1_000.0,
              restarted.isEmpty() ? "" : ", ended and restarted: " + restarted);
    }
  }

  private List<String> restartEnded() {
    List<String> restarted = new ArrayList<>();
    for (ClusterProcess process : processes()) {
      if (!process.alive()) {
        if (isServer(process)) {
          throw new AssertionError(process.name() + " has ended");
        }
        process.restart();
        restarted.add(process.name());
      }
    }
    return restarted;
  }

  private boolean isServer(ClusterProcess process) {
    return servers.stream().anyMatch(server -> server.process() == process);
  }

  /** Returns true if a server writes and reads an entity, a message and a blob. */
  boolean serves(LazuliNode server) {
    String entities = server.tableEndpoint() + "/" + PROBE;
    String blobs = server.blobEndpoint() + "/" + PROBE;
    String queue = server.queueEndpoint() + "/" + PROBE;
    String entity = "(PartitionKey='p',RowKey='r')";
    String message = "<QueueMessage><MessageText>m</MessageText></QueueMessage>";
    return isAnswered("POST", server.tableEndpoint() + "/Tables", "{\"TableName\":\"probe\"}")
        && isAnswered("PUT", entities + entity, "{\"a\":1}")
        && isAnswered("GET", entities + entity, "")
        && isAnswered("PUT", queue, "")
        && isAnswered("POST", queue + "/messages", message)
        && isAnswered("DELETE", queue + "/messages", "")
        && isAnswered("PUT", blobs + "?restype=container", "")
        && isAnswered("PUT", blobs + "/blob", "content")
        && isAnswered("GET", blobs + "/blob", "");
  }

  /** Returns true if the request is not refused: what it creates may be there. */
  private boolean isAnswered(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(path + (path.contains("?") ? "&" : "?") + token()))
            .timeout(ANSWER_MAX)
            .header("x-ms-version", "2021-12-02")
            .header("x-ms-blob-type", "BlockBlob")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() < 300 || response.statusCode() == 409) {
        return true;
      } else if (response.statusCode() < 500) {
        throw new AssertionError(method + " " + path + ": " + response + response.body());
      }
      return false;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the ports of one of the servers. A client that finds it dead asks again. */
  private Ports anyPorts() {
    LazuliNode server = servers.get(ThreadLocalRandom.current().nextInt(servers.size()));
    return new Ports(
        server.tableEndpoint().getHost(),
        server.tableEndpoint().getPort(),
        server.queueEndpoint().getPort(),
        server.blobEndpoint().getPort());
  }

  private String token() {
    Account account = Account.development(StorageService.TABLE, servers.get(0).tableEndpoint());
    return SharedAccess.ofAccount(account)
        .with("ss", "bqt")
        .with("se", SharedAccess.time(Duration.ofDays(1)))
        .permissions("rwdlacup")
        .token();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
