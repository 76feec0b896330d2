package io.lazuli.storage.hbase.commit;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Gives each transaction an id, which its records carry. No id is given twice. */
final class WriteIds {
  private final AtomicLong next = new AtomicLong(new SecureRandom().nextLong());

  long next() {
    return next.getAndIncrement();
  }
}
