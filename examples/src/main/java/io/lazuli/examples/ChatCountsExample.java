package io.lazuli.examples;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.series.Series;
import java.util.List;

/**
 * The chat counts of the Table Design Guide: the number of messages that an employee sent in each
 * hour. One entity has a whole day, so that one request reads the data of a chart. Takes a
 * connection string.
 */
public final class ChatCountsExample {
  private static final int HOURS = 24;

  private final Series<Long> counts;

  public ChatCountsExample(Account account) {
    counts = Series.of(account.table("ChatCounts"), Long.class, "Hour", HOURS);
  }

  public static void main(String[] args) {
    ChatCountsExample example = new ChatCountsExample(Account.of(args));
    example.set("jones", "2026-07-31", 9, 4);
    example.add("jones", "2026-07-31", 9, 1);
    System.out.println(example.day("jones", "2026-07-31"));
  }

  public void set(String employee, String day, int hour, long messages) {
    counts.set(new EntityKey(employee, day), hour, messages);
  }

  /** Adds to the count of an hour. No addition is lost, even with concurrent writers. */
  public long add(String employee, String day, int hour, long messages) {
    // snippet
    long sum = Series.add(counts, new EntityKey(employee, day), hour, messages);
    // end
    return sum;
  }

  /** Returns the counts of a day, hour by hour. */
  public List<Long> day(String employee, String day) {
    return counts.read(new EntityKey(employee, day)).orElse(0L);
  }
}
