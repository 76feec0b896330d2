package io.lazuli.server.auth;

import io.lazuli.server.http.Request;
import org.jspecify.annotations.Nullable;

/** The strings-to-sign of the table service (auth 2.1 and 3.1). They do not cover the body. */
public final class TableSignedText {
  private TableSignedText() {}

  public static String sharedKey(Request request, String account, String date, String path) {
    StringBuilder out = new StringBuilder(256);
    out.append(request.method()).append('\n');
    out.append(orEmpty(request.header("Content-MD5"))).append('\n');
    out.append(orEmpty(request.header("Content-Type"))).append('\n');
    return appendDateAndResource(out, request, account, date, path);
  }

  public static String sharedKeyLite(Request request, String account, String date, String path) {
    return appendDateAndResource(new StringBuilder(192), request, account, date, path);
  }

  private static String appendDateAndResource(
      StringBuilder out, Request request, String account, String date, String path) {
    out.append(date).append('\n').append('/').append(account).append(path);
    String comp = request.query().first("comp");
    if (comp != null) {
      out.append("?comp=").append(comp);
    }
    return out.toString();
  }

  private static String orEmpty(@Nullable String value) {
    return value == null ? "" : value;
  }
}
