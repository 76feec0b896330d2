package io.lazuli.client.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.models.BlobItem;
import io.lazuli.client.TestAccount;
import io.lazuli.client.encryption.AesWrappingKey;
import io.lazuli.client.encryption.EncryptedCodec;
import io.lazuli.client.encryption.EncryptionFailure;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import io.lazuli.client.encryption.EncryptionScope;
import io.lazuli.client.encryption.EntityCipher;
import io.lazuli.client.encryption.KeyResolver;
import io.lazuli.client.encryption.KeyRing;
import io.lazuli.client.encryption.WrappingKey;
import io.lazuli.client.entity.Encrypted;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.copies.AsyncDetailCopies;
import io.lazuli.client.pattern.index.AsyncIndexedTable;
import io.lazuli.client.pattern.indexlist.AsyncListedTable;
import io.lazuli.client.pattern.large.AsyncLargeTable;
import io.lazuli.client.pattern.large.LargeOptions;
import io.lazuli.client.pattern.logtail.AsyncLogTail;
import io.lazuli.client.pattern.logtail.LogKeys;
import io.lazuli.client.pattern.outbox.AsyncMove;
import io.lazuli.client.pattern.outbox.AsyncPartitionIndex;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.IdempotentStep;
import io.lazuli.client.pattern.outbox.Work;
import io.lazuli.client.pattern.relation.AsyncOneToMany;
import io.lazuli.client.pattern.relation.AsyncOneToOne;
import io.lazuli.client.pattern.spread.AsyncSpread;
import io.lazuli.client.pattern.spread.KeySpreader;
import io.lazuli.client.pattern.wide.AsyncWideTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Patterns on tables that encrypt, with local keys and with keys that arrive later. Everything runs
 * on threads that must not block. The tests read stored entities without decrypting them.
 */
class EncryptedPatternsTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final String SECRET = "earns four thousand";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final KeyRing LOCAL =
      KeyRing.of(
          AesWrappingKey.of(
              "k1", "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII)));

  private static final Person JONES = new Person("Sales", "1", "jones@contoso.com", SECRET);
  private static final Person SMITH = new Person("Sales", "2", "smith@contoso.com", SECRET);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = client.newTable();

  record Person(
      @PartitionKey String department, @RowKey String id, String email, @Encrypted String salary) {
    EntityKey key() {
      return new EntityKey(department, id);
    }

    Person withEmail(String other) {
      return new Person(department, id, other, salary);
    }

    Person withSalary(String other) {
      return new Person(department, id, email, other);
    }

    Person in(String other) {
      return new Person(other, id, email, salary);
    }
  }

  /** The properties of a partial copy. */
  record Contact(@PartitionKey String department, @RowKey String id, String email) {}

  record Team(@PartitionKey String department, @RowKey String id, @Encrypted String note) {}

  record Picture(
      @PartitionKey String department, @RowKey String id, @Encrypted String note, byte[] photo) {}

  static Stream<KeyResolver> resolvers() {
    return Stream.of(LOCAL, new LateKeys());
  }

  /** Remote keys, whose results arrive late and on other threads. */
  private static final class LateKeys implements KeyResolver {
    @Override
    public Mono<WrappingKey> current() {
      return Mono.delay(Duration.ofMillis(2)).then(LOCAL.current());
    }

    @Override
    public Mono<WrappingKey> find(String keyId) {
      return Mono.delay(Duration.ofMillis(2)).then(LOCAL.find(keyId));
    }
  }

  /**
   * Requires encryption, and also encrypts properties whose names begin with {@code Lazuli}. If the
   * properties that a pattern adds passed through this codec, they would be encrypted too.
   */
  private static <T> EntityCodec<T> encrypting(
      EntityCodec<T> codec, KeyResolver keys, String table) {
    return EncryptedCodec.of(
        codec,
        EntityCipher.gcm(keys),
        EncryptionScope.of(table, (partition, row, name) -> name.startsWith("Lazuli"))
            .requireEncryption());
  }

  private AsyncTable<Person> people(KeyResolver keys) {
    return people(keys, table);
  }

  private AsyncTable<Person> people(KeyResolver keys, String name) {
    return AsyncTable.of(client.table(name), encrypting(EntityCodec.of(Person.class), keys, name));
  }

  /** Runs on a thread on which blocking fails. */
  private static <R> Optional<R> done(Mono<R> mono) {
    return mono.subscribeOn(Schedulers.parallel()).blockOptional(PATIENCE);
  }

  private static <R> List<R> all(Flux<R> flux) {
    return done(flux.collectList()).orElseThrow();
  }

  private List<TableEntity> rows(String name) {
    return client.table(name).listEntities().collectList().blockOptional().orElseThrow();
  }

  /** Checks that each row has its own content key and nonces, and therefore its own ciphertext. */
  private void assertHidden(int live, String property, String... names) {
    List<TableEntity> encrypted =
        Stream.of(names)
            .flatMap(name -> rows(name).stream())
            .filter(row -> row.getProperty(property) != null)
            .toList();
    assertThat(encrypted).hasSize(live);
    assertThat(encrypted)
        .extracting(row -> row.getProperty("_LazuliEncryptionKey"))
        .doesNotContainNull()
        .doesNotHaveDuplicates();
    assertThat(encrypted)
        .extracting(row -> text(row.getProperty(property)))
        .doesNotHaveDuplicates();
    Stream.of(names).forEach(this::assertNoPlaintext);
  }

  private void assertNoPlaintext(String name) {
    assertThat(rows(name))
        .allSatisfy(
            row ->
                assertThat(row.getProperties().values())
                    .noneMatch(value -> text(value).contains(SECRET)));
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.ISO_8859_1)
        : String.valueOf(value);
  }

  private static void assertRefused(Kind kind, Mono<?> operation) {
    assertThatThrownBy(() -> done(operation))
        .isInstanceOfSatisfying(
            EncryptionFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void indexesInsideAPartition(KeyResolver keys) {
    AsyncIndexedTable<Person> indexed =
        AsyncIndexedTable.of(people(keys), "id_")
            .indexedBy("email_", person -> Optional.of(person.email()))
            .indexedBy("contact_", person -> Optional.of(person.email()), Set.of("Email"))
            .indexedBy("pay_", person -> Optional.of(person.email()), Set.of("Email", "Salary"));
    done(indexed.insert(JONES));
    done(indexed.put(SMITH));
    assertHidden(6, "Salary", table);
    assertThat(done(indexed.find(JONES.key()))).contains(JONES);
    assertThat(done(indexed.by("email_").find("Sales", "jones@contoso.com"))).contains(JONES);
    assertThat(all(indexed.by("email_").partition("Sales"))).containsExactly(JONES, SMITH);
    assertThat(all(indexed.by("pay_").range("Sales", "a", "k"))).containsExactly(JONES);
    assertThat(
            all(indexed.by("contact_").as(EntityCodec.of(Contact.class)).prefix("Sales", "smith")))
        .containsExactly(new Contact("Sales", "2", "smith@contoso.com"));
    Person moved = JONES.withEmail("jj@contoso.com").withSalary(SECRET + " and more");
    assertThat(done(indexed.update(JONES.key(), jones -> moved))).contains(moved);
    assertThat(done(indexed.by("email_").find("Sales", "jones@contoso.com"))).isEmpty();
    assertThat(done(indexed.by("email_").find("Sales", "jj@contoso.com"))).contains(moved);
    assertHidden(6, "Salary", table);
    assertThat(done(indexed.deleteIfExists(JONES.key()))).contains(true);
    assertThat(done(indexed.deleteIfExists(SMITH.key()))).contains(true);
    assertThat(rows(table)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void indexesAcrossPartitions(KeyResolver keys) {
    String other = client.newTable();
    Work work = Work.fresh(client);
    AsyncPrimaryTable<Person> people =
        AsyncPrimaryTable.of("person", people(keys), work.outbox(client))
            .indexedBy("email", client.table(table), person -> at("email", person.email()))
            .indexedBy("id", client.table(other), person -> at("id", person.id()));
    AsyncPartitionIndex<Person> byEmail = people.by("email");
    AsyncPartitionIndex<Person> byId = people.by("id");
    done(people.insert(JONES));
    work.runUntilEmpty(client, people.step());
    assertHidden(3, "Salary", table, other);
    assertThat(done(byEmail.find(new EntityKey("email", "jones@contoso.com")))).contains(JONES);
    assertThat(all(byId.partition("id"))).containsExactly(JONES);

    done(people.update(JONES.key(), jones -> jones.withEmail("jj@contoso.com")));
    work.runUntilEmpty(client, people.step());
    assertThat(done(byEmail.find(new EntityKey("email", "jones@contoso.com")))).isEmpty();
    assertThat(all(byEmail.prefix("email", "jj"))).hasSize(1);
    assertThat(all(people.query(Query.all().select("Email", "Salary"))))
        .containsExactly(JONES.withEmail("jj@contoso.com"));
    assertHidden(3, "Salary", table, other);

    done(people.delete(JONES.key()));
    work.runUntilEmpty(client, people.step());
    assertThat(all(byEmail.partition("email"))).isEmpty();
    assertThat(done(people.find(JONES.key()))).isEmpty();
    assertHidden(0, "Salary", table, other);
    assertThat(rows(table))
        .as("tombstones are not encrypted")
        .hasSize(3)
        .allSatisfy(row -> assertThat(row.getProperties()).containsKey("LazuliDeletedAt"));
    assertThat(done(people.sweep(Duration.ofSeconds(-5)))).contains(1L);
    assertThat(work.poisoned(client)).isZero();
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void aWriteThatCannotBeEncryptedIsNotAnnounced(KeyResolver keys) {
    Work work = Work.fresh(client);
    AsyncPrimaryTable<Person> people =
        AsyncPrimaryTable.of("person", people(keys), work.outbox(client));
    Person rich = JONES.withSalary("9".repeat(70_000));
    assertThat(client.count(() -> assertRefused(Kind.TOO_LARGE, people.insert(rich))))
        .as("a read")
        .isEqualTo(1);
  }

  private static Optional<EntityKey> at(String partitionKey, String rowKey) {
    return Optional.of(new EntityKey(partitionKey, rowKey));
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void moves(KeyResolver keys) {
    String archived = client.newTable();
    Work work = Work.fresh(client);
    AsyncPrimaryTable<Person> people =
        AsyncPrimaryTable.of("person", people(keys), work.outbox(client));
    AsyncPrimaryTable<Person> archive =
        AsyncPrimaryTable.of("old", people(keys, archived), work.outbox(client));
    AsyncMove<Person> transfer =
        AsyncMove.of("transfer", people, people, (person, key) -> person.in(key.partitionKey()));
    AsyncMove<Person> retire = AsyncMove.archiving("retire", people, archive);
    IdempotentStep step =
        IdempotentStep.byKind(
            Map.of("person", people.step(), "transfer", transfer.step(), "retire", retire.step()));
    done(people.insert(JONES));
    done(transfer.move(JONES.key(), JONES.in("IT").key()));
    work.runUntilEmpty(client, step);
    assertThat(all(people.query(Query.all()))).containsExactly(JONES.in("IT"));
    assertHidden(1, "Salary", table);
    done(retire.move(JONES.in("IT").key()));
    work.runUntilEmpty(client, step);
    assertThat(all(people.query(Query.all()))).isEmpty();
    assertThat(all(archive.query(Query.all()))).containsExactly(JONES.in("IT"));
    assertHidden(1, "Salary", table, archived);
    assertThat(work.poisoned(client)).isZero();
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void listsOfKeys(KeyResolver keys) {
    AsyncListedTable<Person> listed =
        AsyncListedTable.of(people(keys)).listedBy("email_", person -> Optional.of(person.email()));
    done(listed.insert(JONES));
    done(listed.put(SMITH.withEmail(JONES.email())));
    assertThat(all(listed.find("Sales", "email_", JONES.email())))
        .containsExactly(JONES, SMITH.withEmail(JONES.email()));
    assertHidden(2, "Salary", table);
    done(listed.update(SMITH.key(), smith -> SMITH));
    assertThat(done(listed.keys("Sales", "email_", JONES.email())).orElseThrow())
        .containsExactly("1");
    assertThat(done(listed.find(SMITH.key()))).contains(SMITH);
    assertThat(done(listed.deleteIfExists(JONES.key()))).contains(true);
    assertHidden(1, "Salary", table);
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void denormalisedDetails(KeyResolver keys) {
    EntityCodec<Person> people = people(keys).codec();
    EntityCodec<Team> teams = encrypting(EntityCodec.of(Team.class), keys, table);
    Team team = new Team("Sales", "team", "");
    AsyncDetailCopies<Person, Team> leads =
        AsyncDetailCopies.of(
            client.table(table),
            people,
            teams,
            person -> Set.of("team"),
            held -> held.note().isEmpty() ? Optional.empty() : Optional.of("1"),
            (held, lead) -> new Team("Sales", "team", lead.map(Person::salary).orElse("")));
    done(AsyncTable.of(client.table(table), people).insert(JONES));
    done(AsyncTable.of(client.table(table), teams).insert(team));
    done(leads.assign(new EntityKey("Sales", "team"), "1"));
    assertThat(done(leads.holder(new EntityKey("Sales", "team"))).map(Team::note)).contains(SECRET);
    done(leads.updateOriginal(JONES.key(), jones -> jones.withSalary(SECRET + "!")));
    done(leads.updateHolder(new EntityKey("Sales", "team"), same -> same));
    assertThat(done(leads.holder(new EntityKey("Sales", "team"))).map(Team::note))
        .contains(SECRET + "!");
    assertThat(done(leads.original(JONES.key()))).contains(JONES.withSalary(SECRET + "!"));
    assertNoPlaintext(table);
    assertThat(done(leads.deleteOriginalIfExists(JONES.key()))).contains(true);
    assertThat(done(leads.holder(new EntityKey("Sales", "team"))).map(Team::note)).contains("");
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void relations(KeyResolver keys) {
    EntityCodec<Team> teams = encrypting(EntityCodec.of(Team.class), keys, table);
    EntityKey team = new EntityKey("Sales", "team");
    AsyncOneToMany<Team, Person> staff =
        AsyncOneToMany.of(
            client.table(table), teams, people(keys).codec(), "Count", "1", person -> "team");
    done(staff.insertParent(new Team("Sales", "team", SECRET)));
    done(staff.insertChild(JONES));
    done(staff.updateParent(team, same -> new Team("Sales", "team", SECRET + "!")));
    done(staff.updateChild(JONES.key(), jones -> jones.withEmail("jj")));
    assertThat(done(staff.count(team))).contains(1L);
    assertThat(done(staff.parent(team)).map(Team::note)).contains(SECRET + "!");
    assertThat(all(staff.children(team))).containsExactly(JONES.withEmail("jj"));
    assertHidden(1, "Salary", table);
    assertThat(done(staff.deleteChildIfExists(JONES.key()))).contains(true);
    assertThat(done(staff.deleteParentIfExists(team))).contains(true);

    AsyncOneToOne<Person, Team> pairs =
        AsyncOneToOne.byKey(people(keys), AsyncTable.of(client.table(table), teams), key -> team);
    done(pairs.insert(JONES, new Team("Sales", "team", SECRET)));
    assertThat(done(pairs.find(JONES.key())).flatMap(AsyncOneToOne.Pair::second)).isPresent();
    assertHidden(1, "Note", table);
    assertThat(done(pairs.deleteIfExists(JONES.key()))).contains(true);
    assertThat(rows(table)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void wideEntities(KeyResolver keys) {
    EntityCodec<TableEntity> codec =
        EncryptedCodec.of(
            EntityCodec.dynamic(),
            EntityCipher.gcm(keys),
            EncryptionScope.of(table, (partition, row, name) -> name.startsWith("Secret")));
    AsyncWideTable<TableEntity> wide = AsyncWideTable.of(client.table(table), codec);
    EntityKey key = new EntityKey("p", "r");
    TableEntity entity = new TableEntity("p", "r");
    for (int i = 0; i < 200; i++) {
      entity.addProperty("Secret" + i, SECRET + i).addProperty("Plain" + i, i);
    }
    done(wide.insert(entity));
    assertThat(rows(table)).as("parts").hasSize(2);
    assertNoPlaintext(table);
    done(wide.merge(key, Map.of("Plain7", 700)));
    assertRefused(Kind.MERGE, wide.merge(key, Map.of("Secret7", "x", "Plain7", 1)));
    done(wide.update(key, old -> old.addProperty("Secret8", SECRET)));
    assertThat(done(wide.find(key)).orElseThrow().getProperties())
        .containsEntry("Secret7", SECRET + "7")
        .containsEntry("Secret8", SECRET)
        .containsEntry("Plain7", 700);
    assertNoPlaintext(table);
    done(wide.upsertReplace(new TableEntity("p", "r").addProperty("Secret1", SECRET)));
    assertHidden(1, "Secret1", table);
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void largeEntities(KeyResolver keys) {
    String container = client.newContainer();
    AsyncLargeTable<Picture> pictures =
        AsyncLargeTable.of(
                AsyncTable.of(
                    client.table(table), encrypting(EntityCodec.of(Picture.class), keys, table)),
                client.container(container))
            .with(LargeOptions.DEFAULT.withInlineBytesMax(200));
    String note = SECRET.repeat(20);
    byte[] photo = new byte[100_000];
    EntityKey key = new EntityKey("Sales", "1");
    done(pictures.insert(new Picture("Sales", "1", note, photo)));
    done(pictures.update(key, old -> new Picture("Sales", "1", old.note() + "!", old.photo())));
    assertThat(done(pictures.find(key)).map(Picture::note)).contains(note + "!");
    assertThat(all(pictures.query(Query.all().select("Note", "Photo"))))
        .singleElement()
        .satisfies(found -> assertThat(found.note()).isEqualTo(note + "!"));
    assertNoPlaintext(table);
    assertThat(blobs(container))
        .hasSize(2)
        .noneMatch(blob -> text(blob.toBytes()).contains(SECRET));
    String tooLarge = "x".repeat(70_000);
    assertRefused(Kind.TOO_LARGE, pictures.put(new Picture("Sales", "1", tooLarge, photo)));
    assertThat(done(pictures.delete(key))).contains(true);
    assertThat(blobs(container)).isEmpty();
  }

  private List<BinaryData> blobs(String container) {
    return client
        .container(container)
        .listBlobs()
        .map(BlobItem::getName)
        .concatMap(name -> client.container(container).getBlobAsyncClient(name).downloadContent())
        .collectList()
        .blockOptional()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void logTails(KeyResolver keys) {
    Instant noon = Instant.parse("2026-11-15T12:00:00Z");
    LogKeys rows = new LogKeys(Clock.systemUTC(), new Random(1));
    AsyncTable<Person> people = people(keys);
    for (int hour = 0; hour < 4; hour++) {
      String row = rows.at(noon.plusSeconds(3600L * hour));
      done(people.insert(new Person("log", row, "h" + hour, SECRET)));
    }
    AsyncLogTail<Person> tail = AsyncLogTail.of(people);
    assertThat(all(tail.latest("log", 2))).extracting(Person::email).containsExactly("h3", "h2");
    assertThat(done(tail.expire("log", noon.plusSeconds(5400)))).contains(2L);
    assertHidden(2, "Salary", table);
  }

  @ParameterizedTest
  @MethodSource("resolvers")
  void spreadPartitions(KeyResolver keys) {
    KeySpreader spreader = KeySpreader.of(3);
    AsyncTable<Person> people = people(keys);
    for (int id = 0; id < 9; id++) {
      String bucket = spreader.partitionKey("Sales", "" + id);
      done(people.insert(new Person(bucket, "" + id, "e" + id, SECRET)));
    }
    AsyncSpread<Person> spread = AsyncSpread.of(people, spreader);
    assertThat(all(spread.query("Sales", Query.all())))
        .hasSize(9)
        .allSatisfy(person -> assertThat(person.salary()).isEqualTo(SECRET))
        .extracting(Person::id)
        .isSorted();
    assertHidden(9, "Salary", table);
  }

  @Test
  void keysOfIndexesAreNotEncrypted() {
    AsyncIndexedTable<Person> indexed =
        AsyncIndexedTable.of(people(LOCAL), "id_")
            .indexedBy("salary_", person -> Optional.of(person.salary()));
    done(indexed.insert(JONES));
    assertThat(rows(table)).extracting(TableEntity::getRowKey).contains("salary_" + SECRET);
  }
}
