package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredDamage;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * RocksDB's table files, one by one: checks all checksums of a file, and finds the key at which
 * reading can go on after a damaged block.
 *
 * <h2>How the end of a damaged block is found</h2>
 *
 * RocksDB has no call that shows the index of a table. But a seek to a key reads the one block that
 * can hold the key, and the message of a failed seek names the offset of the block. Blocks are in
 * the order of their keys. So "the seek fails at this offset or an earlier one" is true for all
 * keys up to the end of the damaged block and false for all keys after it, and bisection finds the
 * first key of the next block.
 */
final class TableFiles {
  /** Longer than any key: two texts of 1,024 characters, escaped, and a space. */
  private static final int KEY_BYTES_MAX = 8 << 10;

  /** What follows each block in a file: its compression and its checksum. */
  private static final int BLOCK_TRAILER_BYTES = 5;

  private static final Pattern BLOCK =
      Pattern.compile("in (\\S.*\\.sst) offset (\\d+) size (\\d+)");
  private static final Pattern FILE = Pattern.compile("in (\\S.*\\.sst)");

  private final NativeStore store;

  TableFiles(NativeStore store) {
    this.store = store;
  }

  /** Returns the table files that the database needs now, by name. */
  Map<String, LiveFileMetaData> live() {
    Map<String, LiveFileMetaData> files = new TreeMap<>();
    for (LiveFileMetaData file : store.db().getLiveFilesMetaData()) {
      files.put(name(file.fileName()), file);
    }
    return files;
  }

  /** Reads a whole file and compares it with its checksums. Returns its first damage. */
  static Optional<StoredDamage> damage(Path file, long size) {
    try {
      if (!Files.exists(file)) {
        return Optional.of(new StoredDamage(file, 0, "the file is missing"));
      }
      if (Files.size(file) != size) {
        String problem = "the file has %d bytes instead of %d".formatted(Files.size(file), size);
        return Optional.of(new StoredDamage(file, 0, problem));
      }
      try (Options options = new Options();
          SstFileReader reader = new SstFileReader(options)) {
        reader.open(file.toString());
        reader.verifyChecksum();
      }
      return Optional.empty();
    } catch (RocksDBException e) {
      return Optional.of(new StoredDamage(file, offset(e), String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return Optional.of(new StoredDamage(file, 0, "the file cannot be read: " + e));
    }
  }

  /** Returns the offset of the damaged block that a failure names; 0 if it names none. */
  private static long offset(RocksDBException failure) {
    Damage damage = Damage.in(failure.getMessage());
    return damage == null ? 0 : Math.max(0, damage.offset());
  }

  /**
   * Returns the first key after the damage that a failed read has met, as far as one file is
   * concerned; null if nothing between the two keys can be read.
   *
   * @param from the read failed at this key or after it
   * @param to the end of the keys that matter
   */
  byte @Nullable [] endOfDamage(StorageException failure, byte[] from, byte[] to) {
    Damage damage = Damage.in(failure);
    LiveFileMetaData file = damage == null ? null : live().get(damage.file());
    if (damage == null || file == null) {
      return null;
    }
    byte[] afterFile = min(successor(file.largestKey()), to);
    byte[] end = null;
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(Path.of(file.path(), damage.file()).toString());
      end = endOfBlock(reader, damage, from, afterFile);
    } catch (RocksDBException e) {
      // The file cannot be opened. If it is on level 0, no iterator works; otherwise those that
      // begin after the file do.
      end = file.level() == 0 ? null : afterFile;
    }
    return end == null || Arrays.compareUnsigned(end, to) >= 0 ? null : end;
  }

  private static byte[] endOfBlock(
      SstFileReader reader, Damage damage, byte[] from, byte[] afterFile) throws RocksDBException {
    try (ReadOptions options = new ReadOptions().setFillCache(false);
        SstFileReaderIterator iterator = reader.newIterator(options)) {
      iterator.seekToLast();
      Damage last = failureOf(iterator);
      if (last != null && last.offset() <= damage.offset()) {
        return afterFile;
      }
      BigInteger bad = number(from);
      BigInteger good = number(afterFile);
      while (good.subtract(bad).compareTo(BigInteger.ONE) > 0) {
        BigInteger middle = bad.add(good).shiftRight(1);
        iterator.seek(bytes(middle));
        Damage met = failureOf(iterator);
        if (met != null && met.offset() <= damage.offset()) {
          bad = middle;
        } else if (met != null && met.offset() == damage.end()) {
          return bytes(middle); // The next block is damaged too.
        } else {
          good = middle;
          if (iterator.isValid()) {
            byte[] key = iterator.key();
            iterator.prev();
            Damage before = failureOf(iterator);
            if (before != null && before.offset() == damage.offset()) {
              return key;
            }
          }
        }
      }
      return bytes(good);
    }
  }

  private static @Nullable Damage failureOf(SstFileReaderIterator iterator)
      throws RocksDBException {
    try {
      iterator.status();
      return null;
    } catch (RocksDBException e) {
      Damage damage = Damage.in(e.getMessage());
      if (damage == null || damage.offset() < 0) {
        throw e;
      }
      return damage;
    }
  }

  /**
   * The damaged place that a message of RocksDB names.
   *
   * @param offset of the block; -1 if the message names a file alone
   */
  private record Damage(String file, long offset, long size) {
    static @Nullable Damage in(StorageException failure) {
      return failure.getCause() instanceof RocksDBException cause ? in(cause.getMessage()) : null;
    }

    static @Nullable Damage in(@Nullable String message) {
      String text = "" + message;
      Matcher block = BLOCK.matcher(text);
      if (block.find()) {
        long offset = Long.parseLong(block.group(2));
        return new Damage(name(block.group(1)), offset, Long.parseLong(block.group(3)));
      }
      Matcher file = FILE.matcher(text);
      return file.find() ? new Damage(name(file.group(1)), -1, 0) : null;
    }

    long end() {
      return offset + size + BLOCK_TRAILER_BYTES;
    }
  }

  /** Returns the last part of a path, which RocksDB begins with a slash. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private static byte[] min(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) <= 0 ? a : b;
  }

  private static BigInteger number(byte[] key) {
    return new BigInteger(1, Arrays.copyOf(key, KEY_BYTES_MAX));
  }

  /** Returns the shortest key that the number stands for. */
  private static byte[] bytes(BigInteger number) {
    byte[] all = number.toByteArray();
    byte[] key = new byte[KEY_BYTES_MAX];
    int count = Math.min(all.length, KEY_BYTES_MAX);
    System.arraycopy(all, all.length - count, key, KEY_BYTES_MAX - count, count);
    int length = KEY_BYTES_MAX;
    while (length > 0 && key[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(key, length);
  }
}
