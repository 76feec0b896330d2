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
 * @param archive whether the changes between backups are archived
 * @param archiveDiskMib the most MiB of changes that wait for the archive in the data folder
 */
public record BackupConfig(
    @Nullable String target,
    int minutes,
    int keep,
    int rateMib,
    boolean accounts,
    boolean archive,
    int archiveDiskMib) {
  /** The rate of a backup that names no other: it leaves most of a disk to the server. */
  public static final int RATE_MIB = 32;

  /** Room for a target that is away for a while. */
  public static final int ARCHIVE_DISK_MIB = 4_096;

  /** The defaults: no scheduled backups. */
  public static final BackupConfig NONE =
      new BackupConfig(null, 0, 0, RATE_MIB, false, false, ARCHIVE_DISK_MIB);

  /** Returns whether there are scheduled backups. */
  public boolean isScheduled() {
    return target != null && minutes > 0;
  }

  public BackupConfig withTarget(String newTarget) {
    return new BackupConfig(newTarget, minutes, keep, rateMib, accounts, archive, archiveDiskMib);
  }

  public BackupConfig withMinutes(int newMinutes) {
    return new BackupConfig(target, newMinutes, keep, rateMib, accounts, archive, archiveDiskMib);
  }

  public BackupConfig withKeep(int newKeep) {
    return new BackupConfig(target, minutes, newKeep, rateMib, accounts, archive, archiveDiskMib);
  }

  public BackupConfig withRateMib(int newRateMib) {
    return new BackupConfig(target, minutes, keep, newRateMib, accounts, archive, archiveDiskMib);
  }

  public BackupConfig withAccounts(boolean included) {
    return new BackupConfig(target, minutes, keep, rateMib, included, archive, archiveDiskMib);
  }

  public BackupConfig withArchive(boolean on) {
    return new BackupConfig(target, minutes, keep, rateMib, accounts, on, archiveDiskMib);
  }

  public BackupConfig withArchiveDiskMib(int mib) {
    return new BackupConfig(target, minutes, keep, rateMib, accounts, archive, mib);
  }

  /** Returns the disk space for changes that wait for the archive; 0 if there is none. */
  public long keptLogBytesMax() {
    return archive ? Math.max(1L, archiveDiskMib) << 20 : 0;
  }

  /** Omits the target, which may contain a secret. */
  @Override
  public String toString() {
    return "backup every " + minutes + " min";
  }
}
