package io.lazuli.server.requestlog;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Writes the key of a request's object: the account, then the table, queue, container or blob. */
final class ObjectKey {
  private static final String TABLES = "Tables(";
  private static final String SECONDARY = "-secondary";

  private ObjectKey() {}

  /**
   * Appends the key with escapes.
   *
   * @param host the host as the request names it
   * @param target the path and query of the request
   */
  static void append(LineBytes out, String service, String account, String host, String target) {
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    int slash = target.indexOf('/', 1);
    int first = slash < 0 || slash > end ? end : slash;
    int from = isInHost(service, account, host) && !isFirst(account, target, first) ? 0 : first;
    boolean rooted = from < end && target.charAt(from) == '/';
    String key = resource(service, decoded(target.substring(rooted ? from + 1 : from, end)));
    out.add('/').add(account);
    if (!key.isEmpty()) {
      out.add('/').addEscaped(key);
    }
  }

  private static boolean isInHost(String service, String account, String host) {
    if (!host.startsWith(account)) {
      return false;
    }
    int after = account.length();
    int dot = host.startsWith(SECONDARY, after) ? after + SECONDARY.length() : after;
    return host.startsWith(".", dot)
        && host.startsWith(service, dot + 1)
        && host.startsWith(".", dot + 1 + service.length());
  }

  /**
   * Returns true if the path begins with the account. The host cannot decide this, because a server
   * may be set to take accounts from the path only. A container with the name of its account would
   * be mistaken for the account, which is unlikely.
   */
  private static boolean isFirst(String account, String target, int end) {
    String first = end == 0 ? "" : target.substring(1, end);
    return first.equals(account) || first.equals(account + SECONDARY);
  }

  private static String resource(String service, String rest) {
    return switch (service) {
      case "blob" -> rest;
      case "queue" -> upTo(rest, '/');
      default -> table(rest);
    };
  }

  private static String table(String rest) {
    int quote = rest.indexOf('\'');
    if (rest.startsWith(TABLES) && quote >= 0) {
      return upTo(rest.substring(quote + 1), '\'');
    }
    return upTo(upTo(rest, '/'), '(');
  }

  private static String upTo(String text, char end) {
    int at = text.indexOf(end);
    return at < 0 ? text : text.substring(0, at);
  }

  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
