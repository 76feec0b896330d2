package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.BlobCopy;
import io.lazuli.client.pattern.outbox.FileCopy;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PrimaryTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A table with copies in another table, in blobs and in files.
 *
 * @param background whether a worker also runs in the background, until its process halts
 */
record OutboxWorkload(World world, boolean background) implements Workload {
  private static final List<String> IDS = List.of("0", "1", "2");
  private static final EntityKey COUNTED = new EntityKey("Sales", "counted");

  private Delivery delivery() {
    return new Delivery(world);
  }

  private AsyncPrimaryTable<Employee> employees(TestClient client) {
    return AsyncPrimaryTable.of(
            "employee",
            AsyncTable.of(client.table(world.table()), Employee.class),
            delivery().outbox(client))
        .copiedTo("copy", client.table(world.secondTable()))
        .copiedTo(
            BlobCopy.of(
                client.container(world.container()), EntityKey::rowKey, OutboxWorkload::text))
        .copiedTo(FileCopy.of(files(), EntityKey::rowKey, OutboxWorkload::text));
  }

  private Path files() {
    return world.folder().resolve("files");
  }

  private static BinaryData text(Employee employee) {
    return BinaryData.fromString("age " + employee.age());
  }

  @Override
  public void prepare(TestClient live) {
    try {
      Files.createDirectories(files());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    employees(live).insert(new Employee("Sales", COUNTED.rowKey(), "c@x.com", 0)).block();
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    PrimaryTable<Employee> employees = employees(client).blocking();
    OutboxWorker worker = delivery().worker(client, employees.async().step());
    if (background) {
      worker.start();
    }
    return random -> {
      Employee employee =
          new Employee("Sales", IDS.get(random.nextInt(3)), "e@x.com", random.nextInt(1_000));
      switch (random.nextInt(7)) {
        case 0 -> journal.attempt("insert", () -> employees.insert(employee));
        case 1 -> journal.attempt("put", () -> employees.put(employee));
        case 2, 3 ->
            journal.attempt(
                "age counted", () -> employees.update(COUNTED, old -> old.withAge(old.age() + 1)));
        case 4 -> journal.attempt("delete", () -> employees.delete(employee.key()));
        default -> worker.runUntilEmpty().block();
      }
    };
  }

  @Override
  public void settle(TestClient live) {
    delivery().settle(live, employees(live).step());
  }

  @Override
  public void check(TestClient live, History history) {
    List<Employee> primaries = employees(live).blocking().query(Query.all()).toList();
    assertThat(employees(live).blocking().by("copy").query(Query.all()))
        .containsExactlyInAnyOrderElementsOf(primaries);
    for (String id : IDS) {
      Optional<String> expected =
          primaries.stream()
              .filter(each -> each.id().equals(id))
              .map(each -> text(each).toString())
              .findFirst();
      assertThat(blob(live, id)).as("the blob of %s", id).isEqualTo(expected);
      assertThat(file(id)).as("the file of %s", id).isEqualTo(expected);
    }
    assertThat((long) employees(live).blocking().find(COUNTED).orElseThrow().age())
        .isBetween(history.atLeast("age", "counted"), history.atMost("age", "counted"));
    assertThat(delivery().poisoned(live)).isZero();
  }

  private Optional<String> blob(TestClient live, String id) {
    BlobAsyncClient blob = live.container(world.container()).getBlobAsyncClient(id);
    return Boolean.TRUE.equals(blob.exists().block())
        ? blob.getProperties()
            .filter(BlobCopy::isLive)
            .flatMap(properties -> blob.downloadContent())
            .map(BinaryData::toString)
            .blockOptional()
        : Optional.empty();
  }

  private Optional<String> file(String id) {
    Path file = files().resolve(id);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
