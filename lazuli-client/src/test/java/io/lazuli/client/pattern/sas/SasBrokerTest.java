package io.lazuli.client.pattern.sas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.TestAccount;
import io.lazuli.client.TestClock;
import io.lazuli.client.fault.TestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class SasBrokerTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClock clock = new TestClock(Instant.now());
  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();
  private final TableAsyncClient table = client.table(name);
  private final AtomicInteger lookups = new AtomicInteger();

  private final AsyncSasBroker<String> broker =
      AsyncSasBroker.<String>of(
              table,
              user ->
                  Mono.delay(Duration.ofMillis(20))
                      .map(
                          done -> {
                            lookups.incrementAndGet();
                            return KeyRange.prefix("Sales", user + "_");
                          }))
          .with(SasOptions.DEFAULT.withPermissions("raud"))
          .with(clock);

  private SasToken token(String user) {
    return broker.blocking().token(user);
  }

  private TableClientBuilder builder() {
    return new TableClientBuilder()
        .endpoint(client.tables().getServiceEndpoint())
        .tableName(name)
        .retryOptions(TestAccount.QUICK_RETRIES)
        .addPolicy(ACCOUNT.ambiguousRepetitions());
  }

  private TableClient with(SasToken token) {
    return builder().credential(new AzureSasCredential(token.signature())).buildClient();
  }

  private static List<String> rows(TableClient table) {
    return table.listEntities().stream().map(TableEntity::getRowKey).toList();
  }

  private void insert(String partition, String row) {
    table.createEntity(new TableEntity(partition, row)).block();
  }

  @Test
  @FailsOnAzurite("does not check the key range of a SAS")
  void aTokenOpensTheRowsOfItsUserOnly() {
    for (String row : List.of("jo", "jo_1", "jo_2", "jon_1", "jp_1")) {
      insert("Sales", row);
    }
    insert("Marketing", "jo_1");
    TableClient jo = with(token("jo"));
    assertThat(rows(jo)).containsExactly("jo_1", "jo_2");
    jo.createEntity(new TableEntity("Sales", "jo_3"));
    jo.deleteEntity("Sales", "jo_1");
    for (String row : List.of("jo", "jon_1", "jp_1")) {
      assertThatThrownBy(() -> jo.getEntity("Sales", row))
          .isInstanceOf(TableServiceException.class);
      assertThatThrownBy(() -> jo.upsertEntity(new TableEntity("Sales", row)))
          .isInstanceOf(TableServiceException.class)
          .hasMessageContaining("403");
    }
    assertThatThrownBy(() -> jo.getEntity("Marketing", "jo_1"))
        .isInstanceOf(TableServiceException.class);
    assertThat(rows(jo)).containsExactly("jo_2", "jo_3");
  }

  @Test
  @FailsOnAzurite("does not check the key range of a SAS")
  void aTokenForAPartitionOpensAllOfIt() {
    insert("Sales", "");
    insert("Sales", "\uD83D\uDE00");
    insert("Sales2", "a");
    AsyncSasBroker<String> partitions =
        AsyncSasBroker.of(table, user -> Mono.just(KeyRange.partition(user)));
    TableClient sales = with(partitions.blocking().token("Sales"));
    assertThat(rows(sales)).containsExactly("", "\uD83D\uDE00");
    assertThatThrownBy(() -> sales.createEntity(new TableEntity("Sales", "b")))
        .as("tokens allow only reads by default")
        .hasMessageContaining("403");
  }

  @Test
  void aTokenIsHandedOutUntilShortlyBeforeItExpires() {
    SasToken first = token("jo");
    assertThat(first.expiresAt())
        .isBetween(clock.instant().plusSeconds(3_599), clock.instant().plusSeconds(3_600));
    assertThat(first.toString()).doesNotContain("sig=");
    clock.pass(Duration.ofMinutes(49));
    assertThat(token("jo")).isEqualTo(first);
    clock.pass(Duration.ofMinutes(1));
    assertThat(token("jo").expiresAt()).isAfter(first.expiresAt());
    assertThat(lookups).hasValue(2);
  }

  @Test
  void creatingATokenSendsNoRequest() {
    assertThat(client.count(() -> token("jo"))).isZero();
  }

  @Test
  void aUserWhoAsksOftenGetsOneToken() {
    Flux.range(0, 100).flatMap(i -> broker.token("user" + i % 4), 100).blockLast();
    assertThat(lookups).hasValue(4);
  }

  @Test
  void theLeastRecentlyUsedTokensAreDropped() {
    AsyncSasBroker<String> small = broker.with(SasOptions.DEFAULT.withUsersMax(2));
    for (String user : List.of("a", "b", "a", "c", "a")) {
      small.token(user).block();
    }
    assertThat(small.size()).isEqualTo(2);
    assertThat(lookups).hasValue(3);
    small.token("b").block();
    assertThat(lookups).hasValue(4);
  }

  @Test
  void aUserWithoutRowsGetsNoTokenAndMayAskAgain() {
    AtomicInteger asked = new AtomicInteger();
    SasBroker<String> strict =
        AsyncSasBroker.<String>of(
                table,
                user ->
                    asked.incrementAndGet() == 1
                        ? Mono.error(new IllegalArgumentException("who is " + user + "?"))
                        : Mono.just(KeyRange.partition(user)))
            .blocking();
    assertThatThrownBy(() -> strict.token("jo")).hasMessageContaining("who is jo?");
    assertThat(strict.token("jo").signature()).contains("sig=");
  }

  @Test
  void aClientUnderLoadAsksItsBrokerOnceForEachToken() {
    insert("Sales", "jo_1");
    AtomicInteger asked = new AtomicInteger();
    RenewingSas sas =
        RenewingSas.of(
            broker.token("jo").doOnSubscribe(asking -> asked.incrementAndGet()),
            Duration.ofMinutes(5),
            clock);
    TableAsyncClient jo = builder().credential(sas.credential()).addPolicy(sas).buildAsyncClient();
    assertThat(asked).hasValue(0);
    load(jo);
    assertThat(asked).hasValue(1);
    String first = sas.credential().getSignature();
    clock.pass(Duration.ofMinutes(56));
    load(jo);
    Awaitility.await().until(() -> !sas.credential().getSignature().equals(first));
    assertThat(asked).hasValue(2);
    clock.pass(Duration.ofMinutes(59));
    load(jo);
    assertThat(asked).hasValue(3);
  }

  private static void load(TableAsyncClient jo) {
    Flux.range(0, 40).flatMap(i -> jo.getEntity("Sales", "jo_1"), 20).blockLast();
  }

  @Test
  @FailsOnAzurite("does not check the key range of a SAS")
  void theCodeOfThePageWorks() {
    insert("Sales", "jo_1");
    insert("Sales", "mo_1");
    TableAsyncClient tableWithKey = table;
    TableClientBuilder builder = builder();
    // snippet
    AsyncSasBroker<String> broker = // in the service that has the account's key
        AsyncSasBroker.of(tableWithKey, user -> Mono.just(KeyRange.prefix("Sales", user + "_")));

    Mono<SasToken> askTheBroker = broker.token("jo"); // in the client: a call to that service
    RenewingSas sas = RenewingSas.of(askTheBroker);
    TableClient jo = builder.credential(sas.credential()).addPolicy(sas).buildClient();
    // end
    assertThat(rows(jo)).containsExactly("jo_1");
  }

  @Test
  void emptyRangesAreRejected() {
    assertThatThrownBy(() -> KeyRange.between("Sales", "b", "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> SasOptions.DEFAULT.withTimes(Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
