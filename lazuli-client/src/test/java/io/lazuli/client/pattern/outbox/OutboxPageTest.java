package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Table;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/patterns/outbox.md. */
class OutboxPageTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  @Test
  void copiesFollow() {
    TestClient client = TestClient.of(ACCOUNT);
    QueueAsyncClient queue = client.queue(client.newQueue());
    QueueAsyncClient poisonQueue = client.queue(client.newQueue());
    TableAsyncClient table = client.table(client.newTable());
    TableAsyncClient backup = client.table(client.newTable());
    BlobContainerAsyncClient container = client.container(client.newContainer());
    Employee jones = Employee.JONES.withSalary(5000);
    // snippet
    Outbox outbox = Outbox.of(queue);
    AsyncPrimaryTable<Employee> employees =
        AsyncPrimaryTable.of("employee", AsyncTable.of(table, Employee.class), outbox)
            .copiedTo("backup", backup)
            .copiedTo(BlobCopy.of(container, EntityKey::rowKey, OutboxPageTest::text));
    employees.blocking().put(jones);

    IdempotentStep step = IdempotentStep.byKind(Map.of(employees.kind(), employees.step()));
    OutboxWorker worker = OutboxWorker.of(queue, PoisonQueue.of(poisonQueue), step);
    // end
    assertThat(worker.runUntilEmpty().block()).isEqualTo(1);
    assertThat(Table.of(backup, Employee.class).find(jones.key())).contains(jones);
    assertThat(container.getBlobAsyncClient(jones.id()).downloadContent().block())
        .hasToString("salary 5000");
  }

  private static BinaryData text(Employee employee) {
    return BinaryData.fromString("salary " + employee.salary());
  }
}
