package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceNames;
import io.lazuli.storage.hbase.balance.ReadableKey;
import io.lazuli.storage.hbase.balance.SpaceLabels;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Labels the spaces of keys with what people call them. A space without a name keeps its number.
 * Thread-safe. Blocks, because names may have to be read from the store.
 */
public final class KeyNames {
  private volatile SpaceNames names = SpaceNames.NONE;

  /** Uses these names from now on. */
  public void use(SpaceNames newNames) {
    names = newNames;
  }

  /** Returns labels for the spaces of some keys, which are looked up together. */
  SpaceLabels of(Collection<Bytes> keys) {
    Set<Long> spaces = new HashSet<>();
    keys.forEach(key -> spaces.add(ReadableKey.space(key)));
    spaces.remove(Space.CATALOGUE.number());
    Map<Long, String> found = spaces.isEmpty() ? Map.of() : names.of(spaces);
    return space -> {
      String name = found.get(space);
      return name == null ? SpaceLabels.COUNTERS.of(space) : name;
    };
  }
}
