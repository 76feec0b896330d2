package io.lazuli.server;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Identity;
import io.lazuli.server.access.RoleGrant;
import io.lazuli.server.account.Account;
import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.audit.AuditedFiles;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedOwnerFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The roles of one server: those of its development identities, and those of its roles file, which
 * may change while the server runs.
 */
final class ServerRoles {
  private static final RoleSet NONE = new RoleSet(List.of());

  private final RoleSet development;
  private final @Nullable FileWatch<RoleSet> watch;

  private ServerRoles(RoleSet development, @Nullable RoleFile file) throws WatchException {
    this.development = development;
    this.watch =
        file == null
            ? null
            : new FileWatch<>(
                new WatchedOwnerFile<>(file, roles -> {}), "the previous roles stay in force");
  }

  /**
   * Reads the roles of a configuration.
   *
   * @throws ServerStartException if the roles file is refused
   */
  static ServerRoles of(ServerConfig config) {
    try {
      List<String> accounts = ServerAccounts.given(config).stream().map(Account::name).toList();
      RoleSet development = new RoleSet(config.development().assignments(accounts));
      return new ServerRoles(development, file(config));
    } catch (WatchException e) {
      throw new ServerStartException(e.getMessage());
    }
  }

  /** Returns the roles file; null with the in-memory engine, unless a file is configured. */
  private static @Nullable RoleFile file(ServerConfig config) {
    Path named = config.accounts().roles();
    if (named != null) {
      return new RoleFile(named);
    }
    return config.store().isInMemory() ? null : RoleFile.inside(config.store().folder());
  }

  /** Returns what an identity may do now. */
  Access access(String account, String service, Identity identity) {
    RoleSet roles = watch == null ? NONE : watch.content();
    List<RoleGrant> grants = new ArrayList<>(roles.grants(account, service, identity));
    grants.addAll(development.grants(account, service, identity));
    return new Access.OfRoles(identity, grants);
  }

  /** Returns what an identity may do on the admin port now; null for nothing. */
  io.lazuli.server.console.session.@Nullable Role ofConsole(Identity identity) {
    Set<Role> held = new HashSet<>((watch == null ? NONE : watch.content()).ofServer(identity));
    held.addAll(development.ofServer(identity));
    if (held.contains(Role.LAZULI_ADMIN)) {
      return io.lazuli.server.console.session.Role.ADMIN;
    } else if (held.contains(Role.LAZULI_OPERATOR)) {
      return io.lazuli.server.console.session.Role.OPERATOR;
    } else if (held.contains(Role.LAZULI_EDITOR)) {
      return io.lazuli.server.console.session.Role.EDITOR;
    }
    return held.contains(Role.LAZULI_READER) ? io.lazuli.server.console.session.Role.READER : null;
  }

  /**
   * Follows the roles file.
   *
   * @param audit takes a line for each role that was given or taken
   * @return an action that ends that
   */
  Runnable follow(AuditLog audit) {
    if (watch == null) {
      return () -> {};
    }
    watch.start(
        "roles",
        fresh -> AuditedFiles.roles(audit, watch.content(), fresh),
        roles -> {},
        Limits.ACCOUNTS_CHECK_PERIOD);
    return watch::close;
  }

  /** Returns one line if the roles file cannot be followed; empty otherwise. */
  String trouble() {
    return watch == null ? "" : watch.trouble();
  }
}
