package io.lazuli.server.outbound;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URL of another server.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in lower case; an IPv6 address is without brackets
 * @param target the path and the query as they were sent
 */
public record SourceUrl(String scheme, String host, int port, String target) {
  static final int PORT_MAX = 65_535;

  /** The target has printable characters only, so that it cannot end the request line. */
  private static final Pattern FORM =
      Pattern.compile(
          "(https?)://([A-Za-z0-9]([A-Za-z0-9._-]{0,252})|\\[[0-9A-Fa-f:.]{2,45}\\])(:([0-9]{1,5}))?"
              + "(/[\\x21-\\x22\\x24-\\x7e]*)",
          Pattern.CASE_INSENSITIVE);

  /** Returns the parts of a URL; null if it is not one that can be called. */
  public static @Nullable SourceUrl parse(String url) {
    Matcher parts = FORM.matcher(url);
    if (!parts.matches()) {
      return null;
    }
    String scheme = parts.group(1).toLowerCase(Locale.ROOT);
    String port = parts.group(5);
    int number = port == null ? defaultPort(scheme) : Integer.parseInt(port);
    String host = bareHost(parts.group(2));
    return number == 0 || number > PORT_MAX || host.isEmpty()
        ? null
        : new SourceUrl(scheme, host, number, parts.group(6));
  }

  /** Returns a host in lower case, without brackets and without a dot at its end. */
  static String bareHost(String text) {
    String host = text.toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      return host.substring(1, host.length() - 1);
    }
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  boolean isSecure() {
    return scheme.equals("https");
  }
}
