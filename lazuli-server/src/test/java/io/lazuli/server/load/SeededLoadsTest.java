package io.lazuli.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.Kind;
import io.lazuli.server.load.rule.Symptom;
import io.lazuli.server.load.rule.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Loads that teams have, with problems and without. They were written by somebody who had not read
 * the rules of the diagnoses, so they show what the rules find in loads that they were not made
 * for. Each problem must be found within five minutes, and nothing in an hour without problems.
 */
class SeededLoadsTest {
  private static final int FOUND_WITHIN_SECONDS = 300;

  /** A load with a problem: what must be found where, what the table has before, and the work. */
  record Seeded(
      String name,
      Kind kind,
      String space,
      Consumer<LoadSimulation> history,
      LoadSimulation.Work work,
      int accountRate) {
    Seeded(
        String name,
        Kind kind,
        String space,
        Consumer<LoadSimulation> history,
        LoadSimulation.Work work) {
      this(name, kind, space, history, work, 0);
    }

    Seeded(String name, Kind kind, String space, LoadSimulation.Work work) {
      this(name, kind, space, none -> {}, work, 0);
    }

    /** The load of an account whose rate is limited. */
    Seeded(String name, LoadSimulation.Work work, int accountRate) {
      this(name, Kind.THROTTLED, "", none -> {}, work, accountRate);
    }

    @Override
    public String toString() {
      return kind.key() + ": " + name;
    }
  }

  static void repeat(int times, Runnable work) {
    for (int i = 0; i < times; i++) {
      work.run();
    }
  }

  private static Stream<Seeded> unreadQueues() {
    return Stream.of(
        new Seeded(
            "the worker was never deployed",
            Kind.QUEUE_UNREAD,
            "thumbnails",
            c -> repeat(c.times(4), () -> c.put("thumbnails"))),
        new Seeded(
            "the worker has stopped",
            Kind.QUEUE_UNREAD,
            "mails",
            c -> {
              for (int i = 0; i < 600; i++) {
                c.second(
                    s -> {
                      background(s);
                      repeat(s.times(3), () -> s.put("mails"));
                      repeat(s.times(2), () -> s.consume("mails", 32));
                    });
              }
            },
            c -> repeat(c.times(3), () -> c.put("mails"))));
  }

  private static Stream<Seeded> poison() {
    return Stream.of(
        new Seeded(
            "a release cannot read the messages",
            Kind.POISON,
            "orders-poison",
            c ->
                repeat(
                    c.times(3),
                    () -> {
                      c.put("orders");
                      c.consume("orders", 1);
                      c.put("orders-poison");
                    })),
        new Seeded(
            "one in fifty messages fails",
            Kind.POISON,
            "invoices-poison",
            c ->
                repeat(
                    c.times(10),
                    () -> {
                      c.put("invoices");
                      c.consume("invoices", 1);
                      if (c.random(50) == 0) {
                        c.put("invoices-poison");
                      }
                    })),
        new Seeded(
            "messages that fail are handed out for ever",
            Kind.POISON,
            "shipments",
            c -> {
              repeat(c.times(2), () -> c.put("shipments"));
              repeat(c.times(2), () -> c.consume("shipments", 1));
              repeat(c.times(1), () -> c.takeInVain("shipments", 16, 12));
            }));
  }

  private static LoadRequest busy(LoadRequest request) {
    request.code = "ServerBusy";
    return request.answered(503);
  }

  // The first version of these two loads did not set a rate. A server without one does not
  // throttle:
  // its answers 503 mean that the engine is not available, not that there is load.
  private static Stream<Seeded> throttled() {
    return Stream.of(
        new Seeded(
            "an import that meets the target of the account",
            c ->
                repeat(
                    c.times(1_000),
                    () -> {
                      LoadRequest insert = LoadRequest.insert("Items", "i" + c.random(5_000), "r");
                      c.table(c.random(10) == 0 ? busy(insert) : insert);
                    }),
            900),
        new Seeded(
            "blobs of a small site",
            c ->
                repeat(
                    c.times(40),
                    () -> {
                      LoadRequest get =
                          LoadRequest.blob("GetBlob", "site", "page-" + c.random(300));
                      c.blob(c.random(20) == 0 ? busy(get) : get);
                    }),
            38));
  }

  private static Stream<Seeded> loads() {
    return Stream.of(SeededTables.loads(), unreadQueues(), poison(), throttled())
        .flatMap(all -> all);
  }

  /** What the account does besides. */
  private static void background(LoadSimulation c) {
    repeat(c.times(20), () -> c.read("Customers", "c" + c.skewed(3_000), "profile"));
    repeat(c.times(2), () -> c.merge("Customers", "c" + c.skewed(3_000), "profile"));
  }

  @ParameterizedTest
  @MethodSource("loads")
  void aProblemIsFoundWithinFiveMinutes(Seeded load) {
    try (LoadSimulation clients = new LoadSimulation(Targets.of(0, load.accountRate))) {
      load.history.accept(clients);
      assertThat(clients.diagnoses()).isEmpty();
      for (int i = 0; i < FOUND_WITHIN_SECONDS && !isFound(clients, load); i++) {
        clients.second(
            c -> {
              background(c);
              load.work.run(c);
            });
      }
      assertThat(clients.diagnoses())
          .extracting(found -> found.symptom().kind(), found -> found.symptom().space().name())
          .contains(tuple(load.kind, load.space));
      if (!load.space.isEmpty()) {
        assertThat(clients.diagnoses())
            .as("nothing else is a problem")
            .extracting(found -> found.symptom().space().name())
            .containsOnly(load.space);
      }
    }
  }

  private static boolean isFound(LoadSimulation clients, Seeded load) {
    return clients.seconds() % 5 == 0
        && clients.diagnoses().stream()
            .map(Diagnosis::symptom)
            .anyMatch(s -> s.kind() == load.kind && s.space().name().equals(load.space));
  }

  @Test
  void nothingIsFoundInAnHourWithoutProblems() {
    try (LoadSimulation clients = new LoadSimulation(Targets.of(0, 0))) {
      HealthyHour hour = new HealthyHour();
      for (int i = 0; i < 3_600; i++) {
        clients.second(hour);
      }
      List<String> alarms = new ArrayList<>();
      for (Diagnosis found : clients.diagnoses()) {
        Symptom symptom = found.symptom();
        alarms.add(symptom.kind() + " of " + symptom.space() + ": " + symptom.fact());
      }
      assertThat(alarms).isEmpty();
    }
  }
}
