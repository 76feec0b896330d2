package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.MadeOnce;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients and workers die at every request, but each index still follows its entities. */
@MadeOnce
class PartitionIndexFaultTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey OLD_INDEX_KEY = new EntityKey("email_Sales", "jonesj@contoso.com");
  private static final EntityKey NEW_PLACE = new EntityKey("email_Sales", "jane@contoso.com");

  private final Faults<IndexedEmployees> withJones =
      Faults.in(ACCOUNT, PartitionIndexFaultTest::withJones);

  private static IndexedEmployees withJones(TestClient client) {
    IndexedEmployees world = IndexedEmployees.fresh(client);
    world.table(client).insert(Employee.JONES).block();
    world.runUntilEmpty(client);
    return world;
  }

  private static IndexedEmployees withNewEmail(TestClient client) {
    IndexedEmployees world = withJones(client);
    changeEmail(world, client);
    return world;
  }

  private static void changeEmail(IndexedEmployees world, TestClient client) {
    world
        .table(client)
        .update(Employee.JONES.key(), jones -> jones.withEmail("jane@contoso.com"))
        .block();
  }

  private static void delete(IndexedEmployees world, TestClient client) {
    world.table(client).delete(Employee.JONES.key()).block();
  }

  @Test
  void anIndexFollowsAChangedValueWhereverTheClientDies() {
    int requests =
        withJones.forEveryCut(
            PartitionIndexFaultTest::changeEmail,
            IndexedEmployees::runUntilEmpty,
            IndexedEmployees::agree);
    assertThat(requests).isEqualTo(4);
  }

  @Test
  void anIndexFollowsAChangedValueWhereverTheWorkerDies() {
    int requests =
        Faults.in(ACCOUNT, PartitionIndexFaultTest::withNewEmail)
            .forEveryCut(
                IndexedEmployees::workOnce,
                IndexedEmployees::runUntilEmpty,
                (world, client) -> {
                  world.agree(client);
                  assertThat(world.byEmail(client).find(OLD_INDEX_KEY).blockOptional()).isEmpty();
                  assertThat(world.byEmail(client).find(NEW_PLACE).blockOptional()).isPresent();
                });
    assertThat(requests)
        .as("receive, read, 2 for each index, 2 for the old key, settle, delete, empty receive")
        .isEqualTo(11);
  }

  @Test
  void aDeletedEntityLeavesNoIndexWhereverTheClientDies() {
    withJones.forEveryCut(
        PartitionIndexFaultTest::delete, IndexedEmployees::runUntilEmpty, IndexedEmployees::agree);
  }

  @Test
  void aDeletedEntityLeavesNoIndexWhereverTheWorkerDies() {
    Faults.in(
            ACCOUNT,
            client -> {
              IndexedEmployees world = withJones(client);
              delete(world, client);
              return world;
            })
        .forEveryCut(
            IndexedEmployees::workOnce,
            IndexedEmployees::runUntilEmpty,
            (world, client) -> {
              world.agree(client);
              assertThat(world.byEmail(client).partition("email_Sales").collectList().block())
                  .isEmpty();
            });
  }
}
