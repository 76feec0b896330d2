package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.admin.AdminCommand;
import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.delegation.DelegationKeys;
import io.lazuli.server.recovery.ItemRestore;
import io.lazuli.server.scrub.Scrub;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands that operators give to a running server, by the last part of their path. */
final class ServerCommands {
  /** The commands that wait for a cluster, up to minutes. They run on a thread of their own. */
  static final Set<String> WAITING = Set.of("partition-points", "partitions-split");

  private ServerCommands() {}

  /**
   * Returns the commands.
   *
   * @param scrub null if the engine has none
   * @param signInLink makes a link that signs in to the console
   */
  static Map<String, AdminCommand> of(
      @Nullable Scrub scrub,
      Backups backups,
      ItemRestore items,
      DelegationKeys delegationKeys,
      ServerPartitions partitions,
      Supplier<Map<String, String>> signInLink) {
    return Map.ofEntries(
        Map.entry("console", arguments -> signInLink.get()),
        Map.entry("revoke-delegation", arguments -> revoke(delegationKeys, arguments)),
        Map.entry("restore", arguments -> restore(backups, items, arguments)),
        Map.entry("backup", arguments -> backup(backups, arguments)),
        Map.entry("backup-progress", arguments -> backups.progress()),
        Map.entry("backup-cancel", arguments -> cancel(backups)),
        Map.entry("partition-points", partitions::points),
        Map.entry("partitions-split", partitions::split),
        Map.entry("scrub", arguments -> scrub(scrub, arguments.getOrDefault("action", "status"))));
  }

  private static Map<String, String> revoke(
      DelegationKeys delegationKeys, Map<String, String> arguments) {
    String account = arguments.getOrDefault("account", "");
    if (!Account.isName(account)) {
      throw new RefusedCommandException("no account has the name " + account);
    }
    delegationKeys.revoke(account);
    return Map.of("revoked", account);
  }

  private static Map<String, String> scrub(@Nullable Scrub scrub, String action) {
    if (scrub == null) {
      throw new RefusedCommandException("only servers with the engine rocksdb have a scrub");
    }
    switch (action) {
      case "status" -> {}
      case "now" -> scrub.request();
      case "pause" -> scrub.pause(true);
      case "resume" -> scrub.pause(false);
      default -> throw new RefusedCommandException("the scrub has no action " + action);
    }
    return scrub.status();
  }

  private static Map<String, String> backup(Backups backups, Map<String, String> arguments) {
    try {
      backups.begin(
          new Backups.Order(
              arguments.getOrDefault("target", ""),
              Boolean.parseBoolean(arguments.get("accounts")),
              rate(arguments.getOrDefault("rateMib", "0"))));
      return backups.progress();
    } catch (BackupException e) {
      throw new RefusedCommandException(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, String> restore(
      Backups backups, ItemRestore items, Map<String, String> arguments) {
    try {
      Instant at = at(arguments);
      ItemRestore.Item item =
          new ItemRestore.Item(
              arguments.getOrDefault("kind", ""),
              arguments.getOrDefault("account", ""),
              arguments.getOrDefault("name", ""),
              arguments.getOrDefault("as", ""));
      backups.begin(
          new Backups.Order(
              arguments.getOrDefault("target", ""),
              false,
              rate(arguments.getOrDefault("rateMib", "0"))),
          (target, meter) -> items.run(target, arguments.get("backup"), at, item, meter));
      return backups.progress();
    } catch (BackupException e) {
      throw new RefusedCommandException(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Instant at(Map<String, String> arguments) {
    String text = arguments.get("at");
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new BackupException(text + " is not an instant", e);
    }
  }

  private static long rate(String mib) {
    if (!mib.matches("\\d{1,7}")) {
      throw new RefusedCommandException(mib + " is not a number of MiB per second");
    }
    return Long.parseLong(mib) << 20;
  }

  private static Map<String, String> cancel(Backups backups) {
    try {
      backups.cancel();
      return Map.of();
    } catch (BackupException e) {
      throw new RefusedCommandException(String.valueOf(e.getMessage()));
    }
  }
}
