package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules about queues. They have durations of their own, so one minute is enough for them. */
final class QueueRules {
  private static final long MESSAGES_MIN = 20;
  private static final long QUIET_SECONDS_MIN = 4 * 60;
  private static final long WAITS_SECONDS_MIN = 3 * 60;
  private static final long DAY_SECONDS = 24 * 60 * 60;
  private static final Duration OLD = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofHours(24);

  private static final long ARRIVALS_MIN = 5;
  private static final long ARRIVALS_MIN_LONG = 10;
  private static final double REMOVED_SHARE = 0.1;
  private static final long TAKEN_MIN = 20;
  private static final double WORN_SHARE = 0.05;

  private static final int PUTS = Tally.of(OperationClass.INSERT);
  private static final int DELETES = Tally.of(OperationClass.DELETE);

  private final QueueTimes queues;
  private final QueueLooks looks;

  QueueRules(QueueTimes queues, QueueLooks looks) {
    this.queues = queues;
    this.looks = looks;
  }

  static boolean isPoison(String name) {
    return name.endsWith("poison");
  }

  /** Finds a queue that is filled and that nobody reads. */
  @Nullable Symptom unread(SpaceWindow window) {
    if (!window.isQueue() || isPoison(window.name().name()) || window.sum(PUTS) == 0) {
      return null;
    }
    QueueTimes.Times times = queues.of(window.name());
    long now = window.now().getEpochSecond();
    long quiet = now - times.lastTake();
    long usual = Math.max(QUIET_SECONDS_MIN, 2 * times.longestGap(now));
    if (times.firstSeen() == 0 || quiet < usual * window.ease()) {
      return null;
    }
    QueueLooks.Look look = looks.look(window.name().account(), window.name().name());
    if (look == null || look.visible() < MESSAGES_MIN * window.ease()) {
      return null;
    }
    // A worker that is started when messages come has to be given time, however long nobody asked.
    Instant waits = look.waits();
    if (waits == null || now - waits.getEpochSecond() < WAITS_SECONDS_MIN) {
      return null;
    }
    Instant oldest = look.oldest();
    Instant expires = look.expires();
    Level level = Level.ADVICE;
    // On its first day nobody knows how often a queue is usually read.
    if (now - times.firstSeen() >= DAY_SECONDS) {
      if (oldest != null && Duration.between(oldest, window.now()).compareTo(OLD) > 0) {
        level = Level.WARNING;
      }
      if (expires != null && Duration.between(window.now(), expires).compareTo(SOON) < 0) {
        level = Level.FAILING;
      }
    }
    return new Symptom(
        Kind.QUEUE_UNREAD,
        window.name(),
        "",
        level,
        (double) look.visible(),
        "%s messages wait; nobody has asked for one for %s."
            .formatted(Figures.number(look.visible()), Figures.time(Duration.ofSeconds(quiet))),
        List.of(
            new Evidence("messages", Figures.number(look.visible()), "" + MESSAGES_MIN),
            new Evidence(
                "last asked for",
                times.wasTaken()
                    ? Instant.ofEpochSecond(times.lastTake()).toString()
                    : "never since " + Instant.ofEpochSecond(times.firstSeen()),
                Figures.time(Duration.ofSeconds(usual))),
            new Evidence("the oldest was put", oldest == null ? "" : oldest.toString(), ""),
            new Evidence("it expires", expires == null ? "" : expires.toString(), "")));
  }

  /** Finds messages that no consumer can handle. */
  @Nullable Symptom poison(SpaceWindow window) {
    if (!window.isQueue()) {
      return null;
    }
    long taken = window.sum(Tally.TAKEN);
    long worn = window.sum(Tally.WORN);
    if (taken >= TAKEN_MIN && worn >= taken * WORN_SHARE * window.ease() && worn > 0) {
      return found(
          window,
          "%s of the messages that were taken had been taken more than five times before."
              .formatted(Figures.percent((double) worn / taken)),
          (double) worn,
          List.of(
              new Evidence(
                  "taken more than five times",
                  Figures.percent((double) worn / taken),
                  Figures.percent(WORN_SHARE)),
              new Evidence("taken in five minutes", Figures.number(taken), "" + TAKEN_MIN)));
    }
    if (!isPoison(window.name().name())) {
      return null;
    }
    QueueTimes.Times times = queues.of(window.name());
    if (grows(window.sum(PUTS), window.sum(DELETES), ARRIVALS_MIN * window.ease())) {
      return growth(window, window.sum(PUTS), window.sum(DELETES), "five minutes", ARRIVALS_MIN);
    } else if (grows(times.puts(), times.deletes(), ARRIVALS_MIN_LONG * window.ease())) {
      return growth(window, times.puts(), times.deletes(), "half an hour", ARRIVALS_MIN_LONG);
    }
    return null;
  }

  private static boolean grows(long arrived, long removed, double least) {
    return arrived >= least && removed < arrived * REMOVED_SHARE;
  }

  private static Symptom growth(
      SpaceWindow window, long arrived, long removed, String time, long bound) {
    String name = window.name().name();
    String target = name.substring(0, name.length() - "poison".length()).replaceAll("[-_.]+$", "");
    return found(
        window,
        "%s messages arrived in %s, and %s were removed."
            .formatted(Figures.number(arrived), time, Figures.number(removed)),
        (double) arrived,
        List.of(
            new Evidence("arrived in " + time, Figures.number(arrived), "" + bound),
            new Evidence("removed", Figures.number(removed), "under 10 %"),
            new Evidence("the queue that they came from, by its name", target, "")));
  }

  private static Symptom found(
      SpaceWindow window, String fact, double figure, List<Evidence> evidence) {
    return new Symptom(Kind.POISON, window.name(), "", Level.FAILING, figure, fact, evidence);
  }
}
