package io.lazuli.storage.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Deals shards to sessions, so that all servers that see the same rows get the same answer. */
final class Dealing {
  private Dealing() {}

  /**
   * Deals the shards in their order to the sessions in theirs. A shard of a walk that no session
   * knows is dealt to nobody.
   *
   * @param sessions the walks that each session knows
   */
  static Map<ShardKey, Long> deal(Set<ShardKey> shards, SortedMap<Long, Set<String>> sessions) {
    Map<ShardKey, Long> dealt = new TreeMap<>();
    int number = 0;
    for (ShardKey key : shards) {
      List<Long> able = new ArrayList<>();
      sessions.forEach(
          (session, walks) -> {
            if (walks.contains(key.walk())) {
              able.add(session);
            }
          });
      if (!able.isEmpty()) {
        dealt.put(key, able.get(number % able.size()));
      }
      number++;
    }
    return dealt;
  }
}
