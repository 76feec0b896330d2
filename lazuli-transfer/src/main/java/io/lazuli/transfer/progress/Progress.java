package io.lazuli.transfer.progress;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a transfer has done, and prints it: on a terminal as a line that is rewritten twice a
 * second, elsewhere as a line every ten seconds, with {@code --json} as an object every second.
 * Safe for use by several threads.
 *
 * <p>A total is what an import reads or a listing announces. An export of a table has none, unless
 * the entities were counted before.
 */
public final class Progress implements AutoCloseable {
  /** How progress is printed. */
  public enum Style {
    TERMINAL(500),
    LINES(10_000),
    JSON(1_000),
    NONE(Integer.MAX_VALUE);

    private final int periodMillis;

    Style(int periodMillis) {
      this.periodMillis = periodMillis;
    }
  }

  private static final int BAR_WIDTH = 24;

  private final Style style;
  private final PrintWriter out;
  private final String noun;
  private final long startNanos = System.nanoTime();
  private final Thread printer;

  @GuardedBy("this")
  private long items;

  /** The items that an earlier run had done; they do not count for the rate. */
  @GuardedBy("this")
  private long itemsBefore;

  @GuardedBy("this")
  private long done;

  @GuardedBy("this")
  private long doneBefore;

  @GuardedBy("this")
  private long total;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param noun the counted things: entities, messages, blobs
   */
  public Progress(Style style, PrintWriter out, String noun) {
    this.style = style;
    this.out = out;
    this.noun = noun;
    this.printer = new Thread(this::print, "progress");
    printer.setDaemon(true);
    printer.start();
  }

  /** Sets what an earlier run had done. */
  public synchronized void resume(long itemsDone, long unitsDone) {
    items = itemsDone;
    itemsBefore = itemsDone;
    done = unitsDone;
    doneBefore = unitsDone;
  }

  /** Sets the expected total of units: entities or bytes. */
  public synchronized void expect(long units) {
    total = units;
  }

  /** Counts items, and the units that the total counts. */
  public synchronized void add(long moreItems, long moreUnits) {
    items += moreItems;
    done += moreUnits;
  }

  public synchronized long items() {
    return items;
  }

  /** Returns the units that are done. */
  public synchronized long done() {
    return done;
  }

  private synchronized void print() {
    while (!closed) {
      try {
        wait(style.periodMillis);
      } catch (InterruptedException e) {
        return;
      }
      if (!closed) {
        show();
      }
    }
  }

  @GuardedBy("this")
  private void show() {
    switch (style) {
      case TERMINAL -> out.print("\r\u001b[K" + line());
      case LINES -> out.println(line());
      case JSON -> out.println(Json.write(event("progress")));
      case NONE -> {}
    }
    out.flush();
  }

  @GuardedBy("this")
  private String line() {
    StringBuilder line = new StringBuilder();
    if (total > 0) {
      double part = Math.min(1.0, done / (double) total);
      int full = (int) (part * BAR_WIDTH);
      line.append('[').append("#".repeat(full)).append("-".repeat(BAR_WIDTH - full)).append("] ");
      line.append(String.format(Locale.ROOT, "%3d %%  ", (int) (part * 100)));
    }
    line.append(String.format(Locale.ROOT, "%,d %s  %,d/s", items, noun, rate()));
    Long left = secondsLeft();
    if (left != null) {
      line.append("  ").append(clock(left)).append(" left");
    }
    return line.toString();
  }

  private static String clock(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  @GuardedBy("this")
  private long rate() {
    return (long) ((items - itemsBefore) / seconds());
  }

  @GuardedBy("this")
  private @Nullable Long secondsLeft() {
    double perSecond = (done - doneBefore) / seconds();
    return total > 0 && perSecond > 0 ? (long) (Math.max(0, total - done) / perSecond) : null;
  }

  private double seconds() {
    return Math.max(0.001, (System.nanoTime() - startNanos) / 1e9);
  }

  @GuardedBy("this")
  private Map<String, @Nullable Object> event(String name) {
    Map<String, @Nullable Object> event = new LinkedHashMap<>();
    event.put("event", name);
    event.put(noun, items);
    event.put("perSecond", rate());
    event.put("done", done);
    event.put("total", total > 0 ? total : null);
    event.put("secondsLeft", name.equals("done") ? Long.valueOf(0) : secondsLeft());
    return event;
  }

  /** Prints the result and stops printing progress. */
  public synchronized void finish(String sentence) {
    stop();
    if (style == Style.JSON) {
      out.println(Json.write(event("done")));
    } else {
      long seconds = (long) seconds();
      out.println(
          String.format(Locale.ROOT, "%s: %,d %s in %s", sentence, items, noun, clock(seconds)));
    }
    out.flush();
  }

  @GuardedBy("this")
  private void stop() {
    if (!closed && style == Style.TERMINAL) {
      out.print("\r\u001b[K");
    }
    closed = true;
    notifyAll();
  }

  @Override
  public synchronized void close() {
    stop();
    out.flush();
  }
}
