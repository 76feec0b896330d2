package io.lazuli.client.encryption;

import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.TestAccount;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import io.lazuli.client.entity.Encrypted;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.entity.TypeName;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A table with an encrypting codec, on a server. The tests read stored entities without that codec.
 */
class EncryptedTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final KeyRing KEYS = KeyRing.of(key("k1", 1));
  private static final EntityKey ANN = new EntityKey("Sales", "1");

  private final String name = TestAccount.uniqueName("staff");
  private TableAsyncClient raw;
  private Table<Employee> table;

  record Employee(
      @PartitionKey String department,
      @RowKey String id,
      String name,
      @Encrypted @Nullable String salary,
      @Encrypted @Nullable String notes) {}

  @TypeName("Person")
  record OldPerson(@PartitionKey String p, @RowKey String r, @Encrypted String secret) {}

  @TypeName(value = "Person", version = 2)
  record Person(@PartitionKey String p, @RowKey String r, @Encrypted String hidden, int age) {}

  @BeforeEach
  void createTable() {
    ACCOUNT.tables().createTable(name).block();
    raw = ACCOUNT.tables().getTableClient(name);
    table = Table.of(raw, codec(KEYS));
  }

  @Test
  void insertsReplacesAndUpsertsAreEncryptedAndComeBack() {
    table.insert(employee("1", "100"));
    assertThat(table.find(ANN)).contains(employee("1", "100"));
    assertHidden("1");
    table.replace(employee("1", "200"), Condition.any());
    assertThat(table.find(ANN)).contains(employee("1", "200"));
    assertHidden("1");
    table.upsertReplace(employee("1", "300"));
    table.upsertReplace(employee("2", "400"));
    assertThat(table.query(Query.all()))
        .containsExactly(employee("1", "300"), employee("2", "400"));
    assertHidden("1");
    assertHidden("2");
  }

  @Test
  void updatesReadAndWriteEncrypted() {
    table.insert(employee("1", "100"));
    Object before = stored("1").getProperty("_LazuliEncryptionKey");
    table.update(ANN, ann -> new Employee("Sales", "1", ann.name(), ann.salary() + "0", null));
    assertThat(table.find(ANN)).contains(new Employee("Sales", "1", "n1", "1000", null));
    assertHidden("1");
    assertThat(stored("1").getProperty("_LazuliEncryptionKey")).isNotEqualTo(before);
  }

  record NewEmployee(
      @PartitionKey String department,
      @RowKey String id,
      String name,
      @Encrypted @Nullable String salary,
      @Encrypted String bonus,
      String city) {}

  @Test
  void updatesKeepEncryptedPropertiesOfNewerProgramsEncrypted() {
    Table<NewEmployee> newer = table.as(EntityCodec.of(NewEmployee.class));
    newer.insert(new NewEmployee("Sales", "1", "n1", "100", "top secret", "Boston"));
    table.update(ANN, ann -> new Employee("Sales", "1", ann.name(), ann.salary() + "0", null));
    assertThat(newer.find(ANN))
        .contains(new NewEmployee("Sales", "1", "n1", "1000", "top secret", "Boston"));
    assertThat(stored("1").getProperty("Bonus")).isInstanceOf(byte[].class);
    assertThat(stored("1").getProperty("City")).isEqualTo("Boston");
  }

  @Test
  void batchesAndChunksAreEncrypted() {
    table.batch(
        Batch.of(Write.insert(employee("1", "100")), Write.upsertReplace(employee("2", "200"))));
    List<Write<Employee>> writes =
        IntStream.range(100, 350).mapToObj(i -> Write.insert(employee("" + i, "s" + i))).toList();
    assertThat(table.inChunks(writes, 2)).isEqualTo(250);
    assertHidden("2");
    assertHidden("300");
    assertThat(table.query(Query.all())).hasSize(252).contains(employee("349", "s349"));
    table.batch(
        Batch.of(
            Write.replace(employee("1", "150"), Condition.any()),
            Write.delete(new EntityKey("Sales", "2"), Condition.any())));
    assertThat(table.find(ANN)).contains(employee("1", "150"));
  }

  @Test
  void mergesOfEncryptedPropertiesAreRejectedAndNothingIsSent() {
    table.insert(employee("1", "100"));
    Employee change = employee("1", "200");
    rejected(Kind.MERGE, () -> table.merge(change, Condition.any()));
    rejected(Kind.MERGE, () -> table.upsertMerge(change));
    rejected(Kind.MERGE, () -> table.batch(Batch.of(Write.merge(change, Condition.any()))));
    rejected(Kind.MERGE, () -> table.inChunks(List.of(Write.upsertMerge(change)), 1));
    rejected(Kind.MERGE, () -> Write.upsertMerge(change).with(table.async().codec()));
    assertThat(table.find(ANN)).contains(employee("1", "100"));
  }

  @Test
  void mergesOfPlainPropertiesKeepTheEncryptedOnes() {
    table.insert(employee("1", "100"));
    table.merge(new Employee("Sales", "1", "renamed", null, null), Condition.any());
    assertThat(table.find(ANN)).contains(new Employee("Sales", "1", "renamed", "100", "of 1"));
  }

  @Test
  void projectionsIncludeTheMetadata() {
    table.insert(employee("1", "100"));
    table.insert(new Employee("Sales", "2", "n2", null, null));
    Query some = Query.all().select("Name", "Salary");
    assertThat(table.query(some))
        .containsExactly(
            new Employee("Sales", "1", "n1", "100", null),
            new Employee("Sales", "2", "n2", null, null));
    assertThat(ACCOUNT.valuesOf(token -> table.segment(some, token))).hasSize(2);
    List<TableEntity> dynamic =
        table.as(EntityCodec.dynamic()).query(Query.all().select("Salary")).toList();
    assertThat(dynamic.get(0).getProperty("Salary")).isEqualTo("100");
    assertThat(dynamic.get(0).getProperties())
        .doesNotContainKeys("_LazuliEncryptionKey", "_LazuliEncryptedNames", "Notes");
  }

  @Test
  void dynamicEntitiesOfTheSameTableAreEncryptedToo() {
    table.insert(employee("1", "100"));
    Table<TableEntity> dynamic = table.as(EntityCodec.dynamic());
    dynamic.update(ANN, entity -> entity.addProperty("Salary", "200").addProperty("New", "n"));
    assertHidden("1");
    TableEntity entity = dynamic.find(ANN).orElseThrow();
    assertThat(entity.getProperty("Salary")).isEqualTo("200");
    assertThat(entity.getProperty("New")).isEqualTo("n");
    assertThat(table.find(ANN)).contains(employee("1", "200"));
  }

  @Test
  void aResolverChoosesInDynamicEntities() {
    EncryptionScope scope =
        EncryptionScope.of(name, (partition, row, property) -> property.startsWith("Secret"));
    Table<TableEntity> secrets =
        Table.of(raw, EncryptedCodec.of(EntityCodec.dynamic(), EntityCipher.gcm(KEYS), scope));
    secrets.insert(new TableEntity("p", "r").addProperty("SecretA", "a").addProperty("Open", "o"));
    TableEntity stored = raw.getEntity("p", "r").block();
    assertThat(stored.getProperty("SecretA")).isInstanceOf(byte[].class);
    assertThat(stored.getProperty("Open")).isEqualTo("o");
    TableEntity read = secrets.find(new EntityKey("p", "r")).orElseThrow();
    assertThat(read.getProperty("SecretA")).isEqualTo("a");
  }

  @Test
  void copiesToOtherRowsAndTablesAreDetected() {
    table.insert(employee("1", "100"));
    TableEntity copied = new TableEntity("Sales", "2");
    for (String property :
        Set.of("Name", "Salary", "Notes", "_LazuliEncryptionKey", "_LazuliEncryptedNames")) {
      copied.addProperty(property, stored("1").getProperty(property));
    }
    raw.createEntity(copied).block();
    EncryptionFailure failure =
        rejected(Kind.TAMPERED, () -> table.find(new EntityKey("Sales", "2")));
    assertThat(failure.key()).isEqualTo(new EntityKey("Sales", "2"));
    rejected(Kind.TAMPERED, () -> table.query(Query.all()).toList());
    assertThat(table.query(Query.where(rowKey().eq("1")))).hasSize(1);
  }

  @Test
  void plainEntitiesAreReadUntilEncryptionIsRequired() {
    raw.createEntity(new TableEntity("Sales", "1").addProperty("Name", "n1")).block();
    assertThat(table.find(ANN)).contains(new Employee("Sales", "1", "n1", null, null));
    EncryptionScope required =
        EncryptionScope.of(name, EncryptionResolver.properties(Set.of())).requireEncryption();
    Table<Employee> strict =
        Table.of(
            raw,
            EncryptedCodec.of(EntityCodec.of(Employee.class), EntityCipher.gcm(KEYS), required));
    rejected(Kind.NOT_ENCRYPTED, () -> strict.find(ANN));
    strict.upsertReplace(new Employee("Sales", "1", "n1", null, null));
    assertThat(strict.find(ANN)).contains(new Employee("Sales", "1", "n1", null, null));
    raw.updateEntity(stored("1").addProperty("Salary", "forged")).block();
    assertThat(rejected(Kind.NOT_ENCRYPTED, () -> strict.find(ANN)).property()).isEqualTo("Salary");
  }

  @Test
  void keysRotateByWritingAgain() {
    table.insert(employee("1", "100"));
    table.insert(employee("2", "200"));
    Table<Employee> rotated = Table.of(raw, codec(KEYS.rotatedTo(key("k2", 2))));
    assertThat(rotated.find(ANN)).contains(employee("1", "100"));
    rotated.update(ANN, ann -> ann);
    assertThat(rowsUnder("k1")).containsExactly("2");
    assertThat(rowsUnder("k2")).containsExactly("1");
    Table<Employee> newest = Table.of(raw, codec(KeyRing.of(key("k2", 2))));
    assertThat(newest.find(ANN)).contains(employee("1", "100"));
    rejected(Kind.UNKNOWN_KEY, () -> newest.find(new EntityKey("Sales", "2")));
  }

  @Test
  void theLargestStringIsStoredAndALargerOneIsNotSent() {
    String largest = "x".repeat(65_536 - 28);
    table.insert(employee("1", largest));
    assertThat(table.find(ANN).orElseThrow().salary()).isEqualTo(largest);
    rejected(Kind.TOO_LARGE, () -> table.insert(employee("2", largest + "x")));
  }

  @Test
  void olderVersionsOfATypeAreDecryptedBeforeTheyAreUpcast() {
    EntityCipher cipher = EntityCipher.gcm(KEYS);
    Table<OldPerson> old =
        Table.of(raw, EncryptedCodec.of(EntityCodec.of(OldPerson.class), cipher, name));
    old.insert(new OldPerson("p", "r", "secret"));
    Table<Person> now =
        Table.of(
            raw,
            EncryptedCodec.of(EntityCodec.of(Person.class), cipher, name)
                .upcasting(
                    OldPerson.class,
                    person -> new Person(person.p(), person.r(), person.secret(), 0)));
    assertThat(now.find(new EntityKey("p", "r"))).contains(new Person("p", "r", "secret", 0));
  }

  @Test
  void remoteKeysDoNotBlockTheTable() {
    WrappingKey remote = new LateKey(key("late", 3), Duration.ofMillis(1));
    AsyncTable<Employee> late = AsyncTable.of(raw, codec(KeyRing.of(remote)));
    List<Write<Employee>> writes =
        IntStream.range(0, 60).mapToObj(i -> Write.insert(employee("" + i, "s" + i))).toList();
    Mono<List<Employee>> all =
        late.batch(new Batch<>(writes))
            .then(late.update(ANN, ann -> employee("1", "new")))
            .thenMany(late.query(Query.all()))
            .collectList()
            .subscribeOn(Schedulers.parallel());
    assertThat(all.block(Duration.ofSeconds(30)))
        .hasSize(60)
        .contains(employee("1", "new"), employee("59", "s59"))
        .isSortedAccordingTo((a, b) -> a.id().compareTo(b.id()));
    KeyRing later = KeyRing.of(new LateKey(key("later", 3), Duration.ofMinutes(1)));
    Mono<TableEntity> waiting =
        Mono.fromCallable(() -> codec(later).write(employee("1", "x")))
            .subscribeOn(Schedulers.parallel());
    assertThat(catchThrowableOfType(IllegalStateException.class, waiting::block)).isNotNull();
    assertThat(late.codec().write(employee("1", "x")).getProperty("Salary"))
        .isInstanceOf(byte[].class);
  }

  @Test
  void theFailureOfAKeyReachesTheCaller() {
    UnsupportedOperationException cause = new UnsupportedOperationException("vault is unavailable");
    KeyResolver away =
        new KeyResolver() {
          @Override
          public Mono<WrappingKey> current() {
            return Mono.error(cause);
          }

          @Override
          public Mono<WrappingKey> find(String keyId) {
            return Mono.error(cause);
          }
        };
    table.insert(employee("1", "100"));
    Table<Employee> keyless = Table.of(raw, codec(away));
    assertThat(catchThrowableOfType(UnsupportedOperationException.class, () -> keyless.find(ANN)))
        .hasMessage("vault is unavailable");
    assertThat(
            catchThrowableOfType(
                UnsupportedOperationException.class,
                () -> codec(away).write(employee("1", "x"), TableTransactionActionType.CREATE)))
        .hasMessage("vault is unavailable");
  }

  /** A remote key, whose results arrive on other threads. */
  private record LateKey(WrappingKey key, Duration delay) implements WrappingKey {
    @Override
    public String id() {
      return key.id();
    }

    @Override
    public String algorithm() {
      return key.algorithm();
    }

    @Override
    public Mono<byte[]> wrap(byte[] contentKey) {
      return Mono.delay(delay).then(key.wrap(contentKey));
    }

    @Override
    public Mono<byte[]> unwrap(String wrappedBy, byte[] wrappedKey) {
      return Mono.delay(delay).then(key.unwrap(wrappedBy, wrappedKey));
    }
  }

  private EntityCodec<Employee> codec(KeyResolver keys) {
    return EncryptedCodec.of(EntityCodec.of(Employee.class), EntityCipher.gcm(keys), name);
  }

  private static Employee employee(String id, String salary) {
    return new Employee("Sales", id, "n" + id, salary, "of " + id);
  }

  private TableEntity stored(String id) {
    return raw.getEntity("Sales", id).block();
  }

  private void assertHidden(String id) {
    TableEntity stored = stored(id);
    assertThat(stored.getProperty("Salary")).isInstanceOf(byte[].class);
    assertThat(stored.getProperty("Name")).isEqualTo("n" + id);
    assertThat(stored.getProperties())
        .containsKeys("_LazuliEncryptionKey", "_LazuliEncryptedNames");
  }

  private List<String> rowsUnder(String keyId) {
    return raw.listEntities(new ListEntitiesOptions().setFilter(EntityCipher.wrappedBy(keyId)))
        .map(TableEntity::getRowKey)
        .collectList()
        .block();
  }

  private static EncryptionFailure rejected(Kind kind, ThrowingCallable call) {
    EncryptionFailure failure = catchThrowableOfType(EncryptionFailure.class, call);
    assertThat(failure).as("a failure of kind " + kind).isNotNull();
    assertThat(failure.kind()).isEqualTo(kind);
    return failure;
  }

  private static WrappingKey key(String id, int seed) {
    byte[] bytes = new byte[32];
    new Random(seed).nextBytes(bytes);
    return AesWrappingKey.of(id, bytes);
  }
}
