package io.lazuli.client.pattern.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GaplessSequenceTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();

  record Invoice(@PartitionKey String shop, @RowKey String id, long number) {
    static Invoice of(String shop, long number) {
      return new Invoice(shop, "invoice_%06d".formatted(number), number);
    }
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void invoicesAreNumberedWithoutGaps() {
    Table<Invoice> invoices = Table.of(client.table(name), Invoice.class);

    GaplessSequence<Invoice> numbered = GaplessSequence.of(invoices, "Berlin", "invoice");
    Invoice invoice = numbered.insert(number -> Invoice.of("Berlin", number));

    assertThat(invoice.number()).isEqualTo(1);
    assertThat(client.count(() -> insert(client, name))).isEqualTo(2);
    assertThat(numbers(client, name)).containsExactly(1L, 2L);
    assertThat(invoices.find(new EntityKey("Berlin", invoice.id()))).contains(invoice);
  }

  @Test
  void processesLeaveNoGaps() {
    Concurrently.run(
        3,
        process -> {
          for (int i = 0; i < 4; i++) {
            insert(client, name);
          }
        });
    assertThat(numbers(client, name)).isEqualTo(LongStream.rangeClosed(1, 12).boxed().toList());
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void anInvoiceWhoseResponseWasLostIsStoredOnce() {
    LostResponse losing = new LostResponse(2);
    Table<Invoice> unlucky = Table.of(losing.tables(ACCOUNT).getTableClient(name), Invoice.class);
    Invoice stored =
        GaplessSequence.of(unlucky, "Berlin", "invoice")
            .insert(number -> Invoice.of("Berlin", number));
    assertThat(stored.number()).isEqualTo(1);
    assertThat(numbers(client, name)).containsExactly(1L);
  }

  @Test
  @NotRehearsed("loses chosen responses itself")
  void anInvoiceIsRecognisedAlsoAfterAnotherOne() {
    LostResponse losing = new LostResponse(2, () -> insert(client, name));
    Table<Invoice> unlucky = Table.of(losing.tables(ACCOUNT).getTableClient(name), Invoice.class);
    Invoice stored =
        GaplessSequence.of(unlucky, "Berlin", "invoice")
            .insert(number -> Invoice.of("Berlin", number));
    assertThat(stored.number()).isEqualTo(1);
    assertThat(numbers(client, name)).containsExactly(1L, 2L);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aProcessThatDiesLeavesNoGap() {
    int requests =
        Faults.in(ACCOUNT, TestClient::newTable)
            .forEveryCut(
                (table, mortal) -> {
                  insert(mortal, table);
                  insert(mortal, table);
                },
                (table, live) -> insert(live, table),
                (table, live) -> {
                  List<Long> numbers = numbers(live, table);
                  assertThat(numbers)
                      .hasSizeBetween(1, 3)
                      .isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList());
                });
    assertThat(requests).isEqualTo(2 * 2);
  }

  @Test
  void aRejectedEntityUsesNoNumber() {
    Table<Invoice> invoices = Table.of(client.table(name), Invoice.class);
    GaplessSequence<Invoice> numbered = GaplessSequence.of(invoices, "Berlin", "invoice");
    invoices.insert(new Invoice("Berlin", "taken", 0));
    assertThatThrownBy(() -> numbered.insert(number -> new Invoice("Berlin", "taken", number)))
        .isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(() -> numbered.insert(number -> Invoice.of("Rome", number)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Rome");
    assertThat(numbered.insert(number -> Invoice.of("Berlin", number)).number()).isEqualTo(1);
  }

  private static void insert(TestClient client, String table) {
    GaplessSequence.of(Table.of(client.table(table), Invoice.class), "Berlin", "invoice")
        .insert(number -> Invoice.of("Berlin", number));
  }

  private static List<Long> numbers(TestClient client, String table) {
    Table<TableEntity> rows = Table.of(client.table(table), EntityCodec.dynamic());
    return rows.query(Query.prefix("Berlin", "invoice_"))
        .map(row -> (Long) row.getProperty("Number"))
        .toList();
  }
}
