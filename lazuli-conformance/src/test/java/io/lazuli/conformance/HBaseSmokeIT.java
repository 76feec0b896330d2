package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.sas.TableSasSignatureValues;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packed server on a real HBase cluster, as users see it: one server, and two servers with the
 * same data.
 */
class HBaseSmokeIT {
  private static final int MESSAGES = 120;
  private static final int CONSUMERS = 8;
  private static final int INCREMENTS = 20;

  @TempDir private static Path folder;
  private static Cluster cluster;
  private static ServerProcess first;
  private static ServerProcess second;

  /** Starts the smallest real cluster and two servers. */
  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterSpec.inOneProcess());
    first = ClusterServers.start(cluster, folder.resolve("first"));
    second = ClusterServers.start(cluster, folder.resolve("second"));
  }

  @AfterAll
  static void stop() {
    Stream.of(first, second).filter(Objects::nonNull).forEach(ServerProcess::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Runs areas that are small and use much of the engine. */
  @Test
  void someCasesOfEachServicePassOnASmallCluster() throws IOException {
    assertPassed(StorageService.TABLE, 25, "paging");
    assertPassed(StorageService.QUEUE, 10, "concurrency");
    assertPassed(StorageService.BLOB, 10, "batch");
  }

  private static void assertPassed(StorageService service, int min, String area)
      throws IOException {
    String base = first.account(service).base();
    ClusterServers.assertPassed(base, service, min, "--area", area);
  }

  @Test
  void aTableThatOneServerDeletedIsGoneForTheOther() {
    TableServiceClient here = tables(first);
    TableClient there = tables(second).getTableClient("dropped");
    for (int round = 0; round < 3; round++) {
      here.createTable("dropped");
      there.createEntity(new TableEntity("p", "r" + round));
      here.deleteTable("dropped");
      assertThatThrownBy(() -> there.createEntity(new TableEntity("p", "late")))
          .isInstanceOfSatisfying(
              TableServiceException.class,
              e -> assertThat(e.getValue().getErrorCode()).hasToString("TableNotFound"));
    }
    here.createTable("dropped");
    assertThat(there.listEntities()).isEmpty();
  }

  @Test
  void aPolicyThatOneServerTookAwayServesNowhere() {
    TableServiceClient here = tables(first);
    here.createTable("policies").createEntity(new TableEntity("p", "r"));
    TableClient owner = here.getTableClient("policies");
    owner.setAccessPolicies(
        List.of(
            new TableSignedIdentifier("readers")
                .setAccessPolicy(
                    new TableAccessPolicy()
                        .setPermissions("r")
                        .setExpiresOn(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)))));
    TableClient reader =
        new TableClientBuilder()
            .endpoint(second.account(StorageService.TABLE).base())
            .sasToken(owner.generateSas(new TableSasSignatureValues("readers")))
            .tableName("policies")
            .buildClient();
    assertThat(reader.getEntity("p", "r").getRowKey()).isEqualTo("r");
    owner.setAccessPolicies(List.of());
    assertThatThrownBy(() -> reader.getEntity("p", "r"))
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(403));
  }

  @Test
  void incrementsThroughBothServersAreAllCounted() throws Exception {
    tables(first).createTable("counters").createEntity(counter(0));
    List<Callable<Void>> clients = new ArrayList<>();
    for (ServerProcess server : List.of(first, second, first, second)) {
      TableClient table = tables(server).getTableClient("counters");
      clients.add(
          () -> {
            for (int i = 0; i < INCREMENTS; i++) {
              increment(table);
            }
            return null;
          });
    }
    runAll(clients);
    TableEntity counter = tables(second).getTableClient("counters").getEntity("p", "counter");
    assertThat(counter.getProperty("N")).isEqualTo(4 * INCREMENTS);
  }

  @Test
  void eightConsumersOfTwoServersGetEveryMessageOnce() throws Exception {
    QueueClient queue = queue(first);
    queue.create();
    for (int i = 0; i < MESSAGES; i++) {
      queue(i % 2 == 0 ? first : second).sendMessage("m" + i);
    }
    List<String> received = Collections.synchronizedList(new ArrayList<>());
    List<Callable<Void>> consumers = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      QueueClient own = queue(i % 2 == 0 ? first : second);
      consumers.add(
          () -> {
            while (received.size() < MESSAGES) {
              own.receiveMessages(4)
                  .forEach(
                      message -> {
                        received.add(message.getBody().toString());
                        own.deleteMessage(message.getMessageId(), message.getPopReceipt());
                      });
            }
            return null;
          });
    }
    runAll(consumers);
    assertThat(received).hasSize(MESSAGES).doesNotHaveDuplicates();
    assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
  }

  private static TableEntity counter(int number) {
    return new TableEntity("p", "counter").addProperty("N", number);
  }

  /**
   * Increments the counter as clients do: reads it, replaces it if nobody else has changed it, and
   * otherwise tries again.
   */
  private static void increment(TableClient table) {
    while (true) {
      TableEntity entity = table.getEntity("p", "counter");
      entity.addProperty("N", (int) entity.getProperty("N") + 1);
      try {
        table.updateEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, true, null, null);
        return;
      } catch (TableServiceException e) {
        assertThat(e.getResponse().getStatusCode()).isEqualTo(412);
      }
    }
  }

  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static TableServiceClient tables(ServerProcess server) {
    return new TableServiceClientBuilder()
        .connectionString(server.account(StorageService.TABLE).connectionString())
        .buildClient();
  }

  private static QueueClient queue(ServerProcess server) {
    return new QueueClientBuilder()
        .connectionString(server.account(StorageService.QUEUE).connectionString())
        .queueName("shared")
        .buildClient();
  }
}
