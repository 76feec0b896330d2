package io.lazuli.examples;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.keydesign.Finding;
import io.lazuli.client.pattern.keydesign.KeyDesign;
import io.lazuli.client.pattern.spread.KeySpreader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Checks three designs of keys for the events of many employees: by the hour, all in one partition,
 * and spread by employee. Sends nothing. Run it with {@code java -cp
 * examples/target/lazuli-tour.jar io.lazuli.examples.KeyDesignExample}.
 */
public final class KeyDesignExample {
  private static final int EVENTS = 1_000;
  private static final int EMPLOYEES = 50;
  private static final Instant START = Instant.parse("2026-07-31T09:00:00Z");

  private KeyDesignExample() {}

  public static void main(String[] args) {
    KeySpreader spreader = KeySpreader.of(16);
    print("by the hour", check((employee, time) -> time.toString().substring(0, 13)));
    print("in one partition", check((employee, time) -> "events"));
    print(
        "spread by employee", check((employee, time) -> spreader.partitionKey("events", employee)));
  }

  /** Returns what is wrong with a design that makes the partition key of employee and time. */
  static List<Finding> check(BiFunction<String, Instant, String> partitionKey) {
    List<EntityKey> keys = new ArrayList<>();
    for (int event = 0; event < EVENTS; event++) {
      Instant time = START.plus(Duration.ofMinutes(event));
      String employee = "%06d".formatted(event * 7 % EMPLOYEES);
      keys.add(new EntityKey(partitionKey.apply(employee, time), time + "_" + employee));
    }
    return KeyDesign.of(keys).findings();
  }

  private static void print(String design, List<Finding> findings) {
    System.out.println(design + ": " + (findings.isEmpty() ? "fine" : ""));
    findings.forEach(System.out::println);
  }
}
