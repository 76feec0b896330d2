package io.lazuli.server.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code head} of a chain, which is replaced again and again: it says how long nothing has
 * changed since the last segment, and which process writes the chain.
 *
 * @param writer a name of the process
 * @param segment the last segment
 * @param endTicks the time up to which nothing is missing
 */
record ArchiveHead(String writer, SegmentName segment, long endTicks) {
  static final String NAME = "head";

  private static final String FIRST_LINE = "lazuli archive head 1\n";
  private static final Pattern TEXT =
      Pattern.compile(
          "(lazuli archive head 1\nwriter ([0-9a-f-]{36})\nsegment ([0-9-]+)\nend (\\d{1,19})\n)"
              + "crc32c ([0-9a-f]{8})\n");
  private static final int BYTES_MAX = 1_000;

  byte[] encode() {
    String lines =
        FIRST_LINE
            + "writer "
            + writer
            + "\nsegment "
            + segment.text()
            + "\nend "
            + endTicks
            + "\n";
    return (lines + "crc32c " + checksum(lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String checksum(String lines) {
    CRC32C sum = new CRC32C();
    sum.update(lines.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(sum.getValue());
  }

  /** Reads the head of a chain; null if there is none, or it is damaged: it is not needed. */
  static @Nullable ArchiveHead find(BackupTarget target, String chain) throws IOException {
    try (InputStream in = target.openArchived(chain + "/" + NAME)) {
      Matcher found = TEXT.matcher(new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8));
      SegmentName segment = found.matches() ? SegmentName.parse(found.group(3)) : null;
      return segment == null || !checksum(found.group(1)).equals(found.group(5))
          ? null
          : new ArchiveHead(found.group(2), segment, Long.parseLong(found.group(4)));
    } catch (BackupException e) {
      return null;
    }
  }
}
