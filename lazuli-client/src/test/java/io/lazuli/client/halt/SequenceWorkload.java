package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.Attempt;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.sequence.GaplessSequence;
import io.lazuli.client.pattern.sequence.Sequence;
import io.lazuli.client.pattern.sequence.SequenceOptions;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** Numbers of a sequence with gaps, and invoices that are numbered without gaps. */
record SequenceWorkload(World world) implements Workload {
  private static final SequenceOptions SMALL_RANGES = SequenceOptions.DEFAULT.withRangeSize(3);

  record Invoice(@PartitionKey String city, @RowKey String row, long number, String id) {
    static Invoice of(long number, String id) {
      return new Invoice("Berlin", "invoice_%06d".formatted(number), number, id);
    }
  }

  private Sequence orders(TestClient client) {
    return Sequence.of(client.table(world.secondTable()), "order").with(SMALL_RANGES);
  }

  private Table<Invoice> invoices(TestClient client) {
    return Table.of(client.table(world.table()), Invoice.class);
  }

  private GaplessSequence<Invoice> numbered(TestClient client) {
    return GaplessSequence.of(invoices(client), "Berlin", "invoice");
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Sequence orders = orders(client);
    GaplessSequence<Invoice> numbered = numbered(client);
    return random -> {
      if (random.nextBoolean()) {
        journal.attempt("next", () -> journal.attempt("order " + orders.next(), () -> {}));
      } else {
        String id = UUID.randomUUID().toString();
        journal.attempt("invoice " + id, () -> numbered.insert(number -> Invoice.of(number, id)));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    numbered(live).insert(number -> Invoice.of(number, "last"));
    List<Invoice> stored = invoices(live).query(Query.prefix("Berlin", "invoice_")).toList();
    assertThat(stored)
        .extracting(Invoice::number)
        .as("no gaps")
        .containsExactlyElementsOf(LongStream.rangeClosed(1, stored.size()).boxed().toList());
    List<String> ids = stored.stream().map(Invoice::id).filter(id -> !id.equals("last")).toList();
    assertThat(ids).doesNotHaveDuplicates().containsAll(history.words("invoice", End.DONE));
    assertThat(history.words("invoice", End.DONE, End.OPEN)).containsAll(ids);
    checkOrders(orders(live).next(), history);
  }

  private static void checkOrders(long last, History history) {
    assertThat(history.words("order", End.DONE))
        .doesNotHaveDuplicates()
        .doesNotContain(Long.toString(last));
    for (List<Attempt> process : history.processes()) {
      assertThat(
              process.stream()
                  .filter(attempt -> attempt.is("order"))
                  .map(attempt -> Long.valueOf(attempt.word(1))))
          .as("the numbers of one process")
          .isSorted();
    }
  }
}
