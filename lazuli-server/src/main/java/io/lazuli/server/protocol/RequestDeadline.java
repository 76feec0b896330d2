package io.lazuli.server.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The deadline of a request, from its {@code timeout} parameter; at most 30 seconds. */
public final class RequestDeadline {
  private static final String PARAMETER = "timeout";

  /** The default and the maximum, the same for every service (table-rest 11, queue-rest 9). */
  private static final int SECONDS_MAX = 30;

  private RequestDeadline() {}

  /** Returns the deadline of a request, measured from its arrival. */
  public static Deadline of(Request request) {
    int seconds = seconds(request.query().first(PARAMETER));
    Duration passed = Duration.ofNanos(System.nanoTime() - request.arrivedNanos());
    return Deadline.after(Duration.ofSeconds(seconds).minus(passed));
  }

  /** Returns a deadline for work that starts after the body has arrived, however long that took. */
  public static Deadline afterBody() {
    return Deadline.after(Duration.ofSeconds(SECONDS_MAX));
  }

  private static int seconds(@Nullable String text) {
    if (text == null) {
      return SECONDS_MAX;
    }
    try {
      int seconds = Integer.parseInt(text.strip());
      if (seconds >= 0) {
        return seconds == 0 ? SECONDS_MAX : Math.min(seconds, SECONDS_MAX);
      }
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
    throw invalid(text);
  }

  private static ServiceException invalid(String text) {
    return CommonErrors.INVALID_QUERY_PARAMETER_VALUE
        .exception()
        .with("QueryParameterName", PARAMETER)
        .with("QueryParameterValue", text)
        .with("Reason", "");
  }
}
