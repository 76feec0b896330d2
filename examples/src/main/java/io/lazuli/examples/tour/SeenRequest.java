package io.lazuli.examples.tour;

import java.util.OptionalLong;

/**
 * A request as the tour prints it.
 *
 * @param service table, queue or blob
 * @param path without the account and without the query
 * @param read the number of entities that the server read, which it reports for queries
 */
record SeenRequest(String service, String method, String path, OptionalLong read) {
  /** Random names of messages and blobs, which are of no interest to a reader. */
  private static final String RANDOM = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  String line() {
    return String.format("%-6s  %-5s  %s", method, service, path.replaceAll(RANDOM, "<id>"));
  }
}
