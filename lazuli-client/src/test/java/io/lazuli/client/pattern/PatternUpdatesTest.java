package io.lazuli.client.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClientBuilder;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.LossyNetwork;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.copies.AsyncDetailCopies;
import io.lazuli.client.pattern.index.AsyncIndexedTable;
import io.lazuli.client.pattern.indexlist.AsyncListedTable;
import io.lazuli.client.pattern.large.AsyncLargeTable;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.relation.AsyncOneToMany;
import io.lazuli.client.pattern.series.AsyncSeries;
import io.lazuli.client.pattern.wide.AsyncWideTable;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/**
 * The updates of all patterns: each takes effect once although answers are lost and the SDK repeats
 * the writes, and keeps properties that the class does not have.
 */
@NotRehearsed("loses answers itself")
class PatternUpdatesTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey KEY = new EntityKey("p", "r1");
  private static final Counter ZERO = new Counter("p", "r1", "name", 0);
  private static final EntityCodec<Counter> CODEC = EntityCodec.of(Counter.class);

  private final TestClient plain = TestClient.of(ACCOUNT);
  private final String name = plain.newTable();

  record Counter(String partitionKey, String rowKey, String text, int count) {
    Counter plusOne() {
      return new Counter(partitionKey, rowKey, text, count + 1);
    }

    Counter named(String other) {
      return new Counter(partitionKey, rowKey, other, count);
    }
  }

  /** What a new version of the program writes. */
  record NewCounter(String partitionKey, String rowKey, String text, int count, String extra) {}

  /**
   * A pattern.
   *
   * @param insert inserts the counter
   * @param increment adds one to it
   * @param count reads it
   */
  record Pattern(
      String name,
      Function<TableAsyncClient, Mono<?>> insert,
      Function<TableAsyncClient, Mono<?>> increment,
      Function<TableAsyncClient, Mono<Integer>> count) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static AsyncTable<Counter> table(TableAsyncClient client) {
    return AsyncTable.of(client, CODEC);
  }

  private static AsyncIndexedTable<Counter> indexed(TableAsyncClient client) {
    return AsyncIndexedTable.of(table(client), "id_")
        .indexedBy("text_", counter -> Optional.of(counter.text()));
  }

  private static AsyncListedTable<Counter> listed(TableAsyncClient client) {
    return AsyncListedTable.of(table(client))
        .listedBy("list_", counter -> Optional.of(counter.text()));
  }

  private static AsyncOneToMany<Counter, Counter> related(TableAsyncClient client) {
    return AsyncOneToMany.of(client, CODEC, CODEC, "Children", "child_", child -> "r1");
  }

  private static AsyncDetailCopies<Counter, Counter> copied(TableAsyncClient client) {
    return AsyncDetailCopies.of(
        client,
        CODEC,
        CODEC,
        original -> Set.of("holder"),
        holder -> Optional.empty(),
        (holder, original) -> holder);
  }

  private static AsyncSeries<Long> series(TableAsyncClient client) {
    return AsyncSeries.of(client, Long.class, "Point", 3);
  }

  private static AsyncWideTable<Counter> wide(TableAsyncClient client) {
    return AsyncWideTable.of(client, CODEC);
  }

  private static AsyncLargeTable<Counter> large(TableAsyncClient client) {
    return AsyncLargeTable.of(
        table(client), ACCOUNT.blobs().getBlobContainerAsyncClient("patternupdates"));
  }

  private static AsyncPrimaryTable<Counter> primary(TableAsyncClient client) {
    return AsyncPrimaryTable.of(
        "counter",
        table(client),
        Outbox.of(ACCOUNT.queues().getQueueAsyncClient("patternupdates")));
  }

  static Stream<Pattern> patterns() {
    return Stream.of(
        new Pattern(
            "index within a partition",
            client -> indexed(client).insert(ZERO),
            client -> indexed(client).update(KEY, Counter::plusOne),
            client -> indexed(client).find(KEY).map(Counter::count)),
        new Pattern(
            "lists of keys",
            client -> listed(client).insert(ZERO),
            client -> listed(client).update(KEY, Counter::plusOne),
            client -> listed(client).find(KEY).map(Counter::count)),
        new Pattern(
            "parent of a relation",
            client -> related(client).insertParent(ZERO),
            client -> related(client).updateParent(KEY, Counter::plusOne),
            client -> related(client).parent(KEY).map(Counter::count)),
        new Pattern(
            "original of details",
            client -> table(client).insert(ZERO),
            client -> copied(client).updateOriginal(KEY, Counter::plusOne),
            client -> copied(client).original(KEY).map(Counter::count)),
        new Pattern(
            "series",
            client -> series(client).set(KEY, 0, 1L),
            client -> AsyncSeries.add(series(client), KEY, 1, 1),
            client -> series(client).read(KEY).map(points -> points.orElse(0L).get(1).intValue())),
        new Pattern(
            "wide entity",
            client -> wide(client).insert(ZERO),
            client -> wide(client).update(KEY, Counter::plusOne),
            client -> wide(client).find(KEY).map(Counter::count)),
        new Pattern(
            "large entity",
            client -> large(client).insert(ZERO),
            client -> large(client).update(KEY, Counter::plusOne),
            client -> large(client).find(KEY).map(Counter::count)),
        new Pattern(
            "primary of an outbox",
            client -> primary(client).insert(ZERO),
            client -> primary(client).update(KEY, Counter::plusOne),
            client -> primary(client).find(KEY).map(Counter::count)));
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void anUpdateWhoseAnswerIsLostTakesEffectOnce(Pattern pattern) {
    createQueueAndContainer();
    TableAsyncClient direct = plain.table(name);
    pattern.insert().apply(direct).block();
    LossyNetwork lost = new LossyNetwork(11, 0.1, 0.4);
    TableAsyncClient client =
        new TableClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .tableName(name)
            .retryOptions(new RetryOptions(new FixedDelayOptions(20, Duration.ofMillis(1))))
            .addPolicy(lost)
            .buildAsyncClient();
    Concurrently.run(
        2,
        actor -> {
          for (int i = 0; i < 5; i++) {
            pattern.increment().apply(client).block();
          }
        });
    assertThat(lost.lost()).isPositive();
    assertThat(pattern.count().apply(direct).block()).isEqualTo(10);
  }

  private static void createQueueAndContainer() {
    ACCOUNT.queues().createQueue("patternupdates").onErrorComplete().block();
    ACCOUNT.blobs().createBlobContainer("patternupdates").onErrorComplete().block();
  }

  @Test
  void updatesKeepWhatANewerProgramWrote() {
    createQueueAndContainer();
    EntityCodec<NewCounter> newer = EntityCodec.of(NewCounter.class);
    NewCounter written = new NewCounter("p", "r1", "name", 0, "kept");
    TableAsyncClient client = plain.table(name);
    AsyncTable<NewCounter> newTable = AsyncTable.of(client, newer);

    AsyncIndexedTable.of(newTable, "id_")
        .indexedBy("text_", counter -> Optional.of(counter.text()))
        .insert(written)
        .then(indexed(client).update(KEY, counter -> counter.named("other")))
        .block();
    assertThat(extras("id_r1", "text_other")).containsExactly("kept", "kept");

    updated(newTable.upsertReplace(written), listed(client).update(KEY, Counter::plusOne));
    updated(newTable.upsertReplace(written), related(client).updateParent(KEY, Counter::plusOne));
    updated(newTable.upsertReplace(written), related(client).updateChild(KEY, Counter::plusOne));
    updated(newTable.upsertReplace(written), copied(client).updateOriginal(KEY, Counter::plusOne));
    updated(newTable.upsertReplace(written), copied(client).updateHolder(KEY, Counter::plusOne));
    updated(newTable.upsertReplace(written), large(client).update(KEY, Counter::plusOne));
    updated(
        AsyncPrimaryTable.of(
                "counter",
                newTable,
                Outbox.of(ACCOUNT.queues().getQueueAsyncClient("patternupdates")))
            .put(written),
        primary(client).update(KEY, Counter::plusOne));
    primary(client).put(ZERO).block();
    assertThat(extras("r1")).containsExactly("null");

    AsyncWideTable.of(client, newer)
        .insert(written)
        .then(wide(client).update(KEY, Counter::plusOne))
        .block();
    assertThat(extras("r1~00")).containsExactly("kept");
  }

  private void updated(Mono<?> written, Mono<?> update) {
    written.then(update).block();
    assertThat(extras("r1")).containsExactly("kept");
  }

  private Stream<String> extras(String... rows) {
    return Stream.of(rows)
        .map(
            row ->
                AsyncTable.of(plain.table(name), EntityCodec.dynamic())
                    .blocking()
                    .find(new EntityKey("p", row))
                    .map(entity -> String.valueOf(entity.getProperty("Extra")))
                    .orElse("no entity"));
  }
}
