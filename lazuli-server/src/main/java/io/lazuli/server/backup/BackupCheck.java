package io.lazuli.server.backup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Checks the backups of a target, and removes old ones. In bounded memory for each object. */
public final class BackupCheck {
  private static final int PIECE_BYTES = 256 << 10;

  /** The archive of a running server waits while so many objects are removed. */
  private static final int DELETED_AT_ONCE_MAX = 50;

  private final BackupTarget target;

  /**
   * @param target locked
   */
  public BackupCheck(BackupTarget target) {
    this.target = target;
  }

  /**
   * Reads every object and every list.
   *
   * @param problems takes one line for each damaged or missing object
   * @return the number of problems
   */
  public long verify(Meter meter, Consumer<String> problems) throws IOException {
    long[] found = {0};
    Consumer<String> count =
        problem -> {
          found[0]++;
          problems.accept(problem);
        };
    target.forEachObject(
        (name, length) -> {
          if (!Sha256.name(digest(name, meter)).equals(name)) {
            count.accept("object " + name + " is damaged");
          }
        });
    long[] objects = names();
    for (String id : target.ids()) {
      verify(id, objects, count);
    }
    for (ArchiveRun run : ArchiveRun.all(target)) {
      verify(run, objects, meter, count);
    }
    return found[0];
  }

  private void verify(ArchiveRun run, long[] objects, Meter meter, Consumer<String> problems)
      throws IOException {
    String after = null;
    for (SegmentName name : run.segments()) {
      try {
        Segment segment = run.read(target, name, after);
        meter.moved(segment.head().bytes());
        after = segment.sha256();
        for (FileEntry chunk : segment.head().chunks()) {
          if (!contains(objects, chunk.sha256())) {
            problems.accept(
                "segment %s/%s: %s is missing".formatted(run.chain(), name.text(), chunk.name()));
          }
        }
      } catch (BackupException e) {
        problems.accept(String.valueOf(e.getMessage()));
        after = null;
      }
    }
  }

  private MessageDigest digest(String name, Meter meter) throws IOException {
    MessageDigest digest = Sha256.begin();
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = target.open(name)) {
      for (int bytes = in.read(piece); bytes >= 0; bytes = in.read(piece)) {
        digest.update(piece, 0, bytes);
        meter.moved(bytes);
      }
    }
    return digest;
  }

  private void verify(String id, long[] objects, Consumer<String> problems) throws IOException {
    try {
      BackupRecord record = target.record(id);
      long files = 0;
      try (ListReader list = ListReader.open(target, record)) {
        for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
          files++;
          if (!contains(objects, entry.sha256())) {
            problems.accept("backup " + id + ": " + entry.name() + " is missing");
          }
        }
      }
      if (files != record.files()) {
        problems.accept("backup " + id + " lists " + files + " files of " + record.files());
      }
    } catch (BackupException e) {
      problems.accept("backup " + id + ": " + e.getMessage());
    } catch (NoSuchFileException | FileNotFoundException e) {
      problems.accept("backup " + id + ": its list is missing");
    }
  }

  private long[] names() throws IOException {
    LongList found = new LongList();
    target.forEachObject((name, length) -> found.add(prefix(name)));
    return found.sorted();
  }

  /**
   * Removes all backups but the newest, the segments of archives before the oldest that stays, and
   * the objects that nothing refers to any more. A server may add to its archive at the same time.
   *
   * @param keep the number of backups that stay, at least 1
   * @return the ids of the removed backups
   */
  public List<String> prune(int keep) throws IOException {
    if (keep < 1) {
      throw new BackupException("at least one backup must stay");
    }
    List<String> ids = target.ids();
    List<String> removed = ids.subList(0, Math.max(0, ids.size() - keep));
    // All lists must be readable before anything is removed, or objects in use would be removed.
    List<String> kept = ids.subList(removed.size(), ids.size());
    long[] used = used(kept);
    ArchivePruning archives = ArchivePruning.plan(target, kept);
    for (String id : removed) {
      target.forget(id);
    }
    archives.removeSegments();
    List<String> garbage = new ArrayList<>();
    target.forEachObject(
        (name, length) -> {
          if (!contains(used, name)) {
            garbage.add(name);
            if (garbage.size() == DELETED_AT_ONCE_MAX) {
              archives.deleteUnused(garbage);
              garbage.clear();
            }
          }
        });
    archives.deleteUnused(garbage);
    return List.copyOf(removed);
  }

  private long[] used(List<String> ids) throws IOException {
    LongList used = new LongList();
    for (String id : ids) {
      BackupRecord record = target.record(id);
      used.add(prefix(record.list()));
      try (ListReader list = ListReader.open(target, record)) {
        for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
          used.add(prefix(entry.sha256()));
        }
      }
    }
    return used.sorted();
  }

  /**
   * Returns 64 bits of a name. Two names with the same bits only keep an object that could be
   * removed.
   */
  private static long prefix(String sha256) {
    return Long.parseUnsignedLong(sha256.substring(0, 16), 16);
  }

  private static boolean contains(long[] sorted, String sha256) {
    return Arrays.binarySearch(sorted, prefix(sha256)) >= 0;
  }

  /** A growing array: millions of objects take eight bytes each. */
  private static final class LongList {
    private long[] values = new long[1_024];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = value;
    }

    long[] sorted() {
      long[] result = Arrays.copyOf(values, size);
      Arrays.sort(result);
      return result;
    }
  }
}
