package io.lazuli.server.backup;

import org.jspecify.annotations.Nullable;

/**
 * The backups that a server makes by itself.
 *
 * @param target the folder or container; null for none. May contain a secret
 * @param minutes the time between two backups; 0 for none
 * @param keep the number of backups that stay; 0 for all
 * @param rateMib the most MiB per second that are read and written; 0 for no limit
 * @param accounts whether the accounts file is included
 */
public record BackupConfig(
    @Nullable String target, int minutes, int keep, int rateMib, boolean accounts) {
  /** The rate of a backup that names no other: it leaves most of a disk to the server. */
  public static final int RATE_MIB = 32;

  /** The defaults: no scheduled backups. */
  public static final BackupConfig NONE = new BackupConfig(null, 0, 0, RATE_MIB, false);

  /** Returns whether there are scheduled backups. */
  public boolean isScheduled() {
    return target != null && minutes > 0;
  }

  public BackupConfig withTarget(String newTarget) {
    return new BackupConfig(newTarget, minutes, keep, rateMib, accounts);
  }

  public BackupConfig withMinutes(int newMinutes) {
    return new BackupConfig(target, newMinutes, keep, rateMib, accounts);
  }

  public BackupConfig withKeep(int newKeep) {
    return new BackupConfig(target, minutes, newKeep, rateMib, accounts);
  }

  public BackupConfig withRateMib(int newRateMib) {
    return new BackupConfig(target, minutes, keep, newRateMib, accounts);
  }

  public BackupConfig withAccounts(boolean included) {
    return new BackupConfig(target, minutes, keep, rateMib, included);
  }

  /** Omits the target, which may contain a secret. */
  @Override
  public String toString() {
    return "backup every " + minutes + " min";
  }
}
