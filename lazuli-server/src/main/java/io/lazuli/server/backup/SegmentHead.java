package io.lazuli.server.backup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The text at the beginning of a segment, with a checksum of its own, so that the chunks of a
 * segment can be listed without reading its changes (docs/backup.md).
 *
 * @param after the SHA-256 of the segment before; {@code -} for the first of a chain
 * @param format the data format of the store
 * @param changes the number of changes
 * @param place the checksum of the last change up to here, with which the archive goes on
 * @param bytes the length of the changes
 * @param chunks the files of the chunks that the changes complete
 */
record SegmentHead(
    String store,
    String chain,
    String after,
    int format,
    SegmentName name,
    long changes,
    long place,
    long bytes,
    List<FileEntry> chunks) {
  static final String NONE = "-";

  private static final String FIRST_LINE = "lazuli archive segment 1";
  private static final String CHECKSUM = "crc32c ";
  private static final int LINE_BYTES_MAX = 1_000;

  byte[] encode() {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    text.append("store ").append(store).append('\n');
    text.append("chain ").append(chain).append('\n');
    text.append("after ").append(after).append('\n');
    text.append("format ").append(format).append('\n');
    text.append("name ").append(name.text()).append('\n');
    text.append("changes ").append(changes).append('\n');
    text.append("place ").append(place).append('\n');
    text.append("bytes ").append(bytes).append('\n');
    for (FileEntry chunk : chunks) {
      text.append("chunk ").append(chunk.line()).append('\n');
    }
    byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
    CRC32C sum = new CRC32C();
    sum.update(lines);
    text.append(CHECKSUM).append("%08x".formatted(sum.getValue())).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a head, and leaves the stream at the first change.
   *
   * @throws BackupException if it is damaged or of a later format
   */
  static SegmentHead read(InputStream in) throws IOException {
    CRC32C sum = new CRC32C();
    Map<String, String> fields = new HashMap<>();
    List<FileEntry> chunks = new ArrayList<>();
    String line = line(in, sum);
    if (!line.equals(FIRST_LINE)) {
      throw new BackupException("it is not a segment that this version reads");
    }
    long before = sum.getValue();
    for (line = line(in, sum); !line.startsWith(CHECKSUM); line = line(in, sum)) {
      int space = line.indexOf(' ');
      if (space < 0) {
        throw new BackupException("its head is damaged");
      }
      String value = line.substring(space + 1);
      if (line.startsWith("chunk ")) {
        chunks.add(FileEntry.parse(value));
      } else {
        fields.put(line.substring(0, space), value);
      }
      before = sum.getValue();
    }
    if (!line.equals(CHECKSUM + "%08x".formatted(before))) {
      throw new BackupException("its head is damaged");
    }
    SegmentName name = SegmentName.parse(fields.getOrDefault("name", ""));
    if (name == null) {
      throw new BackupException("its head is damaged");
    }
    return new SegmentHead(
        fields.getOrDefault("store", ""),
        fields.getOrDefault("chain", ""),
        fields.getOrDefault("after", ""),
        (int) number(fields, "format"),
        name,
        number(fields, "changes"),
        number(fields, "place"),
        number(fields, "bytes"),
        List.copyOf(chunks));
  }

  private static long number(Map<String, String> fields, String name) {
    try {
      return Long.parseLong(fields.getOrDefault(name, ""));
    } catch (NumberFormatException e) {
      throw new BackupException("its head is damaged", e);
    }
  }

  private static String line(InputStream in, CRC32C sum) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.size() == LINE_BYTES_MAX) {
        throw new BackupException("its head is damaged");
      }
      sum.update(next);
      line.write(next);
    }
    sum.update('\n');
    return line.toString(StandardCharsets.UTF_8);
  }
}
