package io.lazuli.server.requestlog;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Prepares URLs for logs: masks signatures, with which a reader could act as the caller. */
final class UrlText {
  private static final String MASK = "XXXXX";

  /** The length of {@code sig} with every letter percent-encoded. */
  private static final int SECRET_NAME_CHARS_MAX = 9;

  private UrlText() {}

  /** Returns the URL with the values of all signatures masked. */
  static String masked(String url) {
    int query = url.indexOf('?');
    if (query < 0) {
      return url;
    }
    StringBuilder out = null;
    int copied = 0;
    for (int at = query + 1; at < url.length(); ) {
      int end = url.indexOf('&', at);
      end = end < 0 ? url.length() : end;
      int equals = url.indexOf('=', at);
      if (equals >= 0 && equals < end && isSecret(url.substring(at, equals))) {
        out = out == null ? new StringBuilder(url.length()) : out;
        out.append(url, copied, equals + 1).append(MASK);
        copied = end;
      }
      at = end + 1;
    }
    return out == null ? url : out.append(url, copied, url.length()).toString();
  }

  private static boolean isSecret(String name) {
    if (name.length() > SECRET_NAME_CHARS_MAX) {
      return false;
    }
    return name.equalsIgnoreCase("sig")
        || (name.indexOf('%') >= 0 && decoded(name).equalsIgnoreCase("sig"));
  }

  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return name;
    }
  }

  static boolean hasParameter(String url, String name) {
    int query = url.indexOf('?');
    return query >= 0
        && (url.startsWith(name + "=", query + 1) || url.indexOf("&" + name + "=", query) >= 0);
  }
}
