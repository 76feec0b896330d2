package io.lazuli.transfer.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.entity.Key;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The keys that are being written. Safe for use by several threads. */
final class KeysUnderWay {
  @GuardedBy("this")
  private final Set<Key> keys = new HashSet<>();

  /** Adds keys, or none if one of them is under way. */
  synchronized boolean tryAdd(List<Key> more) {
    for (Key key : more) {
      if (keys.contains(key)) {
        return false;
      }
    }
    keys.addAll(more);
    return true;
  }

  synchronized void remove(List<Key> fewer) {
    for (Key key : fewer) {
      keys.remove(key);
    }
  }
}
