package io.lazuli.server.catalog;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The home of one service of one account: the catalogue partition that names its spaces.
 *
 * @param kind the kind of those spaces
 */
public record ServiceHome(Partition partition, SpaceKind kind) {
  /** Returns the home of an account's tables. */
  public static ServiceHome ofTables(String account) {
    return of(account, "table", SpaceKind.TABLE);
  }

  /** Returns the home of an account's queues. */
  public static ServiceHome ofQueues(String account) {
    return of(account, "queue", SpaceKind.QUEUE);
  }

  /** Returns the home of an account's containers. */
  public static ServiceHome ofContainers(String account) {
    return of(account, "blob", SpaceKind.CONTAINER);
  }

  /** Returns the homes of all services of an account. */
  public static List<ServiceHome> all(String account) {
    return List.of(ofTables(account), ofQueues(account), ofContainers(account));
  }

  /** Returns the account of a space. */
  public static String account(Space space) {
    String home = new String(space.requireHome().name().array(), StandardCharsets.UTF_8);
    return home.substring(0, home.indexOf('/'));
  }

  /** Returns the home that a catalogue partition is; null if the partition is not a home. */
  static @Nullable ServiceHome find(Bytes partition) {
    return all(account(partition)).stream()
        .filter(home -> home.partition.name().equals(partition))
        .findFirst()
        .orElse(null);
  }

  /** Returns the name of the account. */
  public String account() {
    return account(partition.name());
  }

  private static String account(Bytes partition) {
    String name = new String(partition.array(), StandardCharsets.UTF_8);
    return name.substring(0, Math.max(0, name.indexOf('/')));
  }

  private static ServiceHome of(String account, String service, SpaceKind kind) {
    byte[] name = (account + "/" + service).getBytes(StandardCharsets.UTF_8);
    return new ServiceHome(new Partition(Space.CATALOGUE, Bytes.of(name)), kind);
  }
}
