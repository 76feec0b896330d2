package io.lazuli.server.load.size;

import io.lazuli.server.load.count.SpaceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The size of a table, queue or container as Azure would count it.
 *
 * @param items its entities, messages or blobs
 */
public record SpaceSize(SpaceName name, long items, long bytes) {
  private static final Comparator<SpaceSize> LARGEST_FIRST =
      Comparator.comparingLong(SpaceSize::bytes).reversed().thenComparing(SpaceSize::name);

  SpaceSize plus(long moreItems, long moreBytes) {
    return new SpaceSize(name, items + moreItems, bytes + moreBytes);
  }

  /** Returns the largest sizes, and the sum of the others of each service. */
  public static List<SpaceSize> largest(List<SpaceSize> sizes, int max) {
    List<SpaceSize> sorted = sizes.stream().sorted(LARGEST_FIRST).toList();
    List<SpaceSize> kept = new ArrayList<>();
    Map<SpaceName, SpaceSize> rests = new TreeMap<>();
    for (SpaceSize size : sorted) {
      if (kept.size() < max && !size.name.isRest()) {
        kept.add(size);
      } else {
        SpaceName rest = new SpaceName(size.name.account(), size.name.service(), "");
        rests.merge(
            rest, new SpaceSize(rest, size.items, size.bytes), (a, b) -> a.plus(b.items, b.bytes));
      }
    }
    kept.addAll(rests.values());
    return kept;
  }
}
