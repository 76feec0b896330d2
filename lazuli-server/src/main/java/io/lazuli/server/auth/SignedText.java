package io.lazuli.server.auth;

import io.lazuli.server.http.Request;

/**
 * What a signature covers, for one service and one scheme: the string-to-sign of auth.md 2. One
 * character per byte, as the request came.
 */
@FunctionalInterface
public interface SignedText {
  /**
   * The text for one path; several may be tried.
   *
   * @param date as {@link SharedKey} found it
   * @param path the path to sign, with a slash at its beginning
   */
  String of(Request request, String account, String date, String path);
}
