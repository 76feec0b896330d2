package io.lazuli.storage.hbase.commit;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Names transactions: by its id a record tells who wrote it. No id is ever given twice. */
final class WriteIds {
  private final AtomicLong next = new AtomicLong(new SecureRandom().nextLong());

  long next() {
    return next.getAndIncrement();
  }
}
