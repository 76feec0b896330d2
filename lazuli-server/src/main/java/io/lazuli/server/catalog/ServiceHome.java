package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue partition of one service of one account: the home of its spaces.
 *
 * @param kind of the spaces that are named there
 */
public record ServiceHome(Partition partition, SpaceKind kind) {
  private static final String TABLES = "/table";
  private static final String QUEUES = "/queue";

  /** The home of an account's tables. */
  public static ServiceHome ofTables(String account) {
    return new ServiceHome(partition(account + TABLES), SpaceKind.TABLE);
  }

  /** The home of an account's queues. */
  public static ServiceHome ofQueues(String account) {
    return new ServiceHome(partition(account + QUEUES), SpaceKind.QUEUE);
  }

  /** The home that a partition of the catalogue is; null if it is none. */
  static @Nullable ServiceHome find(Bytes partition) {
    String name = new String(partition.array(), StandardCharsets.UTF_8);
    int slash = Math.max(0, name.indexOf('/'));
    return switch (name.substring(slash)) {
      case TABLES -> ofTables(name.substring(0, slash));
      case QUEUES -> ofQueues(name.substring(0, slash));
      default -> null;
    };
  }

  private static Partition partition(String name) {
    return new Partition(Space.CATALOGUE, Bytes.of(name.getBytes(StandardCharsets.UTF_8)));
  }
}
