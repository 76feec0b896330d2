package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.options.BlobBreakLeaseOptions;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.lock.BlobLock;
import io.lazuli.client.pattern.lock.Fence;
import io.lazuli.client.pattern.lock.HeldLock;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import reactor.core.publisher.Mono;

/**
 * A count of payments, which the holder of a lock reads and then writes without a condition,
 * together with a payment. Only the lock and its fence keep two holders from writing the same
 * count. The processes also end each other's leases, as time does.
 */
record LockWorkload(World world) implements Workload {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration WAIT_MAX = Duration.ofMinutes(1);
  private static final EntityKey COUNT = new EntityKey("Sales", "count");
  private static final String PAYMENT = "payment_";

  record Payment(@PartitionKey String department, @RowKey String id, long number) {}

  private BlobLock payroll(TestClient client) {
    return BlobLock.of(client.container(world.container()), "payroll", LEASE);
  }

  private Table<Payment> payments(TestClient client) {
    return Table.of(client.table(world.table()), Payment.class);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    BlobLock payroll = payroll(client);
    return random -> {
      Optional<HeldLock> held = payroll.tryAcquire();
      if (held.isEmpty()) {
        if (random.nextInt(3) == 0) {
          endLease(client);
        }
        return;
      }
      try (HeldLock lock = held.get()) {
        String id = UUID.randomUUID().toString();
        journal.attempt("pay " + id, () -> pay(client, lock, id));
      }
    };
  }

  private void pay(TestClient client, HeldLock lock, String id) {
    Table<Payment> payments = payments(client);
    Fence<Payment> fence = Fence.raise(lock, payments, "Sales");
    long number = payments.find(COUNT).map(Payment::number).orElse(0L) + 1;
    fence.batch(
        Batch.of(
            Write.upsertReplace(new Payment("Sales", COUNT.rowKey(), number)),
            Write.upsertReplace(new Payment("Sales", PAYMENT + id, number))));
  }

  /** Ends the lease of any holder. A holder that is still at work learns it from the fence. */
  private void endLease(TestClient client) {
    new BlobLeaseClientBuilder()
        .blobAsyncClient(client.container(world.container()).getBlobAsyncClient("payroll"))
        .buildAsyncClient()
        .breakLeaseWithResponse(new BlobBreakLeaseOptions().setBreakPeriod(Duration.ZERO))
        .then()
        .onErrorResume(BlobStorageException.class, free -> Mono.empty())
        .block();
  }

  @Override
  public void settle(TestClient live) {
    endLease(live);
    try (HeldLock lock = payroll(live).acquire(WAIT_MAX)) {
      pay(live, lock, "last");
    }
  }

  @Override
  public void check(TestClient live, History history) {
    List<Payment> payments = payments(live).query(Query.prefix("Sales", PAYMENT)).toList();
    assertThat(payments(live).find(COUNT).orElseThrow().number()).isEqualTo(payments.size());
    assertThat(payments).extracting(Payment::number).doesNotHaveDuplicates();
    List<String> ids =
        payments.stream()
            .map(payment -> payment.id().substring(PAYMENT.length()))
            .filter(id -> !id.equals("last"))
            .toList();
    assertThat(ids).containsAll(history.words("pay", End.DONE));
    assertThat(history.words("pay", End.DONE, End.OPEN)).containsAll(ids);
  }
}
