package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients and workers die before and after every request, but the copies still become equal. */
@MadeOnce
class OutboxFaultTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Employee RAISED = Employee.JONES.withSalary(2);

  private final Faults<World> faults = Faults.in(ACCOUNT, World::fresh);
  private final Faults<World> withJones = Faults.in(ACCOUNT, World::withJones);

  @TempDir static Path folder;

  /** A table with a copy in another table, one in blobs, and one in files. */
  private record World(Work work, String table, String copy, String container, Path files) {
    static World fresh(TestClient client) {
      return new World(
          Work.fresh(client),
          client.newTable(),
          client.newTable(),
          client.newContainer(),
          newFolder());
    }

    private static Path newFolder() {
      try {
        return Files.createTempDirectory(folder, "files");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static World withJones(TestClient client) {
      World world = fresh(client);
      world.employees(client).insert(Employee.JONES).block();
      world.runUntilEmpty(client);
      return world;
    }

    AsyncPrimaryTable<Employee> employees(TestClient client) {
      return AsyncPrimaryTable.of(
              "employee", AsyncTable.of(client.table(table), Employee.class), work.outbox(client))
          .copiedTo("copy", client.table(copy))
          .copiedTo(BlobCopy.of(client.container(container), EntityKey::rowKey, World::text))
          .copiedTo(FileCopy.of(files, EntityKey::rowKey, World::text));
    }

    private static BinaryData text(Employee employee) {
      return BinaryData.fromString("salary " + employee.salary());
    }

    void runUntilEmpty(TestClient client) {
      work.runUntilEmpty(client, employees(client).step());
    }

    void workOnce(TestClient client) {
      work.worker(client, employees(client).step()).runUntilEmpty().block();
    }

    Optional<Employee> primary(TestClient client) {
      return employees(client).find(Employee.JONES.key()).blockOptional();
    }

    Optional<Employee> copy(TestClient client) {
      return employees(client).by("copy").find(Employee.JONES.key()).blockOptional();
    }

    Optional<String> blob(TestClient client) {
      BlobAsyncClient blob = client.container(container).getBlobAsyncClient("000223");
      return blob.exists().blockOptional().orElseThrow()
          ? blob.getProperties()
              .filter(BlobCopy::isLive)
              .flatMap(live -> blob.downloadContent())
              .map(BinaryData::toString)
              .blockOptional()
          : Optional.empty();
    }

    Optional<String> file() {
      Path file = files.resolve("000223");
      try {
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void equal(TestClient client) {
      Optional<Employee> primary = primary(client);
      Optional<String> text = primary.map(employee -> text(employee).toString());
      assertThat(copy(client)).isEqualTo(primary);
      assertThat(blob(client)).isEqualTo(text);
      assertThat(file()).isEqualTo(text);
      assertThat(work.poisoned(client)).isZero();
    }
  }

  @Test
  void anInsertIsCopiedWhereverTheClientDies() {
    int requests =
        faults.forEveryCut(
            (world, client) -> world.employees(client).insert(Employee.JONES).block(),
            World::runUntilEmpty,
            World::equal);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void anUpdateIsCopiedWhereverTheClientDies() {
    int requests =
        withJones.forEveryCut(
            (world, client) ->
                world
                    .employees(client)
                    .update(Employee.JONES.key(), jones -> jones.withSalary(2))
                    .block(),
            World::runUntilEmpty,
            World::equal);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void aDeletionIsCopiedWhereverTheClientDies() {
    int requests =
        withJones.forEveryCut(
            (world, client) -> world.employees(client).delete(Employee.JONES.key()).block(),
            World::runUntilEmpty,
            World::equal);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void anUpdateIsCopiedWhereverTheWorkerDies() {
    int requests =
        Faults.in(ACCOUNT, OutboxFaultTest::withRaise)
            .forEveryCut(
                World::workOnce,
                World::runUntilEmpty,
                (world, client) -> {
                  world.equal(client);
                  assertThat(world.copy(client)).contains(RAISED);
                });
    assertThat(requests).as("receive, read, 2 for each copy, delete, empty receive").isEqualTo(8);
  }

  @Test
  void aDeletionIsCopiedWhereverTheWorkerDies() {
    int requests =
        Faults.in(ACCOUNT, OutboxFaultTest::withDeletion)
            .forEveryCut(
                World::workOnce,
                World::runUntilEmpty,
                (world, client) -> {
                  world.equal(client);
                  assertThat(world.copy(client)).isEmpty();
                });
    assertThat(requests).as("one more, to record that all targets are up to date").isEqualTo(9);
  }

  private static World withRaise(TestClient client) {
    World world = World.withJones(client);
    world.employees(client).put(RAISED).block();
    return world;
  }

  private static World withDeletion(TestClient client) {
    World world = World.withJones(client);
    world.employees(client).delete(Employee.JONES.key()).block();
    return world;
  }
}
