package io.lazuli.benchmarks.protocol;

/**
 * Signs table requests for one account at one moment. The server accepts the date for fifteen
 * minutes, so each round needs a new signer. Not thread-safe.
 */
final class SharedKeyLite {
  private final String date;
  private final DevelopmentKey key = new DevelopmentKey();

  SharedKeyLite(String date) {
    this.date = date;
  }

  String date() {
    return date;
  }

  /** Returns the Authorization header for a path as it is sent, without its query. */
  String authorization(String path) {
    return key.authorization("SharedKeyLite", date + "\n/" + DevelopmentKey.ACCOUNT + path);
  }
}
