import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the changelog of the Debian package, which Debian's tools read, compressed as its policy
 * requires. It refers to the changelog for people.
 *
 * <p>Usage: {@code java DebianChangelog.java VERSION TIME MAINTAINER FILE}
 */
public final class DebianChangelog {
  private DebianChangelog() {}

  public static void main(String[] args) throws IOException {
    String text =
        """
        lazuli (%s) unstable; urgency=medium

          * /usr/share/doc/lazuli/CHANGELOG.md lists the changes.

         -- %s  %s
        """
            .formatted(
                // The first character makes a snapshot, or a candidate, older than the release.
                args[0].replaceFirst("-", "~"),
                args[2],
                DateTimeFormatter.RFC_1123_DATE_TIME
                    .format(OffsetDateTime.parse(args[1]))
                    .replace("GMT", "+0000"));
    Path file = Path.of(args[3]);
    Files.createDirectories(file.getParent());
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
