package io.lazuli.server.console;

import static io.lazuli.server.ConsoleClient.encoded;
import static io.lazuli.server.console.ConsoleTablesTest.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.OfflineStore;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Browses a large table, queue and container with the console's routes, and prints the time of each
 * page. A page must read about as much as it shows, wherever it is.
 */
@Tag("long")
class BrowseScaleIT {
  /** A smaller number for a quick look: {@code -Dbrowse.entities=100000}. */
  private static final int ENTITIES = Integer.getInteger("browse.entities", 10_000_000);

  /** The messages, and the blobs. */
  private static final int ITEMS = Integer.getInteger("browse.items", 1_000_000);

  private static final Caller OWNER = new Caller(ConsoleClient.ACCOUNT, false);
  private static final int TRANSACTION = 100;
  private static final int PARTITION = 1_000;
  private static final int AT_ONCE = 500;
  private static final int PAGE = 200;
  private static final int RUNS = 9;

  /** A page that reads everything takes longer, on any machine. */
  private static final double COLLAPSE_MILLIS = 2_000;

  @TempDir private Path folder;

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void pagesOfLargeTablesQueuesAndContainersAreQuick() {
    ServerConfig.Builder config =
        ServerConfig.builder().dataFolder(folder).durability(Durability.RELAXED);
    try (OfflineStore store = OfflineStore.open(config.build().store())) {
      timed(ENTITIES + " entities stored", () -> fill(store.tables()));
      timed(ITEMS + " messages stored", () -> fill(store.queues()));
      timed(ITEMS + " blobs stored", () -> fill(store.blobs()));
    }
    try (ConsoleClient console = new ConsoleClient(config)) {
      assertThat(console.admin("GET", "/tables", "").status()).isEqualTo(200);
      browseTable(console);
      browseQueue(console);
      browseContainer(console);
      System.out.printf("heap: at most %d MiB%n", Runtime.getRuntime().maxMemory() / (1 << 20));
    }
  }

  private static void timed(String what, Runnable work) {
    long begin = System.nanoTime();
    work.run();
    System.out.printf(Locale.ROOT, "%s in %.0f s%n", what, (System.nanoTime() - begin) / 1e9);
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofMinutes(1));
  }

  private static <R> R join(CompletionStage<R> stage) {
    return stage.toCompletableFuture().join();
  }

  /** Does many things, some at the same time. */
  private static void each(int count, IntFunction<CompletionStage<?>> work) {
    List<CompletableFuture<?>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(work.apply(i).toCompletableFuture());
      if (running.size() == AT_ONCE || i == count - 1) {
        CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new)).join();
        running.clear();
      }
    }
  }

  private static String partition(int entity) {
    return "p%06d".formatted(entity / PARTITION);
  }

  private static void fill(TableService tables) {
    TableName table = TableName.require("Large");
    TableOutcome created =
        join(tables.execute(new TableOperation.CreateTable(table), OWNER, deadline()));
    assertThat(created).isInstanceOf(TableOutcome.TableCreated.class);
    each(
        ENTITIES / TRANSACTION,
        transaction -> {
          List<EntityWrite> writes = new ArrayList<>(TRANSACTION);
          for (int i = 0; i < TRANSACTION; i++) {
            int entity = transaction * TRANSACTION + i;
            writes.add(
                new EntityWrite.Insert(
                    new EntityKey(partition(entity), "r%03d".formatted(entity % PARTITION)),
                    List.of(new Property("Number", new EdmValue.Int32Value(entity)))));
          }
          return tables
              .execute(new TableOperation.WriteEntities(table, writes), OWNER, deadline())
              .thenAccept(written -> assertThat(written).isInstanceOf(TableOutcome.Written.class));
        });
  }

  private static void fill(QueueService queues) {
    QueueName queue = QueueName.require("large");
    Object unused =
        join(
            queues.execute(
                new QueueOperation.CreateQueue(queue, Metadata.NONE), OWNER, deadline()));
    each(
        ITEMS,
        message ->
            queues.execute(
                new QueueOperation.PutMessage(
                    queue,
                    ("message " + message).getBytes(StandardCharsets.UTF_8),
                    null,
                    Duration.ZERO),
                OWNER,
                deadline()));
  }

  private static String blob(int number) {
    return "%02d/blob%07d".formatted(number % 50, number);
  }

  private static void fill(BlobService blobs) {
    ContainerName container = new ContainerName("large");
    Object unused =
        join(
            blobs.execute(
                new BlobOperation.CreateContainer(container, Map.of(), PublicAccess.NONE),
                OWNER,
                deadline()));
    BlobSettings settings = new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null);
    each(
        ITEMS,
        number ->
            blobs
                .upload(
                    new BlobOperation.PutBlob(
                        new BlobAddress(container, new BlobName(blob(number))),
                        BlobType.BLOCK,
                        settings,
                        RequestTerms.NONE,
                        0,
                        new ExpectedChecksums(null, null)),
                    OWNER,
                    deadline())
                .thenCompose(upload -> upload.end(deadline())));
  }

  /** Asks several times, and prints the time of the first answer and the median of the others. */
  private static Answer asked(String what, Supplier<Answer> request) {
    List<Double> millis = new ArrayList<>();
    Answer answer = null;
    double first = 0;
    String served = "";
    for (int i = 0; i <= RUNS; i++) {
      long begin = System.nanoTime();
      answer = request.get();
      double took = (System.nanoTime() - begin) / 1e6;
      if (i == 0) {
        first = took;
        served = answer.body().contains("\"servedIn\"") ? field(answer, "servedIn") : "-";
      } else {
        millis.add(took);
      }
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
    millis.sort(null);
    double median = millis.get(RUNS / 2);
    System.out.printf(
        Locale.ROOT,
        "%s: first %.1f ms (served in %s), then %.1f ms%n",
        what,
        first,
        served,
        median);
    assertThat(median).as(what).isLessThan(COLLAPSE_MILLIS);
    return Objects.requireNonNull(answer);
  }

  private static int count(Answer answer, String text) {
    return answer.body().split(text, -1).length - 1;
  }

  private static Answer query(ConsoleClient console, String filter, String after) {
    return console.admin(
        "POST",
        "/tables/Large/query",
        "{\"filter\":\"%s\",\"limit\":%d%s}"
            .formatted(filter, PAGE, after.isEmpty() ? "" : ",\"after\":\"" + after + "\""));
  }

  private static void requireNarrow(Answer page) {
    assertThat(Long.parseLong(field(page, "scanned"))).isLessThanOrEqualTo(2 * PAGE);
  }

  private static void browseTable(ConsoleClient console) {
    Answer first = asked("table, first page", () -> query(console, "", ""));
    assertThat(first.body()).contains("\"k\":[\"p000000\",\"r000\"]", "\"r199\"");
    assertThat(count(first, "\"k\":")).isEqualTo(PAGE);
    requireNarrow(first);
    Answer near =
        asked(
            "table, middle found", () -> console.admin("GET", "/tables/Large/near?share=0.5", ""));
    String after = field(near, "after");
    Answer middle = asked("table, page in the middle", () -> query(console, "", after));
    assertThat(count(middle, "\"k\":")).isEqualTo(PAGE);
    requireNarrow(middle);
    String found = near.body().substring(near.body().indexOf("[\"p") + 3).substring(0, 6);
    assertThat(Integer.parseInt(found))
        .as("about the middle")
        .isBetween(ENTITIES / PARTITION / 4, ENTITIES / PARTITION * 3 / 4);
    String last = partition(ENTITIES - 1);
    Answer end =
        asked(
            "table, last page",
            () -> query(console, "PartitionKey eq '" + last + "' and RowKey ge 'r900'", ""));
    assertThat(count(end, "\"k\":")).isEqualTo(100);
    assertThat(end.body()).contains("\"r999\"", "\"next\":null");
    requireNarrow(end);
    String prefix = last.substring(0, 6);
    String filter = "PartitionKey ge '" + prefix + "' and PartitionKey lt '" + prefix + "~'";
    Answer some = asked("table, filter by prefix", () -> query(console, filter, ""));
    assertThat(count(some, "\"k\":")).isEqualTo(PAGE);
    requireNarrow(some);
    Answer keys =
        asked(
            "table, partition keys by prefix",
            () -> console.admin("GET", "/tables/Large/keys?prefix=" + prefix, ""));
    assertThat(keys.body()).contains(prefix);
  }

  private static void browseQueue(ConsoleClient console) {
    String path = "/queues/large/messages?limit=" + PAGE;
    Answer first = asked("queue, first page", () -> console.admin("GET", path, ""));
    assertThat(count(first, "\"id\":")).isEqualTo(PAGE);
    assertThat(first.body()).contains("\"body\":\"message ");
    String after = field(first, "next");
    Answer second =
        asked("queue, next page", () -> console.admin("GET", path + "&after=" + after, ""));
    assertThat(count(second, "\"id\":")).isEqualTo(PAGE);
    assertThat(Long.parseLong(field(second, "scanned"))).isLessThanOrEqualTo(2 * PAGE);
    Answer list = asked("queues, list", () -> console.admin("GET", "/queues", ""));
    assertThat(list.body()).contains("\"messages\":{\"n\":" + ITEMS);
  }

  private static void browseContainer(ConsoleClient console) {
    String path = "/containers/large/blobs?limit=" + PAGE;
    Answer folders =
        asked("container, folders", () -> console.admin("GET", path + "&delimiter=%2F", ""));
    assertThat(count(folders, "\"prefix\":")).isEqualTo(50);
    Answer first = asked("container, first page", () -> console.admin("GET", path, ""));
    assertThat(count(first, "\"name\":")).isEqualTo(PAGE);
    assertThat(first.body()).contains("\"" + blob(0) + "\"");
    Answer middle =
        asked(
            "container, folder in the middle",
            () -> console.admin("GET", path + "&delimiter=%2F&prefix=" + encoded("25/"), ""));
    assertThat(count(middle, "\"name\":")).isEqualTo(PAGE);
    assertThat(middle.body()).contains("\"" + blob(25) + "\"");
    String last = blob(ITEMS - 1);
    Answer end =
        asked(
            "container, last page",
            () ->
                console.admin(
                    "GET", path + "&prefix=" + encoded(last.substring(0, last.length() - 3)), ""));
    assertThat(count(end, "\"name\":")).isEqualTo(20);
    assertThat(end.body()).contains("\"" + last + "\"", "\"next\":null");
  }
}
