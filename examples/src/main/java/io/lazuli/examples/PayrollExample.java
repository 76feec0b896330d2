package io.lazuli.examples;

import static io.lazuli.client.table.Write.replace;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.lock.BlobLock;
import io.lazuli.client.pattern.lock.Fence;
import io.lazuli.client.pattern.lock.HeldLock;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Duration;
import java.util.List;

/**
 * Pessimistic concurrency: a payroll run changes the salaries of several departments and must not
 * run twice at the same time. It holds a lock, and its writes are fenced. Takes a connection
 * string. Run it with {@code java -cp examples/target/lazuli-tour.jar
 * io.lazuli.examples.PayrollExample}.
 */
public final class PayrollExample {
  /** The salary of an employee. */
  public record Salary(@PartitionKey String department, @RowKey String id, long amount) {}

  private static final List<String> DEPARTMENTS = List.of("Sales", "Marketing");

  private final Table<Salary> salaries;
  private final BlobLock lock;

  public PayrollExample(Account account) {
    BlobContainerAsyncClient container = account.container("locks");
    salaries = Table.of(account.table("Payroll"), Salary.class);
    lock = BlobLock.of(container, "payroll");
  }

  public static void main(String[] args) {
    PayrollExample example = new PayrollExample(Account.of(args));
    for (String department : DEPARTMENTS) {
      example.set(new Salary(department, "empid_000123", 1_000));
    }
    example.raise(100);
    System.out.println(example.amount("Sales", "empid_000123"));
    System.out.println("free while a run holds the lock: " + example.isFreeDuringARun());
  }

  public void set(Salary salary) {
    salaries.upsertReplace(salary);
  }

  public long amount(String department, String id) {
    return salaries.find(new EntityKey(department, id)).orElseThrow().amount();
  }

  /** Raises all salaries. Waits up to a minute for another run. */
  public void raise(long more) {
    try (HeldLock held = lock.acquire(Duration.ofMinutes(1))) {
      for (String department : DEPARTMENTS) {
        raise(held, department, more);
      }
    }
  }

  /** Raises the fence first, so that no earlier run can change what is read here. */
  private void raise(HeldLock held, String department, long more) {
    Fence<Salary> fence = Fence.raise(held, salaries, department);
    List<Write<Salary>> writes =
        salaries
            .query(Query.prefix(department, "empid_"))
            .map(old -> new Salary(old.department(), old.id(), old.amount() + more))
            .map(raised -> replace(raised, Condition.any()))
            .toList();
    fence.batch(new Batch<>(writes));
  }

  /** Returns whether a second process could get the lock while this one holds it. */
  public boolean isFreeDuringARun() {
    try (HeldLock held = lock.acquire(Duration.ofMinutes(1))) {
      held.requireHeld();
      return lock.tryAcquire().isPresent();
    }
  }
}
