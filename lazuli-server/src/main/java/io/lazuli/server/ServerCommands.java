package io.lazuli.server;

import io.lazuli.server.admin.AdminCommand;
import java.util.Map;

/** The commands that operators give to a running server, by the last part of their path. */
final class ServerCommands {
  private ServerCommands() {}

  static Map<String, AdminCommand> of() {
    return Map.ofEntries(Map.entry("version", arguments -> Map.of("version", Version.current())));
  }
}
