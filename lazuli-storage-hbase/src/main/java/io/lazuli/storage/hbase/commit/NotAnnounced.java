package io.lazuli.storage.hbase.commit;

import java.util.Set;

/** Stops the commit of a transaction that drops spaces whose drop it has not announced in time. */
final class NotAnnounced extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Set<Long> spaces;

  NotAnnounced(Set<Long> spaces) {
    super("drops have to be announced", null, false, false);
    this.spaces = Set.copyOf(spaces);
  }

  Set<Long> spaces() {
    return spaces;
  }
}
