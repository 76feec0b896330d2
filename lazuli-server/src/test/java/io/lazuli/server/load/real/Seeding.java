package io.lazuli.server.load.real;

import static io.lazuli.server.load.real.BikeRental.ask;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Stores what the programs find when they begin, with ordinary requests of several threads. */
final class Seeding {
  private static final int THREADS = 8;
  private static final int MINUTES_MAX = 20;

  private Seeding() {}

  /** Does pieces of work, several at a time. */
  static void run(Machine machine, List<Consumer<Machine>> work) throws InterruptedException {
    ConcurrentLinkedQueue<Consumer<Machine>> rest = new ConcurrentLinkedQueue<>(work);
    CountDownLatch left = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      machine.run(
          System.nanoTime(),
          () -> {
            try {
              for (Consumer<Machine> next = rest.poll(); next != null; next = rest.poll()) {
                next.accept(machine);
              }
            } finally {
              left.countDown();
            }
          });
    }
    assertThat(left.await(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
  }

  /** Creates the tables, queues and containers of the bike rental. */
  static void createRental(Machine m) {
    BikeRental.TABLES.forEach(table -> ask(m, Call.createTable(table)));
    BikeRental.QUEUES.forEach(queue -> ask(m, Call.createQueue(queue)));
    BikeRental.CONTAINERS.forEach(container -> ask(m, Call.createContainer(container)));
    for (int i = 0; i < 5; i++) {
      ask(m, Call.createAppendBlob("logs", BikeRental.log(i)));
    }
    ask(m, Call.insert("Settings", Call.entity("rental", "current", "\"Open\":true")));
  }

  /** Adds the data of the bike rental. */
  static void fillRental(List<Consumer<Machine>> work) {
    for (int i = 0; i < BikeRental.RIDERS; i++) {
      String rider = BikeRental.rider(i);
      String name = "\"Name\":\"" + Store.text(12, i) + "\",\"Mail\":\"" + rider + "@example.com\"";
      work.add(m -> ask(m, Call.insert("Riders", Call.entity(rider, "profile", name))));
      if (i < 3_000) {
        work.add(
            m ->
                Store.fill(
                    m,
                    "Invoices",
                    rider,
                    20,
                    row -> "%d-%02d".formatted(2025 + row / 10, 1 + row % 10),
                    row -> "\"Text\":\"" + Store.text(300, row) + "\""));
      }
      if (i % 2 == 0) {
        int number = i;
        work.add(
            m ->
                Store.fill(
                    m,
                    "Trips",
                    rider,
                    5,
                    row -> "%016d-000".formatted(9_000_000_000_000L + row),
                    row -> BikeRental.tripProperties(row, number * 10 + row)));
      }
    }
    for (int i = 0; i < BikeRental.BIKES; i++) {
      String bike = BikeRental.bike(i);
      work.add(m -> ask(m, Call.insert("Bikes", Call.entity(bike, "state", "\"State\":\"free\""))));
    }
    for (int i = 0; i < BikeRental.DISTRICTS; i++) {
      int district = i;
      int count = BikeRental.STATIONS / BikeRental.DISTRICTS;
      work.add(
          m ->
              Store.fill(
                  m,
                  "Stations",
                  BikeRental.district(district),
                  count,
                  row -> BikeRental.station(row * BikeRental.DISTRICTS + district)));
    }
    for (int i = 0; i < BikeRental.GROUPS; i++) {
      String group = BikeRental.group(i, BikeRental.today().minusDays(1));
      work.add(m -> Store.fill(m, "Forecast", group, 100, row -> "f" + row));
    }
    for (int i = 0; i < BikeRental.PARTS; i++) {
      String part = "part-%02d".formatted(i);
      work.add(m -> Store.fill(m, "Offers", part, 1_000, "%04d"::formatted));
    }
    for (int i = 0; i < 400; i++) {
      int number = i;
      work.add(
          m ->
              ask(
                  m,
                  Call.putBlob(
                      "pictures", BikeRental.picture(number), BikeRental.pictureContent(number))));
    }
  }
}
