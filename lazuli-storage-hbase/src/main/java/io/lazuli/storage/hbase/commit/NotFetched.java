package io.lazuli.storage.hbase.commit;

/**
 * Stops a body that needs a row or a scan which the engine has not fetched yet. The engine fetches
 * it and runs the body again. Has no stack trace, because it is thrown often and read by nobody.
 */
final class NotFetched extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotFetched() {
    super("the row is not fetched yet", null, false, false);
  }
}
