package io.lazuli.server.load.real;

import static io.lazuli.server.load.real.Store.random;

import io.lazuli.server.http.RawConnection.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The programs of a company that rents bikes, whose developers know how tables work: riders,
 * stations, bikes that report where they are, trips, sessions, invoices, forecasts, an audit,
 * queues with workers, pictures, logs. Five machines serve riders and run the workers.
 */
final class BikeRental {
  static final int RIDERS = 10_000;
  static final int BIKES = 2_000;
  static final int STATIONS = 400;
  static final int DISTRICTS = 20;
  static final int GROUPS = 64;
  static final int PARTS = 24;
  private static final int SESSIONS = 4_000;
  private static final int PICTURES = 400;

  private static final Duration AT_ONCE = Duration.ZERO;

  /** A queue without problems until its worker stops. */
  static final String MAILS = "mails";

  static final List<String> TABLES =
      List.of(
          "Riders",
          "Stations",
          "StationTexts",
          "Bikes",
          "Positions",
          "Trips",
          "Reservations",
          "Sessions",
          "Offers",
          "Settings",
          "Invoices",
          "Wallets",
          "Forecast",
          "Audit",
          "Heartbeats");
  static final List<String> QUEUES =
      List.of("rentals", "rentals-poison", "newsletters", "reports", "maps", "reminders", MAILS);
  static final List<String> CONTAINERS = List.of("pictures", "damages", "logs");

  private final Traffic traffic;
  private final Skew riders = new Skew(RIDERS, 0.7);
  private final Skew stations = new Skew(STATIONS, 0.9);
  private final Skew districts = new Skew(DISTRICTS, 0.6);
  private final Skew bikes = new Skew(BIKES, 0.4);
  private final Skew pictures = new Skew(PICTURES, 1);
  private final Map<String, String> etags = new ConcurrentHashMap<>();

  /** How many times the usual number of riders there are. */
  private volatile double rush = 1;

  BikeRental(Traffic traffic) {
    this.traffic = traffic;
  }

  void setRush(double times) {
    rush = times;
  }

  static String rider(int number) {
    return "r%05d".formatted(number);
  }

  static String district(int station) {
    return "d%02d".formatted(station % DISTRICTS);
  }

  static String station(int number) {
    return "s%03d".formatted(number);
  }

  static String bike(int number) {
    return "b%04d".formatted(number);
  }

  static String group(int number, LocalDate day) {
    return "g%02d-%s".formatted(number, day);
  }

  static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  /** Trips of a rider, newest first. */
  static String tripRow(Instant at) {
    return "%016d-%03d".formatted(9_999_999_999_999L - at.toEpochMilli(), random(1_000));
  }

  static String tripProperties(int station, int number) {
    return "\"From\":\"%s\",\"To\":\"%s\",\"Minutes\":%d,\"Price\":%d.5,\"Number\":\"T%07d\""
        .formatted(station(station), station(random(STATIONS)), random(90), random(9), number);
  }

  /** Begins everything that goes on all day. */
  void begin() {
    riders();
    rentals();
    reservations();
    wallets();
    sessions();
    background();
    queues();
    blobs();
  }

  private void riders() {
    traffic.every(
        () -> 30 * rush, m -> ask(m, Call.get("Riders", rider(riders.next()), "profile")));
    traffic.every(
        () -> 12 * rush,
        m -> ask(m, Call.query("Stations", "PartitionKey eq 'd%02d'".formatted(districts.next()))));
    traffic.every(
        () -> 30 * rush,
        m -> {
          int station = stations.next();
          ask(m, Call.get("Stations", district(station), station(station)));
        });
    traffic.every(
        () -> 6 * rush,
        m -> {
          String filter = "PartitionKey eq '%s' and RowKey ge '%016d'";
          long recent = 9_999_999_999_999L - Instant.now().toEpochMilli();
          Call call = Call.query("Trips", filter.formatted(rider(riders.next()), recent));
          ask(m, call.with("$top", "20"));
        });
    traffic.every(
        () -> 3 * rush,
        m -> ask(m, Call.query("Trips", "PartitionKey eq '" + rider(riders.next()) + "'")));
    traffic.every(
        () -> 20,
        m -> {
          // Each request is for one of 24 parts. A machine asks for all of them in time.
          String filter = "PartitionKey eq 'part-%02d' and RowKey ge '%04d'";
          Call call = Call.query("Offers", filter.formatted(random(PARTS), random(900)));
          ask(m, call.with("$top", "5"));
        });
    traffic.every(
        () -> 0.5,
        m -> {
          // A rider compares three stations.
          List<String> keys = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            int station = stations.next();
            keys.add(
                "(PartitionKey eq '%s' and RowKey eq '%s')"
                    .formatted(district(station), station(station)));
          }
          ask(m, Call.query("Stations", String.join(" or ", keys)));
        });
    traffic.every(
        () -> 8,
        m -> {
          LocalDate yesterday = today().minusDays(1);
          ask(m, Call.get("Forecast", group(random(GROUPS), yesterday), "f" + random(100)));
        });
    traffic.every(
        () -> 8,
        m ->
            ask(
                m,
                Call.get("Invoices", rider(random(3_000)), "2026-%02d".formatted(1 + random(10)))));
  }

  private void rentals() {
    traffic.every(
        () -> 5 * rush,
        m -> {
          int station = stations.next();
          String bike = bike(bikes.next());
          Store.change(m, "Bikes", bike, "state", "\"State\":\"rented\"", AT_ONCE);
          String trip =
              Call.entity(
                  rider(riders.next()),
                  tripRow(Instant.now()),
                  tripProperties(station, random(9_999_999)));
          ask(m, Call.insert("Trips", trip));
          ask(m, Call.put("rentals", "{\"bike\":\"" + bike + "\"}"));
        });
    traffic.every(
        () -> 3 * rush,
        m -> {
          int station = stations.next();
          String docks = "\"Free\":" + random(30);
          Store.change(m, "Stations", district(station), station(station), docks, AT_ONCE);
        });
    traffic.every(
        () -> 10, m -> ask(m, Call.merge("Bikes", bike(bikes.next()), "state", "*", position())));
    traffic.every(
        () -> 2,
        m -> {
          // A bike sends its last ten positions.
          long now = Instant.now().toEpochMilli();
          List<String> rows = new ArrayList<>();
          List<String> values = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            rows.add("%015d".formatted(now - 1_000L * i));
            values.add(position());
          }
          Answer unused =
              Store.batch(m, "Positions", bike(random(BIKES)) + "-" + today(), rows, values);
        });
  }

  /** A reservation lasts for some seconds. Retries and typing errors get answers, too. */
  private void reservations() {
    traffic.every(
        () -> 1,
        m -> {
          String rider = rider(riders.next());
          String row = tripRow(Instant.now());
          Call insert = Call.insert("Reservations", Call.entity(rider, row, "\"Bike\":\"b1\""));
          ask(m, insert);
          if (random(5) == 0) {
            ask(m, insert.orStatus(Call.CONFLICT));
          }
          traffic.after(5, m, later -> ask(later, Call.deleteEntity("Reservations", rider, row)));
        });
    traffic.every(
        () -> 0.5,
        m -> ask(m, Call.get("Riders", "x" + random(10_000), "profile").orStatus(Call.MISSING)));
  }

  /** Money moves in transactions of two entities: the balance of a rider, and the journal. */
  private void wallets() {
    traffic.every(
        () -> 25,
        m -> {
          String entry = "j-" + tripRow(Instant.now());
          List<String> values = List.of("\"Cents\":" + random(5_000), "\"Cents\":" + random(500));
          Answer unused =
              Store.batch(m, "Wallets", rider(riders.next()), List.of("balance", entry), values);
        });
  }

  private static String position() {
    return String.format(
        Locale.ROOT,
        "\"Lat\":%.5f,\"Lon\":%.5f,\"Battery\":%d",
        52 + random(10_000) / 100_000.0,
        13 + random(10_000) / 100_000.0,
        random(100));
  }

  /** A rider's requests go to the same machine, except when they do not. */
  private void sessions() {
    traffic.every(
        () -> 15 * rush,
        any -> {
          int number = random(SESSIONS);
          List<Machine> machines = traffic.machines();
          int home = random(15) == 0 ? random(machines.size()) : number % machines.size();
          Machine m = machines.get(home);
          String partition = "h%03d".formatted(number % 256);
          String session = "s%04d".formatted(number);
          String etag = etags.get(home + session);
          String seen = "\"Seen\":\"" + Instant.now() + "\"";
          Answer answer =
              m.ask(
                  etag == null
                      ? Call.upsertMerge("Sessions", partition, session, seen)
                      : Call.merge("Sessions", partition, session, etag, seen));
          if (answer.status() == Call.CHANGED) {
            etag = m.ask(Call.get("Sessions", partition, session)).header("etag");
            answer = m.ask(Call.merge("Sessions", partition, session, etag, seen));
          }
          if (answer.status() == Call.NO_CONTENT) {
            etags.put(home + session, answer.header("etag"));
          }
        });
  }

  private void background() {
    // Each of five machines reads its settings every second.
    traffic.every(() -> 5, m -> ask(m, Call.get("Settings", "rental", "current")));
    traffic.every(
        () -> 8,
        m -> {
          String service = "service-" + random(10) + "-" + today();
          String row = Instant.now().toEpochMilli() + "-" + UUID.randomUUID();
          ask(m, Call.insert("Audit", Call.entity(service, row, "\"What\":\"login\"")));
        });
    traffic.every(
        () -> 0.1,
        m -> {
          String hour = Instant.now().toString().substring(0, 13);
          String row = "h" + Instant.now().toEpochMilli() + "-" + random(1_000);
          ask(m, Call.insert("Heartbeats", Call.entity(hour, row, "")));
        });
    traffic.every(
        () -> 0.5,
        m -> {
          // Texts are a few kilobytes; now and then one is long.
          int station = stations.next();
          StringBuilder text = new StringBuilder("\"T0\":\"" + Store.text(3_000, station) + "\"");
          if (random(60) == 0) {
            for (int i = 1; i < 10; i++) {
              text.append(",\"T%d\":\"%s\"".formatted(i, Store.text(30_000, i)));
            }
          }
          ask(m, Call.upsert("StationTexts", district(station), station(station), text.toString()));
        });
  }

  private void queues() {
    traffic.every(
        () -> 4,
        m ->
            // One in a hundred messages fails at first.
            Store.work(m, "rentals", 16, 30, message -> message.taken() > 1 || random(100) != 0));
    traffic.every(() -> 2, m -> Store.work(m, "newsletters", 1, 60, message -> true));
    traffic.every(() -> 0.05, m -> ask(m, Call.put("reports", "usage of a station")));
    traffic.timer(
        30, 240, traffic.anyMachine(), m -> Store.work(m, "reports", 32, 60, message -> true));
    maps();
    reminders();
    traffic.every(() -> 3, m -> ask(m, Call.put(MAILS, "welcome")));
    // A monitor asks for the lengths of the queues.
    traffic.every(() -> 0.2, m -> ask(m, Call.queueLength(QUEUES.get(random(QUEUES.size())))));
  }

  /**
   * Maps are drawn every quarter of an hour. A scaler asks for the length of their queue, starts a
   * worker within 75 seconds when there are messages, and stops it when there are none.
   */
  private void maps() {
    Machine scaler = traffic.anyMachine();
    traffic.timer(10, 15, scaler, m -> ask(m, Call.queueLength("maps")));
    traffic.timer(
        330,
        900,
        scaler,
        m -> {
          for (int i = 0; i < 60; i++) {
            ask(m, Call.put("maps", "a district"));
          }
          for (int i = 0; i < 5; i++) {
            traffic.after(
                75 + i * 10, m, worker -> Store.work(worker, "maps", 16, 60, message -> true));
          }
        });
  }

  /** Reminders of tomorrow are invisible until then. Nobody asks for messages before. */
  private void reminders() {
    traffic.timer(
        60,
        3_600,
        traffic.anyMachine(),
        m -> {
          for (int i = 0; i < 40; i++) {
            ask(m, Call.put("reminders", "tomorrow").with("visibilitytimeout", "86400"));
          }
        });
  }

  /** Begins the worker of the mails. */
  Traffic.Stream mailWorker() {
    return traffic.every(() -> 2, m -> Store.work(m, MAILS, 32, 30, message -> true));
  }

  private void blobs() {
    traffic.every(() -> 25 * rush, m -> ask(m, Call.getBlob("pictures", picture(pictures.next()))));
    traffic.every(
        () -> 3,
        m -> {
          // A browser has a picture and asks whether it has changed.
          Call head = Call.headBlob("pictures", picture(pictures.next()));
          Call get = Call.getBlob("pictures", head.path().substring("/pictures/".length()));
          String etag = m.ask(head).header("etag");
          ask(m, get.header("if-none-match", etag).orStatus(Call.NOT_MODIFIED));
        });
    traffic.every(
        () -> 0.2,
        m -> {
          String copy = "small/" + UUID.randomUUID() + ".jpg";
          ask(m, Call.putBlob("damages", copy, bytes(Store.text(40_000, 3))));
          traffic.after(20, m, later -> ask(later, Call.deleteBlob("damages", copy)));
        });
    traffic.every(() -> 1, m -> ask(m, Call.headBlob("pictures", picture(random(PICTURES)))));
    traffic.every(
        () -> 0.3,
        m -> {
          byte[] photo = bytes(Store.text(300_000 + random(500_000), 1));
          ask(m, Call.putBlob("damages", today() + "/" + UUID.randomUUID() + ".jpg", photo));
        });
    traffic.every(
        () -> 0.03,
        m -> {
          String blob = today() + "/" + UUID.randomUUID() + ".mov";
          List<String> ids = List.of("MDAw", "MDAx", "MDAy", "MDAz");
          ids.forEach(
              id -> ask(m, Call.putBlock("damages", blob, id, bytes(Store.text(500_000, 2)))));
          ask(m, Call.putBlockList("damages", blob, ids));
        });
    traffic.every(
        () -> 2,
        m -> ask(m, Call.append("logs", log(random(5)), Instant.now() + " something happened\n")));
    traffic.every(() -> 0.1, m -> ask(m, Call.listBlobs("damages", today() + "/")));
  }

  static String picture(int number) {
    return "station-%03d.jpg".formatted(number);
  }

  static byte[] pictureContent(int number) {
    return bytes(Store.text(20_000 + number * 250, number));
  }

  static String log(int number) {
    return "app-" + number + ".log";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static void ask(Machine machine, Call call) {
    Answer unused = machine.ask(call);
  }
}
