package io.lazuli.server.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a request may take: what its {@code timeout} parameter says, at most 30 seconds. */
public final class RequestDeadline {
  private static final String PARAMETER = "timeout";

  /** Default and maximum, the same for every service (table-rest 11, queue-rest 9). */
  private static final int SECONDS_MAX = 30;

  private RequestDeadline() {}

  /** The deadline, counted from when the request came in. */
  public static Deadline of(Request request) {
    int seconds = seconds(request.query().first(PARAMETER));
    Duration passed = Duration.ofNanos(System.nanoTime() - request.arrivedNanos());
    return Deadline.after(Duration.ofSeconds(seconds).minus(passed));
  }

  /** For what begins once a body has come, however long that took. */
  public static Deadline behindBody() {
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
