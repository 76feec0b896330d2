package io.lazuli.examples.tour;

import java.util.OptionalLong;

/**
 * A request as the tour shows it.
 *
 * @param service table, queue or blob
 * @param path without the account and without the query
 * @param read how many entities the server looked at, which it tells of queries
 */
record SeenRequest(String service, String method, String path, OptionalLong read) {
  /** Names of messages and blobs, which say nothing to a reader. */
  private static final String RANDOM = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  String line() {
    return String.format("%-6s  %-5s  %s", method, service, path.replaceAll(RANDOM, "<id>"));
  }
}
