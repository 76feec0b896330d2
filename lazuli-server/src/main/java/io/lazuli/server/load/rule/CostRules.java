package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.FanOut;
import io.lazuli.server.load.fact.ShapeLoad;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.fact.WrittenSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules about requests that cost more than they should. */
final class CostRules {
  private static final String TABLE_SCAN = "table scan";
  private static final long RUNS_MIN = 10;
  private static final long READ_MIN = 10_000;
  private static final long WHOLE_TABLE_MIN = 1_000;
  private static final double SHAPE_SHARE = 0.5;
  private static final double MOST_OF_READING = 0.8;

  private static final long SCAN_READ_PER_MINUTE = 100_000;
  private static final double READ_PER_RETURNED = 100;
  private static final double RANGE_READ_PER_RETURNED = 10;
  private static final Pattern PARTITION_KEY = Pattern.compile("\\bPartitionKey\\b");
  private static final long SCANS_MIN = 3;

  private static final int BURSTS_MIN = 10;
  private static final int PARTITIONS_MIN = 20;

  private static final long WRITES_MIN = 60;
  private static final double LARGE_SHARE = 0.05;
  private static final double LARGE_MEAN = 65_536;
  private static final long HUGE = 896 << 10;

  private CostRules() {}

  private record Id(String kind, String shape) {}

  /** Adds the shapes of all minutes. */
  private static List<ShapeLoad> shapes(SpaceWindow window) {
    Map<Id, ShapeLoad> sums = new LinkedHashMap<>();
    for (SpaceLoad minute : window.minutes()) {
      for (ShapeLoad shape : minute.facts().shapes()) {
        sums.merge(
            new Id(shape.kind(), shape.shape()),
            shape,
            (a, b) ->
                new ShapeLoad(
                    a.kind(),
                    a.shape(),
                    a.runs() + b.runs(),
                    a.read() + b.read(),
                    a.returned() + b.returned(),
                    a.micros() + b.micros(),
                    Math.max(a.most(), b.most()),
                    Math.max(a.partitions(), b.partitions()),
                    b.caller()));
      }
    }
    return new ArrayList<>(sums.values());
  }

  /** Finds a shape of query that reads a table again and again. */
  static @Nullable Symptom filterWithoutKey(SpaceWindow window) {
    if (!window.isTable()) {
      return null;
    }
    ShapeLoad worst = worst(window, shape -> !namesPartition(shape));
    if (worst == null) {
      return null;
    }
    double perRun = (double) worst.read() / worst.runs();
    return new Symptom(
        Kind.FILTER_WITHOUT_KEY,
        window.name(),
        "",
        window.byTime(worst.micros()),
        (double) worst.read(),
        "%s times in five minutes, %s read %s entities to return %s."
            .formatted(
                Figures.number(worst.runs()),
                worst.shape(),
                Figures.number(worst.read()),
                Figures.number(worst.returned())),
        List.of(
            new Evidence("the condition", worst.shape(), ""),
            new Evidence(
                "runs in five minutes", Figures.number(worst.runs()), Long.toString(RUNS_MIN)),
            new Evidence("entities that each run reads", Figures.number(perRun), "1,000"),
            new Evidence(
                "entities that each run returns",
                Figures.number((double) worst.returned() / worst.runs()),
                ""),
            new Evidence("one of those who ask", worst.caller(), ""),
            new Evidence(
                "share of the server's time", Figures.percent(timeShare(window, worst)), "25 %")));
  }

  /** Returns the shape that scans the table again and again and reads the most. */
  private static @Nullable ShapeLoad worst(SpaceWindow window, Predicate<ShapeLoad> which) {
    ShapeLoad worst = null;
    for (ShapeLoad shape : shapes(window)) {
      if (which.test(shape)
          && isRepeated(window, shape)
          && (worst == null || shape.read() > worst.read())) {
        worst = shape;
      }
    }
    return worst;
  }

  /** Returns whether a condition has a range of partition keys, or something like it. */
  private static boolean namesPartition(ShapeLoad shape) {
    return PARTITION_KEY.matcher(shape.shape()).find();
  }

  /** Returns whether a query reads a range of partition keys for little of it. */
  private static boolean isWastefulRange(SpaceWindow window, ShapeLoad shape) {
    return namesPartition(shape)
        && shape.read() >= RANGE_READ_PER_RETURNED * window.ease() * shape.returned();
  }

  private static boolean isRepeated(SpaceWindow window, ShapeLoad shape) {
    double ease = window.ease();
    double perRun = (double) shape.read() / Math.max(1, shape.runs());
    long minutes =
        window.minutes().stream()
            .filter(
                minute ->
                    minute.facts().shapes().stream()
                        .anyMatch(
                            one ->
                                one.kind().equals(shape.kind())
                                    && one.shape().equals(shape.shape())))
            .count();
    return shape.kind().equals(TABLE_SCAN)
        && !shape.shape().isEmpty()
        && minutes >= SpaceWindow.MINUTES_NEEDED
        && shape.runs() >= RUNS_MIN * ease
        && (shape.most() >= READ_MIN * ease || perRun >= WHOLE_TABLE_MIN * ease)
        && perRun >= WHOLE_TABLE_MIN * ease
        && shape.read() >= window.sum(Tally.SCAN_READ) * SHAPE_SHARE * ease;
  }

  /** Returns whether the shape of a diagnosis has most of what scans of the table read. */
  static boolean isMostOfReading(SpaceWindow window, Symptom found) {
    return found.figure() >= window.sum(Tally.SCAN_READ) * MOST_OF_READING;
  }

  /** Finds a table whose queries read much more than they return. */
  static @Nullable Symptom scans(SpaceWindow window) {
    double ease = window.ease();
    if (!window.isTable() || window.sum(Tally.SCAN_RUNS) < SCANS_MIN) {
      return null;
    }
    boolean isHeavy =
        window.holds(
            minute ->
                minute.count(Tally.SCAN_READ) >= SCAN_READ_PER_MINUTE * ease
                    && minute.count(Tally.SCAN_READ)
                        >= READ_PER_RETURNED * ease * minute.count(Tally.SCAN_RETURNED));
    if (!isHeavy && worst(window, shape -> isWastefulRange(window, shape)) == null) {
      return null;
    }
    double ratio =
        (double) window.sum(Tally.SCAN_READ) / Math.max(1, window.sum(Tally.SCAN_RETURNED));
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(
        new Evidence(
            "entities read for each returned",
            Figures.number(ratio),
            Figures.number(isHeavy ? READ_PER_RETURNED : RANGE_READ_PER_RETURNED)));
    evidence.add(
        new Evidence(
            "entities read per minute",
            Figures.number((double) window.sum(Tally.SCAN_READ) / window.minutes().size()),
            isHeavy ? Figures.number(SCAN_READ_PER_MINUTE) : ""));
    shapes(window).stream()
        .sorted((a, b) -> Long.compare(b.micros(), a.micros()))
        .limit(3)
        .forEach(
            shape ->
                evidence.add(
                    new Evidence(
                        "a dear shape",
                        shape.shape().isEmpty() ? "(no condition)" : shape.shape(),
                        "")));
    return new Symptom(
        Kind.SCANS,
        window.name(),
        "",
        window.byTime(window.sum(Tally.SCAN_MICROS)),
        (double) window.sum(Tally.SCAN_READ),
        "Queries of this table read %s entities for each that they return."
            .formatted(Figures.number(ratio)),
        evidence);
  }

  /** Finds clients that ask many partitions at once. */
  static @Nullable Symptom fanOut(SpaceWindow window) {
    if (!window.isTable()) {
      return null;
    }
    Map<String, FanOut> sums = new LinkedHashMap<>();
    for (SpaceLoad minute : window.minutes()) {
      for (FanOut one : minute.facts().fanOuts()) {
        sums.merge(
            one.caller() + "\n" + one.what(),
            one,
            (a, b) ->
                new FanOut(
                    a.caller(),
                    a.what(),
                    a.bursts() + b.bursts(),
                    Math.max(a.partitions(), b.partitions())));
      }
    }
    boolean lasts = window.holds(minute -> !minute.facts().fanOuts().isEmpty());
    for (FanOut one : sums.values()) {
      if (lasts && one.bursts() >= BURSTS_MIN * window.ease()) {
        return fanOut(window, one.caller(), one.partitions(), one.bursts(), one.what());
      }
    }
    for (ShapeLoad shape : shapes(window)) {
      if (shape.partitions() >= PARTITIONS_MIN * window.ease()
          && shape.runs() >= RUNS_MIN * window.ease()
          && window.holds(minute -> !minute.facts().shapes().isEmpty())) {
        return fanOut(
            window, shape.caller(), shape.partitions(), shape.runs(), "one query for all of them");
      }
    }
    return null;
  }

  private static Symptom fanOut(
      SpaceWindow window, String caller, int partitions, long times, String what) {
    return new Symptom(
        Kind.FAN_OUT,
        window.name(),
        "",
        Level.ADVICE,
        (double) partitions * times,
        "%s asks about %s partitions at once, %s times in five minutes."
            .formatted(caller, Figures.number(partitions), Figures.number(times)),
        List.of(
            new Evidence(
                "partitions at once", "about " + Figures.number(partitions), "" + PARTITIONS_MIN),
            new Evidence("times in five minutes", Figures.number(times), "" + BURSTS_MIN),
            new Evidence("how", what, "")));
  }

  /** Finds writes of large entities. */
  static @Nullable Symptom large(SpaceWindow window) {
    double ease = window.ease();
    long writes = 0;
    long bytes = 0;
    long large = 0;
    long largest = 0;
    for (SpaceLoad minute : window.minutes()) {
      WrittenSizes sizes = minute.facts().sizes();
      writes += sizes.writes();
      bytes += sizes.bytes();
      large += sizes.large();
      largest = Math.max(largest, sizes.largest());
    }
    // A minute has few writes, so some of its large ones come together by chance. The window must
    // be sure.
    boolean sure =
        Figures.atLeast(large, writes) >= LARGE_SHARE * ease || bytes >= writes * LARGE_MEAN * ease;
    if (!window.isTable()
        || writes < WRITES_MIN
        || !sure
        || !window.holds(minute -> isLarge(minute.facts().sizes(), ease))) {
      return null;
    }
    double share = (double) large / writes;
    double mean = (double) bytes / writes;
    return new Symptom(
        Kind.LARGE,
        window.name(),
        "",
        largest > HUGE ? Level.WARNING : Level.ADVICE,
        mean,
        "%s of what is written is over 256 KiB; the largest has %s of 1 MiB."
            .formatted(Figures.percent(share), Figures.bytes(largest)),
        List.of(
            new Evidence("over 256 KiB", Figures.percent(share), Figures.percent(LARGE_SHARE)),
            new Evidence("on average", Figures.bytes(mean), Figures.bytes(LARGE_MEAN)),
            new Evidence("the largest, as sent", Figures.bytes(largest), ""),
            new Evidence("writes in five minutes", Figures.number(writes), "" + WRITES_MIN)));
  }

  private static boolean isLarge(WrittenSizes sizes, double ease) {
    return sizes.writes() >= WRITES_MIN / SpaceWindow.MINUTES
        && (sizes.large() >= sizes.writes() * LARGE_SHARE * ease
            || sizes.bytes() >= sizes.writes() * LARGE_MEAN * ease);
  }

  private static double timeShare(SpaceWindow window, ShapeLoad shape) {
    return window.allMicros() == 0 ? 0 : (double) shape.micros() / window.allMicros();
  }
}
