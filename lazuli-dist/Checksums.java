import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the file SHA256SUMS, in the format of {@code sha256sum --check}, for the archives and
 * the Debian package of a version in a folder.
 *
 * <p>Usage: {@code java Checksums.java FOLDER VERSION}
 */
public final class Checksums {
  private Checksums() {}

  public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
    Path folder = Path.of(args[0]);
    List<Path> archives;
    try (Stream<Path> files = Files.list(folder)) {
      archives = files.filter(file -> isArchive(file, args[1])).sorted().toList();
    }
    StringBuilder sums = new StringBuilder();
    for (Path archive : archives) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream content =
          new DigestInputStream(Files.newInputStream(archive), digest)) {
        content.transferTo(OutputStream.nullOutputStream());
      }
      sums.append(HexFormat.of().formatHex(digest.digest()))
          .append("  ")
          .append(archive.getFileName())
          .append('\n');
    }
    Files.writeString(folder.resolve("SHA256SUMS"), sums);
  }

  private static boolean isArchive(Path file, String version) {
    String name = file.getFileName().toString();
    return name.startsWith("lazuli-" + version) && name.matches(".*\\.(tar\\.gz|zip|tgz)")
        || name.equals("lazuli_" + version.replaceFirst("-", "~") + "_amd64.deb");
  }
}
