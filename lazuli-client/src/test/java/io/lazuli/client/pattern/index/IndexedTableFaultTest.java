package io.lazuli.client.pattern.index;

import static io.lazuli.client.pattern.index.Person.JONES;
import static io.lazuli.client.pattern.index.Person.SMITH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients die and compete, but no copy ever disagrees with its entity. */
class IndexedTableFaultTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final Faults<String> faults = Faults.in(ACCOUNT, TestClient::newTable);
  private final Faults<String> withJones =
      Faults.in(
          ACCOUNT,
          client -> {
            String table = client.newTable();
            people(table, client).insert(JONES);
            return table;
          });

  @Test
  void anInsertIsAtomicWhereverTheClientDies() {
    int requests =
        faults.forEveryCut(
            (table, client) -> people(table, client).insert(JONES),
            IndexedTableFaultTest::agree,
            (table, client) -> {
              people(table, client).put(JONES);
              agree(table, client);
              assertThat(rows(table, client)).hasSize(2);
            });
    assertThat(requests).isEqualTo(1);
  }

  @Test
  void aChangeIsAtomicWhereverTheClientDies() {
    int requests =
        withJones.forEveryCut(
            IndexedTableFaultTest::changeMail,
            IndexedTableFaultTest::agree,
            (table, client) -> {
              changeMail(table, client);
              agree(table, client);
              assertThat(people(table, client).by("email_").partition("Sales"))
                  .containsExactly(JONES.withEmail("j@x.com"));
            });
    assertThat(requests).isEqualTo(2);
  }

  private static void changeMail(String table, TestClient client) {
    people(table, client).update(JONES.key(), jones -> jones.withEmail("j@x.com"));
  }

  @Test
  void aDeletionIsAtomicWhereverTheClientDies() {
    int requests =
        withJones.forEveryCut(
            (table, client) -> people(table, client).deleteIfExists(JONES.key()),
            IndexedTableFaultTest::agree,
            (table, client) -> {
              people(table, client).deleteIfExists(JONES.key());
              assertThat(rows(table, client)).isEmpty();
            });
    assertThat(requests).isEqualTo(2);
  }

  @Test
  void concurrentClientsLeaveCopiesThatAgree() {
    TestClient live = TestClient.of(ACCOUNT);
    String table = live.newTable();
    long seed = System.nanoTime();
    Concurrently.run(
        4,
        actor -> {
          Random random = new Random(seed + actor);
          IndexedTable<Person> people = people(table, TestClient.of(ACCOUNT));
          for (int i = 0; i < 25; i++) {
            act(random, people);
          }
        });
    assertThatCode(() -> agree(table, live)).as("seed %d", seed).doesNotThrowAnyException();
  }

  /** Uses two employees and three addresses, so that the clients often conflict. */
  private static void act(Random random, IndexedTable<Person> people) {
    Person person = random.nextBoolean() ? JONES : SMITH;
    String email = random.nextInt(3) + "@contoso.com";
    try {
      switch (random.nextInt(4)) {
        case 0 -> people.insert(person.withEmail(email));
        case 1 -> people.put(person.withEmail(email));
        case 2 -> people.update(person.key(), old -> old.withEmail(email).withAge(old.age() + 1));
        default -> people.deleteIfExists(person.key());
      }
    } catch (AlreadyExists | NotFound rejected) {
      assertThat(rejected.key().partitionKey()).isEqualTo("Sales");
    }
  }

  @Test
  @MadeOnce
  void concurrentChangesAreNotLost() {
    TestClient live = TestClient.of(ACCOUNT);
    String table = live.newTable();
    // A repeated put changes nothing. A repeated insert would be refused in a rehearsal.
    people(table, live).put(JONES.withAge(0));
    Concurrently.run(
        3,
        actor -> {
          IndexedTable<Person> people = people(table, TestClient.of(ACCOUNT));
          for (int i = 0; i < 10; i++) {
            people.update(JONES.key(), jones -> jones.withAge(jones.age() + 1));
          }
        });
    assertThat(people(table, live).by("email_").partition("Sales"))
        .containsExactly(JONES.withAge(30));
    agree(table, live);
  }

  private static IndexedTable<Person> people(String table, TestClient client) {
    return AsyncIndexedTable.of(AsyncTable.of(client.table(table), Person.class), "empid_")
        .indexedBy("email_", person -> Optional.of(person.email()))
        .blocking();
  }

  /**
   * Checks that every entity has its copy, that every copy has its entity, and that they are equal.
   */
  private static void agree(String table, TestClient client) {
    IndexedTable<Person> people = people(table, client);
    List<Person> entities = people.by("empid_").partition("Sales").toList();
    assertThat(people.by("email_").partition("Sales"))
        .containsExactlyInAnyOrderElementsOf(entities);
    List<String> expected =
        entities.stream()
            .flatMap(person -> Stream.of("empid_" + person.id(), "email_" + person.email()))
            .toList();
    assertThat(rows(table, client)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> rows(String table, TestClient client) {
    return AsyncTable.of(client.table(table), EntityCodec.dynamic())
        .blocking()
        .query(Query.all())
        .map(TableEntity::getRowKey)
        .toList();
  }
}
