package io.lazuli.client.pattern.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.ETag;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.BlockingThreads;
import io.lazuli.client.fault.Cut;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxMessage;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@MadeOnce
class LargeTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  static final EntityKey JONES = new EntityKey("Sales", "000123");
  private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

  record Employee(
      @PartitionKey String department,
      @RowKey String id,
      String name,
      Optional<byte[]> photo,
      Optional<String> vita,
      @ETag @Nullable String eTag) {
    Employee withName(String other) {
      return new Employee(department, id, other, photo, vita, eTag);
    }

    Employee withPhoto(byte[] other) {
      return new Employee(department, id, name, Optional.of(other), vita, eTag);
    }
  }

  /** The names of a table and a container. */
  record World(String table, String container) {
    static World fresh(TestClient client) {
      return new World(client.newTable(), client.newContainer());
    }

    /** Creates an environment with an employee who has a large photo. */
    static World withJones(TestClient client) {
      World world = fresh(client);
      world.employees(client).insert(jones("Jones", 1));
      return world;
    }

    AsyncTable<Employee> rows(TestClient client) {
      return AsyncTable.of(client.table(table), Employee.class);
    }

    LargeTable<Employee> employees(TestClient client) {
      return AsyncLargeTable.of(rows(client), client.container(container)).blocking();
    }

    /** Returns the names of all existing blobs. */
    Set<String> blobs(TestClient client) {
      return client
          .container(container)
          .listBlobs()
          .map(BlobItem::getName)
          .collect(Collectors.toSet())
          .blockOptional()
          .orElseThrow();
    }

    /** Returns the names of all blobs that entities refer to. */
    Set<String> named(TestClient client) {
      return rows(client)
          .as(EntityCodec.dynamic())
          .query(Query.all())
          .flatMapIterable(entity -> Addresses.of(entity).values())
          .collect(Collectors.toSet())
          .blockOptional()
          .orElseThrow();
    }

    long collectAll(TestClient client) {
      return employees(client)
          .async()
          .collectUploadedBefore(END_OF_TIME)
          .blockOptional()
          .orElseThrow();
    }
  }

  private final TestClient client = TestClient.of(ACCOUNT);
  private final World world = World.fresh(client);
  private final LargeTable<Employee> employees = world.employees(client);

  static Employee jones(String name, int seed) {
    return employee(JONES.rowKey(), name, seed);
  }

  private static Employee employee(String id, String name, int seed) {
    return new Employee("Sales", id, name, Optional.of(photo(seed)), Optional.empty(), null);
  }

  static byte[] photo(int seed) {
    byte[] photo = new byte[20_000];
    new Random(seed).nextBytes(photo);
    return photo;
  }

  static Employee small(String name) {
    return new Employee(
        "Sales", "000123", name, Optional.of(new byte[] {1}), Optional.of("short"), null);
  }

  @Test
  void largeStringsAndBytesRoundTrip() {
    String vita = "Ä \uD83D\uDE00\n".repeat(50_000);
    Employee jones =
        new Employee("Sales", "000123", "Jones", Optional.of(photo(1)), Optional.of(vita), null);
    employees.insert(jones);
    Employee found = employees.find(JONES).orElseThrow();
    assertThat(found.name()).isEqualTo("Jones");
    assertThat(found.photo().orElseThrow()).isEqualTo(photo(1));
    assertThat(found.vita()).hasValue(vita);
    assertThat(found.eTag()).isNotNull();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void smallValuesStayInTheEntityAndCostOneRequest() {
    assertThat(client.count(() -> employees.insert(small("Jones")))).isEqualTo(1);
    assertThat(client.count(() -> employees.find(JONES))).isEqualTo(1);
    assertThat(world.rows(client).find(JONES).block()).isNotNull();
    assertThat(world.blobs(client)).isEmpty();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void theNumberOfRequestsIsAsDocumented() {
    assertThat(client.count(() -> employees.insert(jones("Jones", 1)))).isEqualTo(2);
    assertThat(client.count(() -> employees.find(JONES))).isEqualTo(2);
    assertThat(client.count(() -> employees.put(jones("Jones", 2)))).isEqualTo(4);
    assertThat(client.count(() -> employees.update(JONES, old -> old.withName("Smith"))))
        .isEqualTo(3);
    assertThat(client.count(() -> employees.update(JONES, old -> old.withPhoto(photo(3)))))
        .isEqualTo(5);
    Employee read = employees.find(JONES).orElseThrow();
    assertThat(client.count(() -> employees.replace(read.withPhoto(photo(4))))).isEqualTo(4);
    assertThat(client.count(world.employees(client)::collectOrphans)).isEqualTo(1);
    assertThat(client.count(() -> world.collectAll(client))).isEqualTo(2);
    assertThat(client.count(() -> employees.delete(JONES))).isEqualTo(3);
    assertThat(world.blobs(client)).isEmpty();
  }

  @Test
  void aReplacedValueLeavesNoBlob() {
    employees.insert(jones("Jones", 1));
    employees.put(jones("Jones", 2));
    assertThat(world.blobs(client)).hasSize(1).isEqualTo(world.named(client));
    employees.put(small("Jones"));
    assertThat(world.blobs(client)).isEmpty();
    assertThat(employees.find(JONES).orElseThrow().photo().orElseThrow()).hasSize(1);
  }

  @Test
  void anUpdateThatKeepsALargeValueKeepsItsBlob() {
    employees.insert(jones("Jones", 1));
    Set<String> before = world.blobs(client);
    employees.update(JONES, old -> old.withName("Smith"));
    assertThat(world.blobs(client)).isEqualTo(before);
    assertThat(employees.find(JONES).orElseThrow().name()).isEqualTo("Smith");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void queriesFindLargeValuesInTheOrderOfKeys() {
    for (int i = 0; i < 7; i++) {
      employees.insert(employee("00000" + i, "Jones" + i, i));
    }
    try (var found = employees.query(Query.partition("Sales"))) {
      List<Employee> all = found.toList();
      assertThat(all)
          .extracting(Employee::id)
          .isEqualTo(IntStream.range(0, 7).mapToObj(i -> "00000" + i).toList());
      assertThat(all.get(5).photo().orElseThrow()).isEqualTo(photo(5));
    }
    try (var found = employees.query(Query.partition("Sales").select("Name", "Photo"))) {
      assertThat(found.toList().get(6).photo().orElseThrow()).isEqualTo(photo(6));
    }
    assertThat(
            client.count(
                () ->
                    employees
                        .query(Query.partition("Sales").select("Name"))
                        .forEach(LargeTableTest::hasNoPhoto)))
        .isEqualTo(1);
  }

  private static void hasNoPhoto(Employee employee) {
    assertThat(employee.photo()).isEmpty();
  }

  @Test
  void keysOfAnyKindAndLengthOwnBlobs() {
    EntityKey key = new EntityKey("", "ü'% ".repeat(100) + "x");
    employees.insert(
        new Employee("", key.rowKey(), "Jones", Optional.of(photo(1)), Optional.empty(), null));
    assertThat(world.collectAll(client)).isZero();
    assertThat(employees.find(key).orElseThrow().photo()).isPresent();
    employees.delete(key);
    assertThat(world.blobs(client)).isEmpty();
  }

  @Test
  void theCodeOfThePageWorks() {
    BlobContainerAsyncClient container = client.container(world.container());
    TableAsyncClient table = client.table(world.table());
    byte[] newPhoto = photo(7);
    // snippet
    LargeTable<Employee> employees =
        AsyncLargeTable.of(AsyncTable.of(table, Employee.class), container).blocking();

    employees.put(
        new Employee("Sales", "000123", "Jones", Optional.of(newPhoto), Optional.empty(), null));
    employees.update(new EntityKey("Sales", "000123"), employee -> employee.withName("Smith"));
    employees.collectOrphans(); // once a day, say
    // end
    assertThat(employees.find(JONES).orElseThrow().name()).isEqualTo("Smith");
  }

  @Test
  void rejectedWritesHaveTypedFailures() {
    Employee smith = jones("Smith", 2);
    assertThatThrownBy(() -> employees.update(JONES, old -> old)).isInstanceOf(NotFound.class);
    assertThat(employees.delete(JONES)).isFalse();
    employees.insert(jones("Jones", 1));
    assertThatThrownBy(() -> employees.insert(smith)).isInstanceOf(AlreadyExists.class);
    Employee old = employees.find(JONES).orElseThrow();
    employees.put(smith);
    assertThatThrownBy(() -> employees.replace(old)).isInstanceOf(ConditionNotMet.class);
    assertThat(employees.find(JONES).orElseThrow().name()).isEqualTo("Smith");
    assertThat(world.collectAll(client)).as("the blob of the rejected insert").isEqualTo(1);
  }

  @Test
  void youngBlobsAreNotCollected() {
    orphan();
    assertThat(employees.collectOrphans()).isZero();
    assertThat(world.blobs(client)).hasSize(1);
    assertThatThrownBy(() -> employees.collectOrphans(Duration.ofMinutes(59)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT1H");
  }

  @Test
  void agesAreMeasuredByTheServicesClock() {
    orphan();
    LargeTable<Employee> hasty =
        employees
            .async()
            .with(LargeOptions.DEFAULT.withWriteMax(Duration.ofMillis(500)))
            .blocking();
    Awaitility.await().until(() -> hasty.collectOrphans() == 1);
    assertThat(world.blobs(client)).isEmpty();
  }

  @Test
  void theErrorNamesAMissingBlob() {
    employees.insert(jones("Jones", 1));
    String blob = world.blobs(client).iterator().next();
    client.container(world.container()).getBlobAsyncClient(blob).delete().block();
    assertThatThrownBy(() -> employees.find(JONES))
        .isInstanceOf(MissingBlob.class)
        .hasMessageContaining(blob)
        .hasMessageContaining("Sales/000123");
  }

  /** Leaves a blob without an entity, like a client that dies. */
  private void orphan() {
    LargeTable<Employee> mortal = world.employees(TestClient.of(ACCOUNT, Cut.before(2)));
    assertThatThrownBy(() -> mortal.insert(jones("Jones", 1))).isNotNull();
  }

  @Test
  void aReaderOfAReplacedValueSeesTheNewOne() {
    employees.insert(jones("Jones", 1));
    AtomicBoolean first = new AtomicBoolean(true);
    BlobContainerAsyncClient slow =
        ACCOUNT
            .blobs(
                (context, next) ->
                    first.getAndSet(false)
                        ? employees.async().put(jones("Smith", 2)).then(next.process())
                        : next.process())
            .getBlobContainerAsyncClient(world.container());
    LargeTable<Employee> reader = AsyncLargeTable.of(world.rows(client), slow).blocking();
    Employee found = reader.find(JONES).orElseThrow();
    assertThat(found.name()).isEqualTo("Smith");
    assertThat(found.photo().orElseThrow()).isEqualTo(photo(2));
  }

  @Test
  void anInsertMayDieAnywhere() {
    int requests =
        Faults.in(ACCOUNT, World::fresh)
            .forEveryCut(
                (here, mortal) -> here.employees(mortal).insert(jones("Jones", 1)),
                LargeTableTest::collected,
                LargeTableTest::isWhole);
    assertThat(requests).isEqualTo(2);
  }

  @Test
  void aPutMayDieAnywhere() {
    int requests =
        Faults.in(ACCOUNT, World::withJones)
            .forEveryCut(
                (here, mortal) -> here.employees(mortal).put(jones("Smith", 2)),
                LargeTableTest::collected,
                LargeTableTest::isWhole);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void anUpdateMayDieAnywhere() {
    int requests =
        Faults.in(ACCOUNT, World::withJones)
            .forEveryCut(
                (here, mortal) ->
                    here.employees(mortal)
                        .update(JONES, old -> old.withName("Smith").withPhoto(photo(2))),
                LargeTableTest::collected,
                LargeTableTest::isWhole);
    assertThat(requests).isEqualTo(5);
  }

  @Test
  void aDeleteMayDieAnywhere() {
    int requests =
        Faults.in(ACCOUNT, World::withJones)
            .forEveryCut(
                (here, mortal) -> here.employees(mortal).delete(JONES),
                LargeTableTest::collected,
                LargeTableTest::isWhole);
    assertThat(requests).isEqualTo(3);
  }

  @Test
  void theCollectorMayDieAnywhere() {
    Faults.in(
            ACCOUNT,
            live -> {
              World here = World.withJones(live);
              TestClient mortal = TestClient.of(ACCOUNT, Cut.after(3));
              assertThatThrownBy(() -> here.employees(mortal).put(jones("Smith", 2))).isNotNull();
              return here;
            })
        .forEveryCut(
            (here, mortal) -> here.collectAll(mortal),
            LargeTableTest::collected,
            LargeTableTest::isWhole);
  }

  /** An environment whose writes are announced in a queue. */
  record Announced(World world, String queue) {
    static Announced withJones(TestClient client) {
      return new Announced(World.withJones(client), client.newQueue());
    }

    AsyncLargeTable<Employee> employees(TestClient client) {
      return world
          .employees(client)
          .async()
          .with(LargeOptions.DEFAULT.withWriteMax(Duration.ofSeconds(20)))
          .announcedIn(Outbox.of(client.queue(queue)), "photos");
    }

    /** Counts all messages, including hidden ones. */
    int messages(TestClient client) {
      return client
          .queue(queue)
          .getProperties()
          .map(properties -> Math.toIntExact(properties.getApproximateMessagesCountLong()))
          .blockOptional()
          .orElseThrow();
    }
  }

  @Test
  @NotRehearsed("counts messages, and a message whose response was lost is sent twice")
  void everyOrphanOfAnAnnouncedWriteHasAMessage() {
    int requests =
        Faults.in(ACCOUNT, Announced::withJones)
            .forEveryCut(
                (here, mortal) -> here.employees(mortal).put(jones("Smith", 2)).block(),
                (here, live) -> {
                  if (!here.world().blobs(live).equals(here.world().named(live))) {
                    assertThat(here.messages(live)).isEqualTo(1);
                  }
                  collected(here.world(), live);
                },
                (here, live) -> isWhole(here.world(), live));
    assertThat(requests).isEqualTo(4 + 2);
  }

  @Test
  void aWriteSucceedsEvenIfItsOldBlobStays() {
    Announced here = Announced.withJones(client);
    TestClient mortal = TestClient.of(ACCOUNT, Cut.before(5));
    here.employees(mortal).put(jones("Smith", 2)).block();
    assertThat(here.world().employees(client).find(JONES).orElseThrow().name()).isEqualTo("Smith");
    assertThat(here.world().blobs(client)).hasSize(2);
    assertThat(here.messages(client)).isEqualTo(1);
  }

  @Test
  void aWorkerRemovesTheOrphansOfOneEntity() {
    employees.insert(jones("Jones", 1));
    employees.insert(employee("000124", "Smith", 2));
    orphan();
    AsyncLargeTable<Employee> hasty =
        employees.async().with(LargeOptions.DEFAULT.withWriteMax(Duration.ofMillis(500)));
    Awaitility.await()
        .until(
            () -> {
              hasty.step().apply(new OutboxMessage("photos", JONES)).block();
              return world.blobs(client).equals(world.named(client));
            });
    assertThat(world.blobs(client)).hasSize(2);
  }

  private static void collected(World here, TestClient live) {
    here.employees(live).find(JONES);
    here.collectAll(live);
  }

  /**
   * Checks that the value is completely the old or the new one, and that every blob has an entity
   * that names it.
   */
  private static void isWhole(World here, TestClient live) {
    here.employees(live)
        .find(JONES)
        .ifPresent(
            jones ->
                assertThat(jones.photo().orElseThrow())
                    .isEqualTo(photo(jones.name().equals("Jones") ? 1 : 2)));
    assertThat(here.blobs(live)).isEqualTo(here.named(live));
  }

  @Test
  void concurrentWritersReadersAndTheCollectorLoseNothing() {
    long seed = new Random().nextLong();
    for (int key = 0; key < 6; key++) {
      employees.put(employee("e" + key, "0", 0));
    }
    orphan();
    Instant before = serviceTime().plusSeconds(1);
    Awaitility.await().until(() -> !serviceTime().isBefore(before));
    AtomicBoolean writing = new AtomicBoolean(true);
    Mono<Long> collecting =
        Mono.defer(() -> employees.async().collectUploadedBefore(before))
            .repeat(writing::get)
            .reduce(0L, Long::sum);
    Mono<Void> all =
        Flux.range(0, 4)
            .flatMap(
                writer ->
                    Mono.fromRunnable(() -> write(new Random(seed + writer)))
                        .subscribeOn(BlockingThreads.get()))
            .doFinally(end -> writing.set(false))
            .then();
    assertThat(Mono.when(all, collecting).thenReturn(true).block()).as("seed " + seed).isTrue();
    world.collectAll(client);
    assertThat(world.blobs(client)).as("seed " + seed).isEqualTo(world.named(client));
    try (var found = employees.query(Query.all())) {
      found.forEach(LargeTableTest::assertWhole);
    }
  }

  private Instant serviceTime() {
    return new ValueBlobs(client.container(world.container()), world.table())
        .pages("none/")
        .next()
        .map(ValueBlobs::time)
        .blockOptional()
        .orElseThrow();
  }

  private void write(Random random) {
    for (int i = 0; i < 12; i++) {
      EntityKey key = new EntityKey("Sales", "e" + random.nextInt(6));
      int version = random.nextInt(1_000);
      Employee value = employee(key.rowKey(), Integer.toString(version), version);
      switch (random.nextInt(5)) {
        case 0 -> employees.put(value);
        case 1 -> employees.delete(key);
        case 2 -> employees.async().insert(value).onErrorComplete(AlreadyExists.class).block();
        case 3 ->
            employees
                .async()
                .update(
                    key,
                    old -> {
                      assertWhole(old);
                      return random.nextBoolean() ? old : value;
                    })
                .onErrorComplete(LargeTableTest::isNotFoundOrUnknown)
                .block();
        default -> employees.find(key).ifPresent(LargeTableTest::assertWhole);
      }
    }
  }

  /** The outcome is unknown if an answer was lost and another client then deleted the entity. */
  private static boolean isNotFoundOrUnknown(Throwable failure) {
    return failure instanceof NotFound
        || (failure instanceof OutcomeUnknown && ACCOUNT.isRehearsed());
  }

  /** Checks that the photo matches the name. */
  private static void assertWhole(Employee employee) {
    assertThat(employee.photo().orElseThrow()).isEqualTo(photo(Integer.parseInt(employee.name())));
  }
}
