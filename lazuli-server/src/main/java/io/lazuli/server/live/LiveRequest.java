package io.lazuli.server.live;

/**
 * A recent request.
 *
 * @param number counts up, so that a reader can ask for what came later
 * @param millis when it ended, in milliseconds since 1970
 * @param target path and query without signatures, cut
 * @param plan the kind of a query's plan; empty for other requests
 * @param standsFor the number of requests that it stands for
 */
public record LiveRequest(
    long number,
    long millis,
    String id,
    String account,
    String service,
    String operation,
    String method,
    String target,
    int status,
    String code,
    String plan,
    long read,
    long returned,
    long bytesIn,
    long bytesOut,
    long micros,
    String peer,
    String agent,
    int standsFor) {
  /** Returns about the bytes that it takes in memory. */
  int size() {
    return FIXED_BYTES + 2 * (target.length() + agent.length() + peer.length() + id.length());
  }

  private static final int FIXED_BYTES = 160;
}
