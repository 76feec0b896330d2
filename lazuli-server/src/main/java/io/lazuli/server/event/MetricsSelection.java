package io.lazuli.server.event;

/**
 * The metrics of a service that its owner wants (logs-and-metrics 1).
 *
 * @param hours true to count requests by hour
 * @param hourOperations true to count each operation by hour too
 * @param minutes true to count requests by minute
 * @param minuteOperations true to count each operation by minute too
 */
public record MetricsSelection(
    boolean hours, boolean hourOperations, boolean minutes, boolean minuteOperations) {
  /** Returns whether anything is counted. */
  public boolean isOn() {
    return hours || minutes;
  }
}
