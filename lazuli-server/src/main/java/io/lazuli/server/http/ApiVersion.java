package io.lazuli.server.http;

import org.jspecify.annotations.Nullable;

/** The version a client asks for: any date is accepted, also of versions still to come. */
final class ApiVersion {
  private static final String FORM = "0000-00-00";

  private ApiVersion() {}

  /**
   * What the client asks for, well-formed or not; null if it does not say. A shared access
   * signature stands in a URL, so there the query may name the version (queue-rest.md 2.4).
   */
  static @Nullable String of(Request request) {
    String header = request.header("x-ms-version");
    Query query = request.query();
    if (header != null || query.first("sig") == null) {
      return header;
    }
    String parameter = query.first("api-version");
    return parameter == null ? query.first("sv") : parameter;
  }

  static boolean isWellFormed(String version) {
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
    return true;
  }
}
