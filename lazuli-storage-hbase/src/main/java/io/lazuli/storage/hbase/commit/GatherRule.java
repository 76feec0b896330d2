package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import java.util.Collections;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which commits may share a call.
 *
 * @param commitsMax the number of commits in a call
 * @param rowsMax the number of rows in a call; one commit may have more
 * @param bytesMax the length of a call; one commit may be longer
 * @param collide returns true if a commit with the second rows must not share a call with a commit
 *     of the first rows
 */
record GatherRule(
    int commitsMax, int rowsMax, long bytesMax, BiPredicate<Set<Bytes>, Set<Bytes>> collide) {
  /**
   * Commits with a common row never share a call, even if they only read it: a region checks all
   * conditions of a call against the state before the call.
   */
  static final GatherRule DEFAULT =
      new GatherRule(64, 256, 1 << 20, (some, others) -> !Collections.disjoint(some, others));
}
