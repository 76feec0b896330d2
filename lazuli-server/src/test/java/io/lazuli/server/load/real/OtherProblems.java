package io.lazuli.server.load.real;

import static io.lazuli.server.load.real.BikeRental.ask;
import static io.lazuli.server.load.real.Store.random;

import io.lazuli.server.load.rule.Kind;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Loads of queues and of an account that have a problem. */
final class OtherProblems {
  private static final int TAKEN_MAX = 5;

  /** The text of a message that no worker can handle, as it is sent. */
  private static final String BAD = "YmFk";

  private OtherProblems() {}

  private static List<Consumer<Machine>> created(String... queues) {
    return List.of(m -> List.of(queues).forEach(queue -> ask(m, Call.createQueue(queue))));
  }

  static List<Problem> queues(Runnable stopMailWorker) {
    return List.of(
        new Problem(
            "the worker was never deployed",
            Kind.QUEUE_UNREAD,
            "thumbnails",
            created("thumbnails"),
            t -> t.every(() -> 4, m -> ask(m, Call.put("thumbnails", "picture")))),
        new Problem(
            "the worker has stopped",
            Kind.QUEUE_UNREAD,
            BikeRental.MAILS,
            List.of(),
            t -> stopMailWorker.run()),
        new Problem(
            "a release cannot read the messages",
            Kind.POISON,
            "parcels-poison",
            created("parcels", "parcels-poison"),
            t -> failing(t, "parcels", 3, 1)),
        new Problem(
            "one in fifty messages fails",
            Kind.POISON,
            "invoices-poison",
            created("invoices", "invoices-poison"),
            t -> failing(t, "invoices", 10, 50)),
        new Problem(
            "messages that fail are handed out for ever",
            Kind.POISON,
            "shipments",
            created("shipments"),
            t -> {
              for (int i = 0; i < 16; i++) {
                ask(t.anyMachine(), Call.put("shipments", "bad"));
              }
              t.every(() -> 2, m -> ask(m, Call.put("shipments", "good")));
              t.every(
                  () -> 2,
                  m -> Store.work(m, "shipments", 32, 5, message -> !message.text().equals(BAD)));
            }));
  }

  /** One in some messages fails. After some attempts the worker puts it into the other queue. */
  private static void failing(Traffic traffic, String queue, double perSecond, int oneIn) {
    traffic.every(
        () -> perSecond, m -> ask(m, Call.put(queue, random(oneIn) == 0 ? "bad" : "good")));
    traffic.every(
        () -> 3,
        m ->
            Store.work(
                m,
                queue,
                32,
                5,
                message -> {
                  if (!message.text().equals(BAD)) {
                    return true;
                  }
                  if (message.taken() < TAKEN_MAX) {
                    return false;
                  }
                  ask(m, Call.put(queue + "-poison", "bad"));
                  return true;
                }));
  }

  /** The blobs of a small site, on a server that allows the account fewer requests. */
  static Problem throttled() {
    return new Problem(
        "40 requests a second to blobs of a small site, and the account may have 38",
        Kind.THROTTLED,
        "",
        List.of(
            m -> {
              ask(m, Call.createContainer("site"));
              for (int i = 0; i < 30; i++) {
                Store.pause(Duration.ofMillis(50));
                ask(m, Call.putBlob("site", "page-" + i, new byte[2_000]));
              }
            }),
        t ->
            t.every(
                () -> 40,
                m -> ask(m, Call.getBlob("site", "page-" + random(30)).orStatus(Call.BUSY))));
  }
}
