package io.lazuli.client.pattern.period;

/** An entity is too late: its period was dropped. Nothing was written. */
public final class PeriodDropped extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String period;
  private final String firstKept;

  PeriodDropped(String period, String firstKept) {
    super("period " + period + " was dropped; the first that is kept is " + firstKept);
    this.period = period;
    this.firstKept = firstKept;
  }

  /** Returns the name of the period, such as {@code 20260731}. */
  public String period() {
    return period;
  }

  /** Returns the name of the first period that was kept. */
  public String firstKept() {
    return firstKept;
  }
}
