package io.lazuli.server.protocol;

import io.lazuli.server.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of versions in {@code x-ms-version} and {@code sv}. Any date is accepted, including
 * dates of future versions.
 */
public final class ApiVersion {
  /**
   * The version of answers to requests that name none. Every request gets its behaviour, except
   * where {@link #isFrom} is asked.
   */
  public static final String NEWEST = "2026-10-06";

  private static final String FORM = "0000-00-00";
  private static final List<String> PARAMETERS = List.of("api-version", "sv");

  private ApiVersion() {}

  /**
   * Returns the version that a request names in its header, in its query, or in the shared access
   * signature in its query (queue-rest 2.4). If it names none, returns the version that the owner
   * of the service set for such requests (blob-rest 8.2).
   *
   * @return null if there is no version, or if it is not valid
   */
  public static @Nullable String of(Request request) {
    String version = request.header("x-ms-version");
    for (int i = 0; version == null && i < PARAMETERS.size(); i++) {
      version = request.query().first(PARAMETERS.get(i));
    }
    if (version == null) {
      return request.details().defaultVersion();
    }
    return isWellFormed(version) ? version : null;
  }

  /**
   * Returns true if the request has this version or a newer one; without one, it has the newest.
   */
  public static boolean isFrom(Request request, String first) {
    String version = of(request);
    return (version == null ? NEWEST : version).compareTo(first) >= 0;
  }

  public static boolean isWellFormed(String version) {
    if (version.length() != FORM.length()) {
      return false;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char c = version.charAt(i);
      boolean fits = FORM.charAt(i) == '-' ? c == '-' : c >= '0' && c <= '9';
      if (!fits) {
        return false;
      }
    }
    return isWithin(version.substring(5, 7), "01", "12")
        && isWithin(version.substring(8), "01", "31");
  }

  private static boolean isWithin(String digits, String first, String last) {
    return digits.compareTo(first) >= 0 && digits.compareTo(last) <= 0;
  }
}
