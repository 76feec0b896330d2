package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Each fault of a rehearsal reaches an official client when it is enabled, and never otherwise. */
class RehearsalIT {
  private static final HttpHeaderName NEXT_PARTITION =
      HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");
  private static final HttpHeaderName NEXT_ROW =
      HttpHeaderName.fromString("x-ms-continuation-NextRowKey");
  private static final int PARTITIONS = 3;
  private static final int ROWS = 100;
  private static final int LISTINGS = 10;

  @TempDir private Path folder;

  /** Records the answers of clients that do not retry. */
  private final Answers answers = new Answers();

  @Test
  void pagesEndEarlyAreEmptyAndHaveTokensWithoutARow() {
    try (ServerProcess server = start("cut-pages=50,empty-pages=30,partition-tokens=50,seed=3")) {
      TableClient table = filled(server);
      answers.clear();
      for (int i = 0; i < LISTINGS; i++) {
        assertThat(table.listEntities().stream())
            .extracting(entity -> entity.getPartitionKey() + entity.getRowKey())
            .hasSize(PARTITIONS * ROWS)
            .isSorted()
            .doesNotHaveDuplicates();
      }
      assertThat(answers.pages)
          .as("the number of pages, which must exceed what is needed")
          .hasSizeGreaterThan(2 * LISTINGS);
      assertThat(answers.pages).anyMatch(page -> page.isEmpty && page.hasPartition);
      assertThat(answers.pages).anyMatch(page -> page.hasPartition && !page.hasRow);
      assertThat(answers.pages).anyMatch(page -> page.hasPartition && page.hasRow);
    }
  }

  @Test
  void aShareOfTheRequestsIsToldThatTheServerIsBusy() {
    try (ServerProcess server = start("busy=50,seed=5")) {
      List<Integer> first = statuses(client(server), 40);
      assertThat(first).containsOnly(200, 503).contains(200, 503);
      assertThat(answers.codes).contains("ServerBusy");
    }
  }

  @Test
  void theSameSeedGivesTheSameTrouble() {
    List<List<Integer>> runs = new ArrayList<>();
    for (String seed : List.of("8", "8", "9")) {
      Path own = folder.resolve("run" + runs.size());
      try (ServerProcess server = start(own, "busy=30,timeout-before=30,seed=" + seed)) {
        runs.add(statuses(client(server), 40));
      }
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1)).isNotEqualTo(runs.get(2));
  }

  @Test
  void aTimeOutBeforeTheWriteChangesNothing() {
    try (ServerProcess server = start("timeout-before=50,seed=2")) {
      TableClient table = insisting(server).getTableClient("before");
      insisting(server).createTableIfNotExists("before");
      List<Integer> lost = insertAll(client(server).getTableClient("before"));
      assertThat(lost).isNotEmpty();
      assertThat(table.listEntities()).hasSize(40 - lost.size());
    }
  }

  @Test
  void aTimeOutAfterTheWriteHidesThatItTookPlace() {
    try (ServerProcess server = start("timeout-after=50,seed=2")) {
      insisting(server).createTableIfNotExists("after");
      List<Integer> lost = insertAll(client(server).getTableClient("after"));
      assertThat(lost).isNotEmpty();
      assertThat(client(server).getTableClient("after").listEntities()).hasSize(40);
    }
  }

  @Test
  void theNameOfADeletedTableCannotBeUsedForAWhile() {
    try (ServerProcess server = start("deleting=40")) {
      TableServiceClient client = client(server);
      TableClient table = client.createTable("again");
      client.deleteTable("again");
      assertCode("TableBeingDeleted", () -> client.createTable("again"));
      assertCode("TableBeingDeleted", () -> table.createEntity(new TableEntity("p", "r")));
      client.createTable("other");
    }
  }

  @Test
  void answersAreDelayed() {
    try (ServerProcess server = start("latency=300,seed=1")) {
      // Each of the ten answers has a random delay of up to 300 ms; a slow machine only adds to it.
      assertThat(nanosOfTen(client(server))).isGreaterThan(500_000_000);
    }
  }

  /** Returns the time of ten requests. Three requests before them warm up the client. */
  private static long nanosOfTen(TableServiceClient client) {
    statuses(client, 3);
    long begin = System.nanoTime();
    statuses(client, 10);
    return System.nanoTime() - begin;
  }

  @Test
  void withoutARehearsalThereIsNoTrouble() {
    try (ServerProcess server = ServerProcess.start(AccountUnderTest.serverJar(), folder)) {
      TableClient table = filled(server);
      answers.clear();
      assertThat(table.listEntities()).hasSize(PARTITIONS * ROWS);
      assertThat(answers.pages).hasSize(1);
      assertThat(statuses(client(server), 100)).containsOnly(200);
      TableServiceClient client = client(server);
      client.deleteTable("pages");
      client.createTable("pages");
    }
  }

  private ServerProcess start(String trouble) {
    return start(folder, trouble);
  }

  private static ServerProcess start(Path folder, String trouble) {
    return ServerProcess.start(
        AccountUnderTest.serverJar(), folder, List.of(), List.of("--rehearse", trouble));
  }

  private TableClient filled(ServerProcess server) {
    TableClient table = client(server).createTable("pages");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<TableTransactionAction> inserts = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        inserts.add(
            new TableTransactionAction(
                TableTransactionActionType.CREATE,
                new TableEntity("p" + partition, String.format("%03d", row))));
      }
      table.submitTransaction(inserts);
    }
    return table;
  }

  /** Inserts forty entities with one request each. Returns the numbers of those that failed. */
  private static List<Integer> insertAll(TableClient table) {
    List<Integer> failed = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      try {
        table.createEntity(new TableEntity("p", "r" + i));
      } catch (TableServiceException e) {
        assertThat(e.getValue().getErrorCode().toString()).isEqualTo("OperationTimedOut");
        failed.add(i);
      }
    }
    return failed;
  }

  private static List<Integer> statuses(TableServiceClient client, int requests) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      try {
        client.listTables().forEach(table -> {});
        statuses.add(200);
      } catch (HttpResponseException e) {
        statuses.add(e.getResponse().getStatusCode());
      }
    }
    return statuses;
  }

  private static void assertCode(String code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            TableServiceException.class,
            e -> assertThat(e.getValue().getErrorCode()).hasToString(code));
  }

  private TableServiceClient client(ServerProcess server) {
    return builder(server, 0).addPolicy(answers).buildClient();
  }

  /** Returns a client that retries until it succeeds. */
  private static TableServiceClient insisting(ServerProcess server) {
    return builder(server, 100).buildClient();
  }

  private static TableServiceClientBuilder builder(ServerProcess server, int retries) {
    FixedDelayOptions delay = new FixedDelayOptions(retries, Duration.ofMillis(1));
    return new TableServiceClientBuilder()
        .connectionString(server.account(StorageService.TABLE).connectionString())
        .retryPolicy(new RetryPolicy(new RetryOptions(delay)));
  }

  /** One page of an answer, described by its headers and its body. */
  private record Page(boolean isEmpty, boolean hasPartition, boolean hasRow) {}

  /** Records parts of the answers that the client does not show. */
  private static final class Answers implements HttpPipelinePolicy {
    private final List<Page> pages = new ArrayList<>();
    private final List<String> codes = new ArrayList<>();

    void clear() {
      pages.clear();
      codes.clear();
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
      return next.process().map(this::note);
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext call, HttpPipelineNextSyncPolicy next) {
      return note(next.processSync());
    }

    private HttpResponse note(HttpResponse answer) {
      HttpResponse kept = answer.buffer();
      String body = String.valueOf(kept.getBodyAsString().block());
      if (kept.getStatusCode() >= 400) {
        codes.add(
            String.valueOf(kept.getHeaderValue(HttpHeaderName.fromString("x-ms-error-code"))));
      } else if (body.contains("\"value\":[")) {
        pages.add(
            new Page(
                body.contains("\"value\":[]"),
                kept.getHeaderValue(NEXT_PARTITION) != null,
                kept.getHeaderValue(NEXT_ROW) != null));
      }
      return kept;
    }
  }
}
