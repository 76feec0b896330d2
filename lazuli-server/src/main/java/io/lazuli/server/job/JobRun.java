package io.lazuli.server.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a job under way knows and reports. Its work changes it on one thread; others see what was
 * stored.
 */
public final class JobRun {
  /** The entry of a cursor that says that a person has allowed what the job asked for. */
  private static final String ALLOWED = "allowed";

  /** The entry of a cursor that says that a part may have been done twice. */
  private static final String REPEATED = "repeated";

  private static final double RATE_WEIGHT = 0.3;

  private final Job job;
  private final Map<String, String> cursor;
  private final LongSupplier nanoClock;
  private final List<String> lines = new ArrayList<>();
  private String unit;
  private long done;
  private long of;
  private boolean exact;
  private String message;
  private boolean asks;
  private @Nullable JobResult result;
  private long ratedNanos;
  private long ratedDone;
  private double rate;

  /** The changing part of a job. */
  record Snapshot(
      Map<String, String> cursor,
      JobProgress progress,
      String message,
      boolean asks,
      @Nullable JobResult result) {}

  JobRun(Job job, LongSupplier nanoClock) {
    this.job = job;
    this.cursor = new LinkedHashMap<>(job.cursor());
    this.nanoClock = nanoClock;
    this.unit = job.progress().unit();
    this.done = job.progress().done();
    this.of = job.progress().of();
    this.exact = job.progress().exact();
    this.message = job.message();
    this.result = job.result();
    this.ratedNanos = nanoClock.getAsLong();
    this.ratedDone = done;
  }

  static Map<String, String> allowed(Map<String, String> cursor) {
    return with(cursor, ALLOWED);
  }

  static Map<String, String> repeated(Map<String, String> cursor) {
    return with(cursor, REPEATED);
  }

  private static Map<String, String> with(Map<String, String> cursor, String entry) {
    Map<String, String> next = new LinkedHashMap<>(cursor);
    next.put(entry, "yes");
    return next;
  }

  public String id() {
    return job.id();
  }

  public String account() {
    return job.account();
  }

  /** Returns a parameter that the kind has checked to be there. */
  public String require(String name) {
    String value = job.parameters().get(name);
    if (value == null) {
      throw new IllegalStateException("the job has no parameter " + name);
    }
    return value;
  }

  public Map<String, String> parameters() {
    return job.parameters();
  }

  public String parameter(String name, String otherwise) {
    return job.parameters().getOrDefault(name, otherwise);
  }

  public @Nullable String cursor(String name) {
    return cursor.get(name);
  }

  public long number(String name) {
    return Long.parseLong(cursor.getOrDefault(name, "0"));
  }

  /** Moves the cursor; null removes an entry. */
  public void cursor(String name, @Nullable String value) {
    if (value == null) {
      cursor.remove(name);
    } else {
      cursor.put(name, value);
    }
  }

  public void cursor(String name, long value) {
    cursor.put(name, Long.toString(value));
  }

  public void add(long more) {
    done += more;
  }

  public long done() {
    return done;
  }

  /** Begins to count anew, in another unit. */
  public void restart(String countedUnit, long doneSoFar) {
    unit = countedUnit;
    done = doneSoFar;
    ratedDone = doneSoFar;
    ratedNanos = nanoClock.getAsLong();
    rate = 0;
  }

  /** Says how much is done in all, for work that counts by itself. */
  public void reach(String countedUnit, long doneSoFar) {
    if (!unit.equals(countedUnit) || doneSoFar < done) {
      restart(countedUnit, doneSoFar);
    }
    done = doneSoFar;
  }

  /**
   * Says how much there is in all.
   *
   * @param total -1 if that is not known
   */
  public void expect(long total, boolean counted) {
    of = total;
    exact = counted && total >= 0;
  }

  public void log(String line) {
    lines.add(line);
  }

  public void message(String text) {
    message = text;
  }

  /** Pauses the job until a person says that it may go on. */
  public void ask(String question) {
    asks = true;
    message = question;
    lines.add(question);
  }

  public boolean isAllowed() {
    return cursor.containsKey(ALLOWED);
  }

  /**
   * Returns whether a part was cut off and done again. What it had done before it was cut off is
   * then not counted.
   */
  public boolean isRepeated() {
    return cursor.containsKey(REPEATED);
  }

  void repeat() {
    cursor.put(REPEATED, "yes");
  }

  public void result(JobResult made) {
    result = made;
  }

  boolean asks() {
    return asks;
  }

  List<String> takeLines() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  Snapshot snapshot() {
    long now = nanoClock.getAsLong();
    double seconds = (now - ratedNanos) / 1e9;
    if (seconds >= Duration.ofMillis(500).toMillis() / 1e3) {
      double last = (done - ratedDone) / seconds;
      rate = rate == 0 ? last : rate + RATE_WEIGHT * (last - rate);
      ratedNanos = now;
      ratedDone = done;
    }
    return new Snapshot(
        Map.copyOf(cursor),
        new JobProgress(unit, done, of, exact, Math.round(rate)),
        message,
        asks,
        result);
  }
}
