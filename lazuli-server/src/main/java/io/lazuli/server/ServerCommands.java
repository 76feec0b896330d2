package io.lazuli.server;

import io.lazuli.server.admin.AdminCommand;
import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.scrub.Scrub;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands that operators give to a running server, by the last part of their path. */
final class ServerCommands {
  private ServerCommands() {}

  /**
   * Returns the commands.
   *
   * @param scrub null if the engine has none
   */
  static Map<String, AdminCommand> of(@Nullable Scrub scrub) {
    return Map.ofEntries(
        Map.entry("version", arguments -> Map.of("version", Version.current())),
        Map.entry("scrub", arguments -> scrub(scrub, arguments.getOrDefault("action", "status"))));
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
}
