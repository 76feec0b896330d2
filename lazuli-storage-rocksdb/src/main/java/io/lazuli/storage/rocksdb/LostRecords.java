package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The file of the ranges and records that a repair of tables gives up: a JSON object per line.
 * Mutable, used by one thread.
 */
final class LostRecords implements Closeable {
  private static final HexFormat HEX = HexFormat.of();

  private final Path file;
  private final FileChannel channel;
  private final List<String> lines = new ArrayList<>();
  private long records;

  private LostRecords(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Makes the file in a folder. */
  static LostRecords open(Path folder) throws IOException {
    Path file = folder.resolve("records.jsonl");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    DataFolder.sync(folder);
    return new LostRecords(file, channel);
  }

  /** Adds a range of keys in which records are lost. */
  void addRange(Family family, byte[] from, byte[] to, String reason) {
    lines.add(
        "lost: records of the family %s from key %s to key %s"
            .formatted(family.title(), HEX.formatHex(from), HEX.formatHex(to)));
    write(
        "{\"lost\":\"range\",\"family\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"reason\":\"%s\"}"
            .formatted(
                family.title(),
                HEX.formatHex(from),
                HEX.formatHex(to),
                reason.replace("\\", "\\\\").replace("\"", "\\\"")));
  }

  /** Adds a record that may be out of date and is moved to the file. */
  void addRecord(Family family, byte[] key, byte[] stored) {
    records++;
    write(
        "{\"lost\":\"record\",\"family\":\"%s\",\"key\":\"%s\",\"stored\":\"%s\"}"
            .formatted(family.title(), HEX.formatHex(key), HEX.formatHex(stored)));
  }

  /** Makes all lines durable, before the records are deleted. */
  void sync() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Returns lines for an operator. */
  List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    if (records > 0) {
      all.add("%,d records may be out of date and were moved to %s".formatted(records, file));
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    channel.force(true);
    channel.close();
  }

  private void write(String line) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private StorageException failed(IOException e) {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, "cannot write " + file + ": " + e, e);
  }
}
