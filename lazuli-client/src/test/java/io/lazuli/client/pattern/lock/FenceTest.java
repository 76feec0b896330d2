package io.lazuli.client.pattern.lock;

import static io.lazuli.client.table.Write.insert;
import static io.lazuli.client.table.Write.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.InterleavedAction;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.lock.AsyncBlobLock.LeaseTimes;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FenceTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey JONES = new EntityKey("Sales", "empid_000123");

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();
  private final BlobContainerAsyncClient container = client.container(client.newContainer());
  private final Table<Salary> salaries = Table.of(client.table(name), Salary.class);

  record Salary(@PartitionKey String department, @RowKey String id, long amount) {
    Salary plus(long more) {
      return new Salary(department, id, amount + more);
    }
  }

  @Test
  void aRaiseIsPaidUnderTheLock() {
    salaries.insert(new Salary("Sales", "empid_000123", 1_000));

    BlobLock payroll = BlobLock.of(container, "payroll");
    try (HeldLock lock = payroll.acquire(Duration.ofMinutes(1))) {
      Fence<Salary> fence = Fence.raise(lock, salaries, "Sales");
      Salary jones = salaries.find(JONES).orElseThrow();
      fence.batch(Batch.of(replace(jones.plus(100), Condition.any())));
    }

    assertThat(amount()).isEqualTo(1_100);
  }

  @Test
  void aHolderThatWasPausedCannotWrite() {
    salaries.insert(new Salary("Sales", "empid_000123", 1_000));
    HeldLock paused = unawareOfLoss("payroll");
    Fence<Salary> stale = Fence.raise(paused, salaries, "Sales");
    Salary before = salaries.find(JONES).orElseThrow();

    BlobLockTest.breakLease(container, "payroll");
    try (HeldLock next = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
      Fence<Salary> fence = Fence.raise(next, salaries, "Sales");
      Salary now = salaries.find(JONES).orElseThrow();
      fence.batch(Batch.of(replace(now.plus(50), Condition.any())));
    }

    assertThat(paused.isHeld()).as("the paused process does not know").isTrue();
    assertThatThrownBy(() -> stale.batch(Batch.of(replace(before.plus(100), Condition.any()))))
        .isInstanceOf(LockLost.class);
    assertThat(amount()).as("the second change is not lost").isEqualTo(1_050);
    assertThatThrownBy(() -> Fence.raise(paused, salaries, "Sales")).isInstanceOf(LockLost.class);
    paused.close();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aWriteThatWasOnItsWayForLongIsRefused() {
    salaries.insert(new Salary("Sales", "empid_000123", 1_000));
    HeldLock paused = unawareOfLoss("payroll");
    InterleavedAction delay =
        new InterleavedAction(
            3,
            () -> {
              BlobLockTest.breakLease(container, "payroll");
              try (HeldLock next = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
                Fence.raise(next, salaries, "Sales");
              }
            });
    Table<Salary> slow = Table.of(ACCOUNT.tables(delay).getTableClient(name), Salary.class);
    Fence<Salary> fence = Fence.raise(paused, slow, "Sales");
    Salary raised = new Salary("Sales", "empid_000123", 2_000);
    assertThatThrownBy(() -> fence.batch(Batch.of(replace(raised, Condition.any()))))
        .isInstanceOf(LockLost.class);
    assertThat(delay.requests()).isEqualTo(3);
    assertThat(amount()).isEqualTo(1_000);
    paused.close();
  }

  @Test
  void aLockThatIsKnownToBeLostSendsNothing() {
    HeldLock lock = BlobLock.of(container, "payroll").acquire(Duration.ZERO);
    Fence<Salary> fence = Fence.raise(lock, salaries, "Sales");
    lock.close();
    Salary jones = new Salary("Sales", "empid_000123", 1);
    assertThat(
            client.count(
                () ->
                    assertThatThrownBy(() -> fence.batch(Batch.of(insert(jones))))
                        .isInstanceOf(LockLost.class)))
        .isZero();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void raisingSendsTwoRequestsAndAFencedBatchOne() {
    try (HeldLock lock = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
      assertThat(client.count(() -> Fence.raise(lock, salaries, "Sales"))).isEqualTo(2);
      assertThat(client.count(() -> Fence.raise(lock, salaries, "Sales")))
          .as("the fence is there already")
          .isEqualTo(1);
      Fence<Salary> fence = Fence.raise(lock, salaries, "Sales");
      Salary jones = new Salary("Sales", "empid_000123", 1);
      assertThat(client.count(() -> fence.batch(Batch.of(insert(jones))))).isEqualTo(1);
    }
  }

  @Test
  void theHoldersOwnBatchesDoNotDisturbEachOther() {
    try (HeldLock lock = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
      Fence<Salary> fence = Fence.raise(lock, salaries, "Sales");
      Concurrently.run(8, i -> fence.batch(Batch.of(insert(new Salary("Sales", "empid_" + i, i)))));
    }
    assertThat(salaries.query(Query.prefix("Sales", "empid_"))).hasSize(8);
  }

  @Test
  void theFencesOfDifferentLocksAndPartitionsAreIndependent() {
    try (HeldLock payroll = BlobLock.of(container, "payroll").acquire(Duration.ZERO);
        HeldLock audit = BlobLock.of(container, "audit").acquire(Duration.ZERO)) {
      Fence<Salary> one = Fence.raise(payroll, salaries, "Sales");
      Fence<Salary> two = Fence.raise(audit, salaries, "Sales");
      Fence<Salary> elsewhere = Fence.raise(audit, salaries, "IT");
      one.batch(Batch.of(insert(new Salary("Sales", "empid_1", 1))));
      two.batch(Batch.of(insert(new Salary("Sales", "empid_2", 2))));
      elsewhere.batch(Batch.of(insert(new Salary("IT", "empid_3", 3))));
    }
    assertThat(fenceRows("Sales")).hasSize(4);
    assertThat(fenceRows("IT")).hasSize(2);
  }

  @Test
  void aRejectedWriteIsReportedWithTheCallersIndex() {
    salaries.insert(new Salary("Sales", "empid_2", 1));
    try (HeldLock lock = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
      Fence<Salary> fence = Fence.raise(lock, salaries, "Sales");
      Write<Salary> taken = insert(new Salary("Sales", "empid_2", 2));
      assertThatThrownBy(
              () -> fence.batch(Batch.of(insert(new Salary("Sales", "empid_1", 1)), taken)))
          .isInstanceOfSatisfying(
              BatchFailed.class,
              failed -> {
                assertThat(failed.index()).isEqualTo(1);
                assertThat(failed.write()).isSameAs(taken);
              });
      List<Write<Salary>> many = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        many.add(insert(new Salary("Sales", "many_" + i, i)));
      }
      assertThatThrownBy(() -> fence.batch(new Batch<>(many)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 99");
      fence.batch(new Batch<>(many.subList(0, 99)));
    }
  }

  @Test
  void holdersThatRaiseAtTheSameTimeLeaveTheGreatestToken() {
    List<HeldLock> holders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      holders.add(unawareOfLoss("payroll"));
      BlobLockTest.breakLease(container, "payroll");
    }
    Concurrently.run(
        4,
        i -> {
          try {
            Fence.raise(holders.get(i), salaries, "Sales");
          } catch (LockLost lost) {
            assertThat(i).isLessThan(3);
          }
        });
    long last = holders.get(3).token();
    assertThat(fenceRows("Sales"))
        .extracting(TableEntity::getRowKey)
        .containsExactly("~fence_payroll", "~fence_payroll_%016d".formatted(last));
    holders.forEach(HeldLock::close);
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void aLostResponseDoesNotDisturbTheFence() {
    for (int request = 1; request <= 2; request++) {
      Table<Salary> unlucky =
          Table.of(new LostResponse(request).tables(ACCOUNT).getTableClient(name), Salary.class);
      try (HeldLock lock = BlobLock.of(container, "payroll").acquire(Duration.ZERO)) {
        Fence<Salary> fence = Fence.raise(lock, unlucky, "Sales");
        fence.batch(Batch.of(insert(new Salary("Sales", "empid_" + request, 1))));
      }
      assertThat(fenceRows("Sales")).hasSize(2);
    }
  }

  @Test
  void wheneverAHolderDiesTheNextOneContinues() {
    record World(String table, String container) {}
    Faults.in(ACCOUNT, maker -> new World(maker.newTable(), maker.newContainer()))
        .forEveryCut(
            (here, mortal) -> pay(mortal, here.table(), here.container()),
            (here, live) -> {
              BlobLockTest.breakLease(live.container(here.container()), "payroll");
              pay(live, here.table(), here.container());
            },
            (here, live) -> {
              Table<TableEntity> rows = Table.of(live.table(here.table()), EntityCodec.dynamic());
              assertThat(rows.query(Query.partition("Sales"))).hasSize(3);
              assertThat(rows.query(Query.prefix("Sales", "~fence_"))).hasSize(2);
            });
  }

  private static void pay(TestClient client, String table, String container) {
    BlobLock lock = BlobLock.of(client.container(container), "payroll");
    try (HeldLock held = lock.acquire(Duration.ZERO)) {
      Table<Salary> salaries = Table.of(client.table(table), Salary.class);
      Fence<Salary> fence = Fence.raise(held, salaries, "Sales");
      Salary salary = new Salary("Sales", "empid_000123", 1_000);
      fence.batch(Batch.of(Write.upsertReplace(salary)));
    }
  }

  /** A holder whose clock stands still, as that of a paused process does. */
  private HeldLock unawareOfLoss(String lock) {
    LeaseTimes times = new LeaseTimes(Duration.ofSeconds(60), Duration.ofHours(1), () -> 0);
    return new AsyncBlobLock(container, lock, times).blocking().acquire(Duration.ZERO);
  }

  private long amount() {
    return salaries.find(JONES).orElseThrow().amount();
  }

  private List<TableEntity> fenceRows(String partition) {
    return salaries.as(EntityCodec.dynamic()).query(Query.prefix(partition, "~fence_")).toList();
  }
}
