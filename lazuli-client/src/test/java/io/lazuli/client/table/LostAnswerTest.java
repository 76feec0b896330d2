package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.LossyNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Updates whose answers are lost, so that the SDK repeats their writes. */
@NotRehearsed("loses chosen answers itself")
class LostAnswerTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Counter(String partitionKey, String rowKey, int count) {
    Counter plusOne() {
      return new Counter(partitionKey, rowKey, count + 1);
    }
  }

  private static final EntityKey KEY = new EntityKey("p", "counter");
  private static final HttpClient HTTP = HttpClient.createDefault();

  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private String name;
  private Table<Counter> plain;

  @BeforeEach
  void createTable() {
    name = TestAccount.uniqueName("lost");
    ACCOUNT.tables().createTable(name).block();
    plain = Table.of(ACCOUNT.tables().getTableClient(name), Counter.class);
    plain.insert(new Counter("p", "counter", 0));
  }

  /** Returns the table through a client that repeats requests, with policies for each attempt. */
  private Table<Counter> through(int retries, HttpClient http, HttpPipelinePolicy... policies) {
    return Table.of(client(retries, http, policies).buildAsyncClient(), Counter.class);
  }

  private TableClientBuilder client(int retries, HttpClient http, HttpPipelinePolicy... policies) {
    TableClientBuilder builder =
        new TableClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .tableName(name)
            .httpClient(http)
            .retryOptions(new RetryOptions(new FixedDelayOptions(retries, Duration.ofMillis(1))));
    List.of(policies).forEach(builder::addPolicy);
    return builder.addPolicy(
        (context, next) -> {
          requests.add(context.getHttpRequest().getHttpMethod().toString());
          return next.process();
        });
  }

  private int count() {
    return plain.find(KEY).orElseThrow().count();
  }

  @Test
  void incrementsOfEightWritersTakeEffectOnce() {
    LossyNetwork lost = new LossyNetwork(7, 0.1, 0.3);
    Table<Counter> counters = through(20, HTTP, lost);
    Concurrently.run(
        8,
        writer -> {
          for (int i = 0; i < 15; i++) {
            counters.update(KEY, Counter::plusOne, 200);
          }
        });
    assertThat(lost.lost()).isGreaterThan(20);
    assertThat(count()).isEqualTo(120);
  }

  @Test
  void aChangeWhoseAnswerWasLostIsRecognised() {
    Table<Counter> counters = through(3, HTTP, new LoseOnce(Mono::empty));
    assertThat(counters.update(KEY, Counter::plusOne).count()).isEqualTo(1);
    assertThat(count()).isEqualTo(1);
    assertThat(requests).containsExactly("GET", "PUT", "PUT", "GET");
  }

  @Test
  void itIsRecognisedAlsoIfOthersChangedTheEntitySince() {
    Table<Counter> counters =
        through(3, HTTP, new LoseOnce(() -> plain.async().update(KEY, Counter::plusOne)));
    assertThat(counters.update(KEY, Counter::plusOne).count()).isEqualTo(1);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void aRequestThatNeverArrivedStartsOver() {
    Table<Counter> counters =
        through(3, HTTP, new Overtaken(() -> plain.async().update(KEY, Counter::plusOne)));
    assertThat(counters.update(KEY, Counter::plusOne).count()).isEqualTo(2);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void theOutcomeIsUnknownIfTheMarksWereOverwritten() {
    Counter other = new Counter("p", "counter", 50);
    Table<Counter> counters =
        through(3, HTTP, new LoseOnce(() -> plain.async().upsertReplace(other)));
    assertThatThrownBy(() -> counters.update(KEY, Counter::plusOne))
        .isInstanceOfSatisfying(
            OutcomeUnknown.class, failure -> assertThat(failure.key()).isEqualTo(KEY))
        .hasCauseInstanceOf(ConditionNotMet.class);
    assertThat(count()).isEqualTo(50);
  }

  @Test
  void theOutcomeIsUnknownIfTheEntityWasDeleted() {
    Table<Counter> counters =
        through(3, HTTP, new LoseOnce(() -> plain.async().deleteIfExists(KEY)));
    assertThatThrownBy(() -> counters.update(KEY, Counter::plusOne))
        .isInstanceOf(OutcomeUnknown.class);
  }

  @Test
  void aConflictWithoutARepetitionJustStartsOver() {
    Counter other = new Counter("p", "counter", 50);
    AtomicBoolean first = new AtomicBoolean(true);
    Table<Counter> counters = through(3, HTTP);
    Counter updated =
        counters.update(
            KEY,
            counter -> {
              if (first.getAndSet(false)) {
                plain.async().upsertReplace(other).toFuture().join();
              }
              return counter.plusOne();
            });
    assertThat(updated.count()).isEqualTo(51);
    assertThat(requests).containsExactly("GET", "PUT", "GET", "PUT");
  }

  @Test
  void aRetryPolicyOfTheUsersOwnIsSafeToo() {
    HttpPipelinePolicy repeats =
        (context, next) -> next.clone().process().onErrorResume(lost -> next.clone().process());
    Counter other = new Counter("p", "counter", 50);
    Table<Counter> counters = through(0, HTTP, repeats, new LoseOnce(Mono::empty));
    assertThat(counters.update(KEY, Counter::plusOne).count()).isEqualTo(1);
    Table<Counter> overwritten =
        through(0, HTTP, repeats, new LoseOnce(() -> plain.async().upsertReplace(other)));
    assertThatThrownBy(() -> overwritten.update(KEY, Counter::plusOne))
        .isInstanceOf(OutcomeUnknown.class);
  }

  @Test
  void withoutAnyAnswerTheEntityDecides() {
    Table<Counter> allLost = through(2, HTTP, new LossyNetwork(1, 0, 1));
    assertThat(allLost.update(KEY, Counter::plusOne).count()).isEqualTo(1);
    assertThat(count()).isEqualTo(1);
    Table<Counter> neverSent = through(2, HTTP, new LossyNetwork(1, 1, 0));
    assertThatThrownBy(() -> neverSent.update(KEY, Counter::plusOne))
        .isInstanceOf(OutcomeUnknown.class)
        .hasRootCauseInstanceOf(IOException.class);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void anHttpClientThatReportsNothingCostsOneMoreRead() {
    HttpClient silent = request -> HTTP.send(request);
    Table<Counter> counters = through(3, silent);
    AtomicBoolean first = new AtomicBoolean(true);
    Counter updated =
        counters.update(
            KEY,
            counter -> {
              if (first.getAndSet(false)) {
                plain.async().update(KEY, Counter::plusOne).toFuture().join();
              }
              return counter.plusOne();
            });
    assertThat(updated.count()).isEqualTo(2);
    assertThat(requests).containsExactly("GET", "PUT", "GET", "GET", "PUT");
  }

  @Test
  void anEntityWithTheMostPropertiesIsNotMarked() {
    Table<TableEntity> wide = plain.as(EntityCodec.dynamic());
    TableEntity entity = new TableEntity("p", "wide");
    for (int i = 0; i < 251; i++) {
      entity.addProperty("P" + i, i);
    }
    wide.insert(entity);
    EntityKey key = new EntityKey("p", "wide");
    wide.update(key, same -> same);
    assertThat(wide.find(key).orElseThrow().getProperty(WriteMark.PROPERTY)).isNotNull();
    wide.update(key, same -> same.addProperty("P251", 1));
    assertThat(wide.find(key).orElseThrow().getProperty(WriteMark.PROPERTY)).isNull();
  }

  @Test
  void aBlockingClientRecognisesItsWritesToo() {
    Table<Counter> counters =
        Table.of(client(3, HTTP, new LoseOnce(Mono::empty)).buildClient(), Counter.class);
    assertThat(counters.update(KEY, Counter::plusOne).count()).isEqualTo(1);
    assertThat(count()).isEqualTo(1);
    assertThat(requests).containsExactly("GET", "PUT", "PUT", "GET");
  }

  @Test
  void aConflictOfAGroupWithoutARepetitionJustStartsOver() {
    AtomicBoolean first = new AtomicBoolean(true);
    EntityCodec<Counter> codec = EntityCodec.of(Counter.class);
    EntityGroup.transact(
            through(3, HTTP).async(),
            "p",
            group ->
                group
                    .existing("counter")
                    .delayUntil(
                        read ->
                            first.getAndSet(false)
                                ? plain.async().upsertReplace(new Counter("p", "counter", 50))
                                : Mono.empty())
                    .flatMap(read -> group.update(codec, codec.read(read).plusOne())))
        .block();
    assertThat(count()).isEqualTo(51);
    assertThat(requests).containsExactly("GET", "POST", "GET", "POST");
  }

  @Test
  void aGroupWhoseAnswerWasLostTakesEffectOnce() {
    LossyNetwork lost = new LossyNetwork(3, 0.1, 0.4);
    Table<Counter> counters = through(20, HTTP, lost);
    for (int i = 0; i < 20; i++) {
      EntityGroup.transact(
              counters.async(),
              "p",
              group ->
                  group
                      .existing("counter")
                      .map(EntityCodec.of(Counter.class)::read)
                      .flatMap(old -> group.update(EntityCodec.of(Counter.class), old.plusOne())))
          .block();
    }
    assertThat(lost.lost()).isPositive();
    assertThat(count()).isEqualTo(20);
  }

  /** Loses the answer to the first write, after an action of somebody else. */
  private static final class LoseOnce implements HttpPipelinePolicy {
    private final Supplier<Mono<?>> then;
    private final AtomicInteger writes = new AtomicInteger();

    LoseOnce(Supplier<Mono<?>> then) {
      this.then = then;
    }

    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      HttpRequest request = context.getHttpRequest();
      return request.getHttpMethod() == HttpMethod.PUT && writes.getAndIncrement() == 0
          ? next.process()
              .flatMap(answer -> answer.getBodyAsByteArray())
              .then(Mono.defer(() -> then.get().then()))
              .then(Mono.error(new IOException("the answer was lost")))
          : next.process();
    }
  }

  /** Loses the first write itself, after an action of somebody else. */
  private static final class Overtaken implements HttpPipelinePolicy {
    private final Supplier<Mono<?>> first;
    private final AtomicInteger writes = new AtomicInteger();

    Overtaken(Supplier<Mono<?>> first) {
      this.first = first;
    }

    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      return context.getHttpRequest().getHttpMethod() == HttpMethod.PUT
              && writes.getAndIncrement() == 0
          ? Mono.defer(() -> first.get().then(Mono.error(new IOException("it was lost"))))
          : next.process();
    }
  }
}
