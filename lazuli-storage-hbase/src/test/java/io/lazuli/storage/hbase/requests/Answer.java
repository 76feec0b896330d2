package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The answer to a request. */
record Answer(int status, byte[] body) {
  String text() {
    return new String(body, UTF_8);
  }

  /** Returns whether the server could not say in time whether it served the request. */
  boolean isRefused() {
    return (status == 500 && text().contains("OperationTimedOut"))
        || (status == 503 && text().contains("ServerBusy"));
  }
}
