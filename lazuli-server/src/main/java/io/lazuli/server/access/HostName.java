package io.lazuli.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The name of a host as the header Host or an origin has it, without its port, in lower case. An
 * IPv6 address has no brackets. Names are never looked up.
 */
public record HostName(String text) {
  /** Names of this machine that cannot belong to anybody else. */
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback");

  private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-f:.]*:[0-9a-f:.]*");

  /** Returns the host of an authority, such as {@code localhost:10000} or {@code [::1]:10000}. */
  public static HostName ofAuthority(String authority) {
    int bracket = authority.lastIndexOf(']');
    int colon = authority.indexOf(':', bracket + 1);
    return of(colon < 0 ? authority : authority.substring(0, colon));
  }

  /** Returns the host of an origin, such as {@code http://localhost:3000}. */
  public static HostName ofOrigin(String origin) {
    int scheme = origin.indexOf("://");
    return ofAuthority(scheme < 0 ? "" : origin.substring(scheme + 3));
  }

  /** Returns a host that has no port; an IPv6 address may have brackets. */
  public static HostName of(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    boolean bracketed = lower.startsWith("[") && lower.endsWith("]");
    String bare = bracketed ? lower.substring(1, lower.length() - 1) : lower;
    return new HostName(bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare);
  }

  /** Returns whether the host is the other one, or a name below it. */
  public boolean isWithin(HostName other) {
    return text.equals(other.text) || text.endsWith("." + other.text);
  }

  /** Returns whether the host is a loopback address, a name of loopback, or below localhost. */
  public boolean isLoopback() {
    return LOOPBACK_NAMES.contains(text)
        || text.endsWith(".localhost")
        || LOOPBACK_V4.matcher(text).matches()
        || (V6.matcher(text).matches() && isLoopbackV6());
  }

  /** Parses the address. A text with a colon is never looked up. */
  private boolean isLoopbackV6() {
    try {
      return InetAddress.getByName("[" + text + "]").isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
