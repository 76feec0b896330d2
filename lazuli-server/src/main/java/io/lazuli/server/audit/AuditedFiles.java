package io.lazuli.server.audit;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountOptions;
import io.lazuli.server.account.AccountSet;
import io.lazuli.server.role.RoleAssignment;
import io.lazuli.server.role.RoleSet;
import java.util.HashSet;
import java.util.Set;

/** Adds lines for what a running server finds changed in the files of accounts and roles. */
public final class AuditedFiles {
  private AuditedFiles() {}

  /** Adds a line for each changed account. Keys are counted, not shown. */
  public static void accounts(AuditLog log, AccountSet before, AccountSet after) {
    for (Account account : after.accounts()) {
      Account old = before.find(account.name());
      if (old == null || (!old.isPresent() && account.isPresent())) {
        log.change("AccountAdded", account.name(), state(account));
      } else if (old.state() != account.state()) {
        log.change("AccountChanged", account.name(), state(account));
      }
      if (old != null && old.isPresent() && account.isPresent()) {
        keys(log, old, account);
      }
      if (old != null && !old.options().equals(account.options())) {
        log.change("AccountChanged", account.name(), options(account.options()));
      }
    }
    for (Account old : before.accounts()) {
      if (after.find(old.name()) == null) {
        log.change("AccountForgotten", old.name(), "");
      }
    }
  }

  private static void keys(AuditLog log, Account old, Account account) {
    for (int i = 0; i < account.keys().size(); i++) {
      boolean same =
          i < old.keys().size()
              && old.keys().get(i).base64().equals(account.keys().get(i).base64());
      if (!same) {
        log.change("AccountKeyChanged", account.name(), "key " + (i + 1));
      }
    }
  }

  private static String state(Account account) {
    return switch (account.state()) {
      case ENABLED -> "enabled";
      case DISABLED -> "disabled";
      case REMOVED -> "removed";
      case DROPPING -> "removed with its data";
    };
  }

  private static String options(AccountOptions options) {
    return "blob versioning %s, blob immutability %s, container retention %d days, shared key %s"
        .formatted(
            options.blobVersioning() ? "on" : "off",
            options.blobImmutability() ? "on" : "off",
            options.containerRetentionDays(),
            options.noSharedKey() ? "refused" : "accepted");
  }

  /** Adds a line for each role that was given or taken. */
  public static void roles(AuditLog log, RoleSet before, RoleSet after) {
    Set<RoleAssignment> old = new HashSet<>(before.assignments());
    Set<RoleAssignment> now = new HashSet<>(after.assignments());
    before.assignments().stream()
        .filter(one -> !now.contains(one))
        .forEach(one -> log.change("RoleRemoved", one.scope().account(), one.text()));
    after.assignments().stream()
        .filter(one -> !old.contains(one))
        .forEach(one -> log.change("RoleAdded", one.scope().account(), one.text()));
  }
}
