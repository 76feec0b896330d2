package io.lazuli.transfer.blob;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Gives each blob a path below a folder. Slashes separate folders. Everything that some file system
 * does not accept is written with percent signs, so that {@link #decode} finds the name of the
 * blob:
 *
 * <ul>
 *   <li>{@code %3A} and so on for bytes of characters that are not allowed, for the percent sign
 *       itself, for dots and spaces at an end, and for the first letter of names such as {@code
 *       con}; also for capital letters if the file system ignores case;
 *   <li>{@code %=} for an empty part of a name, as in {@code a//b};
 *   <li>{@code %_} at the end of a folder for a part that is too long and continues below it;
 *   <li>{@code %~} at the end of a folder that has the same name as a blob.
 * </ul>
 *
 * <p>Mutable: names come in the order of a listing, in which {@code a} comes before {@code a/b}.
 */
final class FileNames {
  private static final String FORBIDDEN = "<>:\"\\|?*%";
  private static final String EMPTY = "%=";
  private static final String CONTINUES = "%_";
  private static final String ALSO_BLOB = "%~";
  private static final int ELEMENT_BYTES_MAX = 200;
  private static final Set<String> DEVICES =
      Set.of(
          "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
          "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9");
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final boolean ignoresCase;

  /** The blobs whose names are a start of the latest name, the longest one last. */
  private final Deque<String> prefixes = new ArrayDeque<>();

  /**
   * @param prefixes the state of an earlier run
   */
  FileNames(boolean ignoresCase, List<String> prefixes) {
    this.ignoresCase = ignoresCase;
    this.prefixes.addAll(prefixes);
  }

  List<String> prefixes() {
    return List.copyOf(prefixes);
  }

  /** Returns the path for the next blob of the listing. */
  String path(String name) {
    while (!prefixes.isEmpty() && !name.startsWith(prefixes.getLast())) {
      prefixes.removeLast();
    }
    StringBuilder path = new StringBuilder();
    int start = 0;
    int slash = name.indexOf('/');
    while (slash >= 0) {
      path.append(element(name.substring(start, slash)));
      if (prefixes.contains(name.substring(0, slash))) {
        path.append(ALSO_BLOB);
      }
      path.append('/');
      start = slash + 1;
      slash = name.indexOf('/', start);
    }
    path.append(element(name.substring(start)));
    prefixes.addLast(name);
    return path.toString();
  }

  private String element(String part) {
    if (part.isEmpty()) {
      return EMPTY;
    }
    boolean device = DEVICES.contains(part.split("\\.", 2)[0].toLowerCase(Locale.ROOT));
    StringBuilder element = new StringBuilder();
    int bytes = 0;
    int c;
    for (int i = 0; i < part.length(); i += Character.charCount(c)) {
      c = part.codePointAt(i);
      boolean edge = i == 0 || i + Character.charCount(c) == part.length();
      String text = Character.toString(c);
      String shown =
          isForbidden(c) || (edge && (c == '.' || c == ' ')) || (i == 0 && device)
              ? encode(text)
              : text;
      int more = shown.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + more > ELEMENT_BYTES_MAX) {
        element.append(CONTINUES).append('/');
        bytes = 0;
      }
      element.append(shown);
      bytes += more;
    }
    return element.toString();
  }

  private boolean isForbidden(int c) {
    return c < 0x20
        || c == 0x7f
        || FORBIDDEN.indexOf(c) >= 0
        || (ignoresCase && Character.toLowerCase(c) != c);
  }

  private static String encode(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
    }
    return out.toString();
  }

  /** Returns the name of the blob that has a path. */
  static String decode(String path) {
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    byte[] bytes =
        path.replace(CONTINUES + "/", "")
            .replace(ALSO_BLOB + "/", "/")
            .replace(EMPTY, "")
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        name.write(16 * Character.digit(bytes[i + 1], 16) + Character.digit(bytes[i + 2], 16));
        i += 2;
      } else {
        name.write(bytes[i]);
      }
    }
    return name.toString(StandardCharsets.UTF_8);
  }
}
