package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The catalogue partition of one service of one account: the home of its spaces.
 *
 * @param kind of the spaces that are named there
 */
public record ServiceHome(Partition partition, SpaceKind kind) {
  /** The home of an account's tables. */
  public static ServiceHome ofTables(String account) {
    return of(account, "table", SpaceKind.TABLE);
  }

  /** The home of an account's queues. */
  public static ServiceHome ofQueues(String account) {
    return of(account, "queue", SpaceKind.QUEUE);
  }

  /** The homes of all services of an account, those of later versions included. */
  public static List<ServiceHome> all(String account) {
    return List.of(ofTables(account), ofQueues(account), of(account, "blob", SpaceKind.CONTAINER));
  }

  private static ServiceHome of(String account, String service, SpaceKind kind) {
    byte[] name = (account + "/" + service).getBytes(StandardCharsets.UTF_8);
    return new ServiceHome(new Partition(Space.CATALOGUE, Bytes.of(name)), kind);
  }
}
