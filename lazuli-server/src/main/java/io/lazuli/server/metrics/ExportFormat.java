package io.lazuli.server.metrics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A text format of metrics. */
public enum ExportFormat {
  PROMETHEUS("text/plain", "text/plain; version=0.0.4; charset=utf-8"),
  OPEN_METRICS(
      "application/openmetrics-text", "application/openmetrics-text; version=1.0.0; charset=utf-8");

  private final String mediaType;
  private final String contentType;

  ExportFormat(String mediaType, String contentType) {
    this.mediaType = mediaType;
    this.contentType = contentType;
  }

  /** Returns the value of {@code Content-Type} for this format. */
  public String contentType() {
    return contentType;
  }

  /**
   * Chooses the format that a request prefers. Everybody else, browsers and {@code curl} among
   * them, gets the format of Prometheus.
   *
   * @param accept the header {@code Accept}
   */
  public static ExportFormat of(@Nullable String accept) {
    String ranges = accept == null ? "" : accept.toLowerCase(Locale.ROOT);
    double open = OPEN_METRICS.weight(ranges);
    return open > 0 && open >= PROMETHEUS.weight(ranges) ? OPEN_METRICS : PROMETHEUS;
  }

  /** Returns the highest weight that the header gives to this format by name (RFC 9110, 12.5.1). */
  private double weight(String ranges) {
    double weight = 0;
    for (String range : ranges.split(",", -1)) {
      String[] parts = range.split(";", -1);
      if (parts[0].strip().equals(mediaType)) {
        double given = 1;
        for (String part : parts) {
          given = part.strip().startsWith("q=") ? number(part.strip().substring(2)) : given;
        }
        weight = Math.max(weight, given);
      }
    }
    return weight;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
