package io.lazuli.server.config;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of domains, in the form in which certificates and connection strings have them. */
public final class DomainName {
  /** The length that leaves room for an account and a service in a name of 253 characters. */
  private static final int LENGTH_MAX = 200;

  private static final Pattern LABELS =
      Pattern.compile("([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private DomainName() {}

  /**
   * Returns the domain in lower case; null if the text is not a domain. An address is not one:
   * clients read the host {@code name.blob.127.0.0.1} as a damaged address.
   */
  public static @Nullable String parse(String text) {
    String domain = text.toLowerCase(Locale.ROOT);
    String last = domain.substring(domain.lastIndexOf('.') + 1);
    boolean valid = domain.length() <= LENGTH_MAX && LABELS.matcher(domain).matches();
    return valid && !last.matches("[0-9]+") ? domain : null;
  }
}
