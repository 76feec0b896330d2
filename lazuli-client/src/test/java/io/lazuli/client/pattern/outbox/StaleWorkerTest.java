package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A worker that read the primary long ago and writes only now changes nothing. */
class StaleWorkerTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey KEY = Employee.JONES.key();
  private static final EntityKey PLACE = new EntityKey("email", Employee.JONES.email());
  private static final Employee SMITH = new Employee("IT", "7", Employee.JONES.email(), 1);

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final Rows copies = Rows.of(client.table(client.newTable()));
  private final Index<Employee, TableCopy<Employee>> index =
      source ->
          new TableCopy<>(
              source,
              "email",
              copies,
              employee -> Optional.of(new EntityKey("email", employee.email())));
  private final AsyncPrimaryTable<Employee> employees =
      AsyncPrimaryTable.of(
              "employee",
              AsyncTable.of(client.table(client.newTable()), Employee.class),
              work.outbox(client))
          .indexedBy(index);
  private final TableCopy<Employee> byEmail = employees.by(index);

  private Primary<Employee> put(Employee employee) {
    return employees.put(employee).blockOptional().orElseThrow();
  }

  private void runUntilEmpty() {
    work.runUntilEmpty(client, employees.step());
  }

  private Optional<Employee> found() {
    return byEmail.find(PLACE).blockOptional();
  }

  @Test
  void anOlderVersionDoesNotReplaceANewerOne() {
    Primary<Employee> stale = put(Employee.JONES);
    put(Employee.JONES.withSalary(2));
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).contains(Employee.JONES.withSalary(2));
  }

  @Test
  void aDeletedEntityIsNotRestored() {
    Primary<Employee> stale = put(Employee.JONES);
    runUntilEmpty();
    employees.delete(KEY).block();
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).isEmpty();
  }

  @Test
  void anEntityDeletedBeforeItWasCopiedIsNotRestored() {
    Primary<Employee> stale = put(Employee.JONES);
    employees.delete(KEY).block();
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).isEmpty();
  }

  @Test
  void anAbandonedKeyIsNotUsedAgain() {
    Primary<Employee> stale = put(Employee.JONES);
    put(Employee.JONES.withEmail("new"));
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).isEmpty();
  }

  @Test
  void anAbandonedKeyOfAnotherPrimaryIsNotUsedAgain() {
    Primary<Employee> stale = put(Employee.JONES);
    put(Employee.JONES.withEmail("new"));
    runUntilEmpty();
    put(SMITH);
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).contains(SMITH);
    put(SMITH.withEmail("newer"));
    runUntilEmpty();
    byEmail.update(stale).block();
    assertThat(found()).as("the tombstone there belongs to another primary").isEmpty();
  }

  @Test
  void aCopyIsRemovedByItsOwnPrimaryOnly() {
    Primary<Employee> jones = put(Employee.JONES);
    runUntilEmpty();
    put(Employee.JONES.withEmail("new"));
    put(SMITH);
    runUntilEmpty();
    byEmail.removeCopy(PLACE, jones).block();
    assertThat(found()).contains(SMITH);
  }

  @Test
  void onlyOneOfTwoPrimariesCanHaveAKey() {
    put(Employee.JONES);
    runUntilEmpty();
    Primary<Employee> smith = put(SMITH);
    assertThatThrownBy(() -> byEmail.update(smith).block()).isInstanceOf(KeyTaken.class);
    assertThat(found()).contains(Employee.JONES);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aBlobDoesNotReturnToAnOlderVersion() {
    BlobCopy<Employee> blobs =
        BlobCopy.of(
            client.container(client.newContainer()),
            EntityKey::rowKey,
            employee -> BinaryData.fromString(employee.email()));
    blobs.update(new Primary<>(KEY, 5, Optional.of(Employee.JONES))).block();
    assertThat(client.count(() -> again(blobs))).as("only reads").isEqualTo(1);
    blobs.update(new Primary<>(KEY, 7, Optional.empty())).block();
    blobs.update(new Primary<>(KEY, 6, Optional.of(Employee.JONES))).block();
    assertThat(blobs.sweep(Duration.ofDays(1)).block()).as("too young").isZero();
    assertThat(blobs.sweep(Duration.ofSeconds(-5)).block()).isEqualTo(1);
  }

  private static void again(BlobCopy<Employee> blobs) {
    blobs.update(new Primary<>(KEY, 5, Optional.of(Employee.JONES))).block();
  }

  @Test
  void aFileDoesNotReturnToAnOlderVersion(@TempDir Path folder) throws IOException {
    FileCopy<Employee> files =
        FileCopy.of(folder, EntityKey::rowKey, jones -> BinaryData.fromString("" + jones.salary()));
    Path file = folder.resolve("000223");
    files.update(new Primary<>(KEY, 5, Optional.of(Employee.JONES))).block();
    assertThat(file).hasContent("1");
    files.update(new Primary<>(KEY, 4, Optional.of(Employee.JONES.withSalary(4)))).block();
    assertThat(file).hasContent("1");
    Files.delete(file);
    files.update(new Primary<>(KEY, 5, Optional.of(Employee.JONES))).block();
    assertThat(file).as("a crash after the version was written").hasContent("1");
    files.update(new Primary<>(KEY, 7, Optional.empty())).block();
    files.update(new Primary<>(KEY, 6, Optional.of(Employee.JONES))).block();
    assertThat(file).doesNotExist();
  }
}
