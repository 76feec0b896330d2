package io.lazuli.examples;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.spread.KeySpreader;
import io.lazuli.client.pattern.spread.Spread;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;

/**
 * A key spreader: all events of a department would go to one partition, which one server serves.
 * They are spread over four partitions by employee, and a query merges these in the order of time.
 * Takes a connection string.
 */
public final class EventsExample {
  /** An event. The spreader makes the partition key. */
  public record Event(@PartitionKey String bucket, @RowKey String time, String employee) {}

  private final KeySpreader spreader = KeySpreader.of(4);
  private final Table<Event> events;
  private final Spread<Event> spread;

  public EventsExample(Account account) {
    events = Table.of(account.table("Events"), Event.class);
    spread = Spread.of(events, spreader);
  }

  public static void main(String[] args) {
    EventsExample example = new EventsExample(Account.of(args));
    for (int minute = 0; minute < 8; minute++) {
      example.record("Sales", "2026-07-31T09:0" + minute, "00012" + minute);
    }
    System.out.println(example.employees("Sales"));
    System.out.println(example.partitions("Sales") + " partitions");
  }

  public void record(String department, String time, String employee) {
    events.upsertReplace(new Event(spreader.partitionKey(department, employee), time, employee));
  }

  /** Returns the employees in the order of their events. */
  public List<String> employees(String department) {
    return spread.query(department, Query.all()).map(Event::employee).toList();
  }

  public long partitions(String department) {
    return spread.query(department, Query.all()).map(Event::bucket).distinct().count();
  }
}
