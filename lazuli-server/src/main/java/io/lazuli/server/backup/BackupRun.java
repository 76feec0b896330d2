package io.lazuli.server.backup;

import io.lazuli.storage.StoreCut;
import io.lazuli.storage.Ticks;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one backup: copies the files of a cut that the newest backup of the same store does not
 * have, then their list, then the record, which makes the backup complete. Belongs to one thread.
 */
final class BackupRun {
  static final String ACCOUNTS = "accounts";

  private static final Logger LOG = LoggerFactory.getLogger(BackupRun.class);
  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final BackupTarget target;
  private final StoreCut cut;
  private final byte @Nullable [] accounts;
  private final Meter meter;
  private long files;
  private long bytes;
  private long missing;

  /**
   * @param target locked
   * @param accounts the accounts file; null to leave it out
   */
  BackupRun(BackupTarget target, StoreCut cut, byte @Nullable [] accounts, Meter meter) {
    this.target = target;
    this.cut = cut;
    this.accounts = accounts;
    this.meter = meter;
  }

  /**
   * Makes the backup.
   *
   * @param server the version of the server
   * @throws BackupException if it cannot be made; the target has no new backup then
   */
  BackupRecord run(String server) throws IOException {
    BackupRecord earlier = newestOfSameStore();
    meter.expect(bytesToCopy(earlier));
    Path list = Files.createTempFile("lazuli-backup", ".list");
    try {
      copyAll(earlier, list);
      long length = Files.size(list);
      String name = target.put(() -> FileChannel.open(list), length, meter);
      Instant time = Ticks.toInstant(cut.ticks());
      BackupRecord record =
          new BackupRecord(
              freeId(time),
              time,
              cut.engine(),
              cut.endTicks(),
              cut.sequence(),
              cut.store(),
              server,
              accounts != null,
              files,
              bytes,
              meter.addedBytes(),
              missing,
              name);
      target.commit(record);
      return record;
    } finally {
      Files.deleteIfExists(list);
    }
  }

  private @Nullable BackupRecord newestOfSameStore() throws IOException {
    List<String> ids = target.ids();
    for (int i = ids.size() - 1; i >= 0; i--) {
      try {
        BackupRecord record = target.record(ids.get(i));
        if (record.store().equals(cut.store()) && isReadable(record)) {
          return record;
        }
      } catch (BackupException e) {
        LOG.warn("backup {} is not used: {}", ids.get(i), e.getMessage());
      }
    }
    return null;
  }

  private boolean isReadable(BackupRecord record) throws IOException {
    try {
      ListReader.open(target, record).close();
      return true;
    } catch (NoSuchFileException e) {
      throw new BackupException("its list is missing", e);
    }
  }

  private String freeId(Instant time) throws IOException {
    List<String> taken = target.ids();
    Instant free = time;
    while (taken.contains(id(free))) {
      free = free.plusMillis(1);
    }
    return id(free);
  }

  /** Returns a name that sorts by time. */
  static String id(Instant time) {
    return ID.format(time);
  }

  private long bytesToCopy(@Nullable BackupRecord earlier) throws IOException {
    long[] sum = {accounts == null ? 0 : accounts.length};
    try (ListReader list = earlier == null ? null : ListReader.open(target, earlier)) {
      long others = cut.preview(file -> sum[0] += find(list, file) == null ? file.length() : 0);
      sum[0] += others;
    }
    return sum[0];
  }

  private void copyAll(@Nullable BackupRecord earlier, Path to) throws IOException {
    try (ListReader list = earlier == null ? null : ListReader.open(target, earlier);
        BufferedWriter out = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
      if (accounts != null) {
        write(copyAccounts(accounts), out);
      }
      cut.forEach(
          file -> {
            FileEntry known = find(list, file);
            FileEntry entry = known == null ? copy(file) : known;
            if (entry != null) {
              write(entry, out);
            }
          });
    }
  }

  private @Nullable FileEntry find(@Nullable ListReader list, StoreCut.File file)
      throws IOException {
    FileEntry entry = list == null ? null : list.find(file.name());
    return entry != null && entry.isSameAs(file) && target.stillHas(entry.sha256(), entry.length())
        ? entry
        : null;
  }

  /** Copies a file; returns null if the store has lost it, because the rest can still be saved. */
  private @Nullable FileEntry copy(StoreCut.File file) throws IOException {
    try {
      cut.open(file).close();
      return FileEntry.of(file, target.put(() -> cut.open(file), file.length(), meter));
    } catch (NoSuchFileException e) {
      if (!isLost(file, e)) {
        throw e;
      }
      missing++;
      LOG.warn("{} is missing in the store and in the backup", file.name());
      return null;
    }
  }

  /** Returns whether a file of the cut is missing, and not one of the target. */
  private boolean isLost(StoreCut.File file, NoSuchFileException e) {
    if (file.name().equals(e.getFile())) {
      return true;
    }
    try {
      cut.open(file).close();
      return false;
    } catch (IOException again) {
      return again instanceof NoSuchFileException;
    }
  }

  private FileEntry copyAccounts(byte[] content) throws IOException {
    String name =
        target.put(
            () -> Channels.newChannel(new ByteArrayInputStream(content)), content.length, meter);
    return new FileEntry(name, content.length, 0, false, ACCOUNTS);
  }

  private void write(FileEntry entry, BufferedWriter out) throws IOException {
    out.write(entry.line());
    out.write('\n');
    files++;
    bytes += entry.length();
  }
}
