package io.lazuli.server.http;

/**
 * The form of {@code x-ms-version} and {@code sv}: any date is accepted, also of versions still to
 * come.
 */
public final class ApiVersion {
  private static final String FORM = "0000-00-00";

  private ApiVersion() {}

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
    return true;
  }
}
