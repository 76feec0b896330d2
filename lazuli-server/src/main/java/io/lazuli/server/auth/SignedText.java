package io.lazuli.server.auth;

import io.lazuli.server.http.Request;

/**
 * Builds the string-to-sign of one service and one scheme (auth 2). It has one character per byte
 * of the request.
 */
@FunctionalInterface
public interface SignedText {
  /**
   * Returns the text for one path. Several paths may be tried.
   *
   * @param date the date that {@link SharedKey} found
   * @param path the path to sign, with a leading slash
   */
  String of(Request request, String account, String date, String path);
}
