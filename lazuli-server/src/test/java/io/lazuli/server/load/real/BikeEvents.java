package io.lazuli.server.load.real;

import static io.lazuli.server.load.real.BikeRental.ask;
import static io.lazuli.server.load.real.Store.random;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What happens within an hour of the {@link BikeRental} besides its steady work: a rush, a station
 * at a stadium after a match, an import, exports, searches, timers. In a shorter trial the moments
 * move together, and the periods stay.
 */
final class BikeEvents {
  private static final int MINUTE = 60;

  private final Traffic traffic;
  private final BikeRental rental;
  private final Machine office;
  private final double hour;

  /**
   * Creates the events.
   *
   * @param office the machine of the people who work for the company
   * @param minutes the time that stands for an hour
   */
  BikeEvents(Traffic traffic, BikeRental rental, Machine office, int minutes) {
    this.traffic = traffic;
    this.rental = rental;
    this.office = office;
    this.hour = minutes * (double) MINUTE;
  }

  /** Plans all events. */
  void begin() {
    // A mail to all riders brings four times the visitors for three minutes.
    at(20, m -> rental.setRush(4));
    at(23, m -> rental.setRush(1));
    famous();
    importForecast();
    // An export reads all invoices and returns what it reads.
    at(5, m -> Store.scan(m, "Invoices", "", Duration.ofMillis(300)));
    at(45, m -> Store.scan(m, "Trips", "", Duration.ofMillis(150)));
    // Somebody counts the riders.
    at(10, m -> Store.scan(m, "Riders", "", Duration.ofSeconds(1)));
    at(40, m -> Store.scan(m, "Riders", "", Duration.ofSeconds(1)));
    // One message in an hour could not be handled.
    at(40, m -> ask(m, Call.put("rentals-poison", "{}")));
    // Support searches a trip by its number.
    traffic.timer(
        100,
        5 * MINUTE,
        office,
        m -> Store.scan(m, "Trips", "Number eq 'T0000042'", Duration.ofMillis(100)));
    // Newsletters come all at once, and their worker takes some minutes.
    traffic.timer(
        20,
        10 * MINUTE,
        office,
        m -> {
          for (int i = 0; i < 300; i++) {
            ask(m, Call.put("newsletters", "news"));
          }
        });
    // A timer removes sessions that nobody has used for long. It rarely finds one.
    traffic.timer(
        400,
        15 * MINUTE,
        office,
        m -> Store.scan(m, "Sessions", "Seen lt '2026-01-01'", Duration.ofMillis(100)));
  }

  private void at(double minute, Consumer<Machine> work) {
    traffic.after(minute / 60 * hour, office, work);
  }

  /** Everybody at the stadium looks for a bike for 75 seconds. */
  private void famous() {
    List<Traffic.Stream> readers = new ArrayList<>();
    at(
        50,
        m ->
            readers.add(
                traffic.every(
                    () -> 200,
                    any -> ask(any, Call.get("Stations", BikeRental.district(217), "s217")))));
    traffic.after(50 / 60.0 * hour + 75, office, m -> readers.forEach(traffic::stop));
  }

  /** Writes the forecast of 64 groups for tomorrow, five transactions a second. */
  private void importForecast() {
    List<Traffic.Stream> writers = new ArrayList<>();
    AtomicInteger written = new AtomicInteger();
    at(
        30,
        m ->
            writers.add(
                traffic.every(
                    List.of(office),
                    () -> 5,
                    any -> {
                      // Eight workers, each with the groups of its own.
                      int number = written.getAndIncrement();
                      int group = number % 8 * 8 + number / 8 / 56 % 8;
                      int first = number / 8 % 56 * 100;
                      Store.fill(
                          any,
                          "Forecast",
                          BikeRental.group(group, BikeRental.today().plusDays(1)),
                          100,
                          row -> "f" + (first + row),
                          row -> "\"Bikes\":" + random(40));
                    })));
    at(42, m -> writers.forEach(traffic::stop));
  }
}
