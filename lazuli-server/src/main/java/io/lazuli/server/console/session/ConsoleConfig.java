package io.lazuli.server.console.session;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The console on the admin port.
 *
 * @param open true if nobody has to sign in, on loopback only
 * @param users the file with the users and their hashed passwords; null for none
 * @param hosts further names under which the admin port is reached
 */
public record ConsoleConfig(boolean open, @Nullable Path users, List<String> hosts) {
  public ConsoleConfig {
    hosts = List.copyOf(hosts);
  }
}
