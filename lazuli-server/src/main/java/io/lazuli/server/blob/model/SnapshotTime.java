package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Ticks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** The time that names a snapshot, always with seven decimals (blob-rest 10.7). */
public final class SnapshotTime {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Pattern FORM =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{7}Z");

  private SnapshotTime() {}

  public static String text(long ticks) {
    return FORMAT.format(Ticks.toInstant(ticks));
  }

  /** Parses the parameter {@code snapshot}, or throws 400. Returns its ticks. */
  public static long requireParameter(String text) {
    return requireParameter("snapshot", text);
  }

  /** Parses a parameter that names a snapshot or version, or throws 400. Returns its ticks. */
  public static long requireParameter(String parameter, String text) {
    if (!FORM.matcher(text).matches()) {
      throw invalid(parameter, text);
    }
    try {
      long ticks = Ticks.of(Instant.parse(text));
      if (ticks < 0) {
        throw invalid(parameter, text);
      }
      return ticks;
    } catch (DateTimeException e) {
      throw invalid(parameter, text);
    }
  }

  private static ServiceException invalid(String parameter, String text) {
    return CommonErrors.INVALID_QUERY_PARAMETER_VALUE
        .exception()
        .with("QueryParameterName", parameter)
        .with("QueryParameterValue", text)
        .with("Reason", "Must be in the specific snapshot date time format.");
  }
}
