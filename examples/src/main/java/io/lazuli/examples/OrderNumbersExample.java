package io.lazuli.examples;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.sequence.GaplessSequence;
import io.lazuli.client.pattern.sequence.Sequence;
import io.lazuli.client.table.Table;
import java.util.UUID;

/**
 * Numbers for orders, which are unique and increase but may have gaps, and for invoices, which have
 * none. Takes a connection string. Run it with {@code java -cp examples/target/lazuli-tour.jar
 * io.lazuli.examples.OrderNumbersExample}.
 */
public final class OrderNumbersExample {
  /** An invoice of a shop. */
  public record Invoice(@PartitionKey String shop, @RowKey String id, long number) {}

  private final Sequence orders;
  private final Table<Invoice> invoices;

  public OrderNumbersExample(Account account) {
    orders = Sequence.of(account.table("Sequences"), "orders");
    invoices = Table.of(account.table("Invoices"), Invoice.class);
  }

  public static void main(String[] args) {
    OrderNumbersExample example = new OrderNumbersExample(Account.of(args));
    long first = example.order();
    System.out.println("the next order is greater: " + (example.order() > first));
    String shop = "Berlin_" + UUID.randomUUID();
    System.out.println("invoices " + example.invoice(shop) + ", " + example.invoice(shop));
  }

  /** Returns the number of a new order. */
  public long order() {
    return orders.next();
  }

  /** Stores an invoice with the next number of its shop, and returns the number. */
  public long invoice(String shop) {
    return GaplessSequence.of(invoices, shop, "invoice")
        .insert(number -> new Invoice(shop, "invoice_%06d".formatted(number), number))
        .number();
  }
}
