package io.lazuli.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.storage.PartitionMap;
import io.lazuli.storage.PartitionMap.Action;
import io.lazuli.storage.PartitionMap.HotPartition;
import io.lazuli.storage.PartitionMap.Node;
import io.lazuli.storage.PartitionMap.Range;
import io.lazuli.storage.PartitionMap.Totals;
import io.lazuli.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks what operators of a cluster see. */
class PartitionsEndpointTest {
  private static final PartitionMap MAP =
      new PartitionMap(
          "on, this server leads",
          List.of(new Node("one:1", 1, 8.04, true), new Node("two:2", 0, 0, false)),
          List.of(
              new Range("tables", "", "acme/Orders/m", "one:1", 8.04, 12.34, 5, 3 << 20),
              new Range("tables", "acme/Orders/m", "", "two:2", 700, 1_200.55, 0, 0)),
          List.of(new HotPartition("tables", "acme/Orders/m", 900.04)),
          List.of(
              new Action(
                  Instant.parse("2034-01-01T00:00:00Z"),
                  "split tables … to … at acme/Orders/m",
                  "it says \"hot\"",
                  "done in 1.2 s")),
          new Totals(1, 2, 5, 3, 4));

  private final WorkerPool workers = new WorkerPool("test", 1, 1);

  @AfterEach
  void close() {
    workers.close();
  }

  @Test
  void theMapIsReturnedAsJson() {
    Response answer = ask(PartitionsEndpointTest::map);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(body(answer))
        .isEqualTo(
            "{\"balancing\":\"on, this server leads\",\"nodes\":["
                + "{\"server\":\"one:1\",\"ranges\":1,\"requestsPerSecond\":8.0,\"answers\":true},"
                + "{\"server\":\"two:2\",\"ranges\":0,\"requestsPerSecond\":0.0,\"answers\":false}],"
                + "\"ranges\":["
                + "{\"table\":\"tables\",\"from\":\"\",\"to\":\"acme/Orders/m\",\"server\":\"one:1\","
                + "\"requestsPerSecond\":8.0,"
                + "\"readsPerSecond\":12.3,\"writesPerSecond\":5.0,\"bytes\":3145728},"
                + "{\"table\":\"tables\",\"from\":\"acme/Orders/m\",\"to\":\"\",\"server\":\"two:2\","
                + "\"requestsPerSecond\":700.0,"
                + "\"readsPerSecond\":1200.6,\"writesPerSecond\":0.0,\"bytes\":0}],"
                + "\"hottest\":[{\"table\":\"tables\",\"partition\":\"acme/Orders/m\","
                + "\"requestsPerSecond\":900.0}],"
                + "\"actions\":[{\"time\":\"2034-01-01T00:00:00Z\","
                + "\"what\":\"split tables … to … at acme/Orders/m\","
                + "\"why\":\"it says \\\"hot\\\"\",\"outcome\":\"done in 1.2 s\"}],"
                + "\"totals\":{\"splits\":1,\"merges\":2,\"moves\":5,\"tooHot\":3,\"failed\":4}}");
  }

  @Test
  void aRequestThatAcceptsTextGetsTables() {
    Response answer = ask(PartitionsEndpointTest::map, "Accept", "text/plain");
    assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(body(answer))
        .isEqualTo(
            """
            balancing: on, this server leads
            so far: 1 splits, 2 merges, 5 moves, 4 failed, 3 partitions too hot

            node   ranges  requests/s
            one:1       1         8.0
            two:2       ?           ?

            table   from           to             server  requests/s  reads/s  writes/s  MiB
            tables  …              acme/Orders/m  one:1          8.0     12.3       5.0  3.0
            tables  acme/Orders/m  …              two:2        700.0   1200.6       0.0  0.0

            table   hottest partitions  requests/s
            tables  acme/Orders/m            900.0

            last actions
            2034-01-01T00:00:00Z  split tables … to … at acme/Orders/m
                why: it says "hot"
                outcome: done in 1.2 s
            """);
  }

  @Test
  void anEngineOfOneNodeSaysSo() {
    assertThat(body(ask(PartitionsEndpointTest::none)))
        .startsWith("{\"balancing\":\"one node holds everything\",\"nodes\":[],\"ranges\":[]");
    assertThat(body(ask(PartitionsEndpointTest::none, "Accept", "text/plain")))
        .isEqualTo("balancing: one node holds everything\n");
  }

  @Test
  void aClusterThatDoesNotAnswerIsUnavailable() {
    Response answer =
        ask(
            () ->
                CompletableFuture.failedFuture(
                    new StorageException(StorageException.Kind.UNAVAILABLE, "no answer")));
    assertThat(answer.status()).isEqualTo(503);
  }

  @Test
  void itIsReadOnly() {
    PartitionsEndpoint endpoint = new PartitionsEndpoint(PartitionsEndpointTest::map, workers);
    assertThatThrownBy(() -> endpoint.handle(TestRequests.of("DELETE", "/partitions")))
        .isInstanceOf(ServiceException.class);
  }

  private static CompletableFuture<Optional<PartitionMap>> none() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  private static CompletableFuture<Optional<PartitionMap>> map() {
    return CompletableFuture.completedFuture(Optional.of(MAP));
  }

  private Response ask(Supplier<CompletableFuture<Optional<PartitionMap>>> map, String... headers) {
    return new PartitionsEndpoint(map, workers)
        .handle(TestRequests.of("GET", "/partitions", headers))
        .toCompletableFuture()
        .join();
  }

  private static String body(Response answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
