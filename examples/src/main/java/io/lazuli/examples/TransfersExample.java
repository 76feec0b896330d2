package io.lazuli.examples;

import com.azure.data.tables.TableAsyncClient;
import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.outbox.AsyncMove;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.IdempotentStep;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PoisonQueue;
import io.lazuli.client.table.AsyncTable;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Changes that no transaction can make, because they span partitions or tables: an employee changes
 * department, or leaves and goes to the archive, and an index across departments follows. Each
 * change is a message that a worker processes. Wherever a client or a worker dies, the result is
 * the same. Takes a connection string.
 */
public final class TransfersExample {
  /** A department is a partition. */
  public record Employee(@PartitionKey String department, @RowKey String id, String email) {
    /** The key of the copy that is found by the e-mail address. */
    Optional<EntityKey> emailKey() {
      return Optional.of(new EntityKey("email", email));
    }

    Employee in(String other) {
      return new Employee(other, id, email);
    }
  }

  private final AsyncPrimaryTable<Employee> staff;
  private final AsyncPrimaryTable<Employee> former;
  private final AsyncMove<Employee> transfer;
  private final AsyncMove<Employee> archive;
  private final OutboxWorker worker;

  public TransfersExample(Account account) {
    QueueAsyncClient queue = account.queue("transfers");
    PoisonQueue poison = PoisonQueue.of(account.queue("transfers-poison"));
    TableAsyncClient table = account.table("Staff");
    TableAsyncClient archiveTable = account.table("FormerStaff");
    // snippet
    Outbox outbox = Outbox.of(queue);
    staff =
        AsyncPrimaryTable.of("staff", AsyncTable.of(table, Employee.class), outbox)
            .indexedBy("email", account.table("StaffByEmail"), Employee::emailKey);
    // end
    // snippet
    former = AsyncPrimaryTable.of("former", AsyncTable.of(archiveTable, Employee.class), outbox);
    transfer =
        AsyncMove.of("transfer", staff, staff, (employee, key) -> employee.in(key.partitionKey()));
    archive = AsyncMove.archiving("archive", staff, former);
    worker =
        OutboxWorker.of(
            queue,
            poison,
            IdempotentStep.byKind(
                Map.of(
                    staff.kind(), staff.step(),
                    former.kind(), former.step(),
                    transfer.kind(), transfer.step(),
                    archive.kind(), archive.step())));
    // end
  }

  public static void main(String[] args) {
    TransfersExample example = new TransfersExample(Account.of(args));
    String id = UUID.randomUUID().toString(); // an id can be archived only once
    example.hire(new Employee("Sales", id, "jones@contoso.com"));
    example.work();
    example.transfer("Sales", id, "Marketing");
    example.work();
    System.out.println(example.byEmail("jones@contoso.com").orElseThrow().department());
    example.leave("Marketing", id);
    example.work();
    System.out.println(example.former("Marketing", id).orElseThrow().email());
  }

  public void hire(Employee employee) {
    staff.blocking().put(employee);
  }

  /** Decides the move; a worker executes it. */
  public void transfer(String department, String id, String other) {
    transfer.blocking().move(new EntityKey(department, id), new EntityKey(other, id));
  }

  /** Decides that the employee goes to the archive; a worker executes the move. */
  public void leave(String department, String id) {
    archive.blocking().move(new EntityKey(department, id));
  }

  /**
   * Processes the messages in the queue, which any number of processes may do; returns their
   * number.
   */
  public long work() {
    return worker.runUntilEmpty().blockOptional().orElseThrow();
  }

  public Optional<Employee> byEmail(String email) {
    return staff.blocking().by("email").find(new EntityKey("email", email));
  }

  public Optional<Employee> former(String department, String id) {
    return former.blocking().find(new EntityKey(department, id));
  }
}
