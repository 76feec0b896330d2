package io.lazuli.server.http;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of requests: random GUIDs in lower case. They must be unique, but not secret. */
final class RequestIds {
  private RequestIds() {}

  static String next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = (random.nextLong() & ~0xf000L) | 0x4000L;
    long low = (random.nextLong() & ~(3L << 62)) | (2L << 62);
    return new UUID(high, low).toString();
  }
}
