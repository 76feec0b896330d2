package io.lazuli.server.scrub;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How far a walk has come. A walk that begins there continues the earlier one.
 *
 * @param phase what is being read
 * @param file the last file that was read
 * @param name the position of the current name in the catalogue
 * @param record the position in the space of that name
 * @param chunk the number of the last chunk that was read; 0 for none
 */
record WalkPosition(Phase phase, String file, Position name, Position record, long chunk) {
  static final WalkPosition START =
      new WalkPosition(Phase.FILES, "", Position.START, Position.START, 0);

  /** The parts of a walk, in their order. */
  enum Phase {
    FILES,
    SPACES,
    STRAYS,
    CHUNKS,
    DONE
  }

  /** Returns the position as text without spaces in its parts. */
  String text() {
    return String.join(
        " ",
        phase.name(),
        "f" + HexFormat.of().formatHex(file.getBytes(StandardCharsets.UTF_8)),
        "n" + hex(name.partition()),
        hex(name.row()) + "n",
        "r" + hex(record.partition()),
        hex(record.row()) + "r",
        Long.toHexString(chunk));
  }

  /** Parses a text; returns the start if it is not a position of this version. */
  static WalkPosition parse(String text) {
    try {
      String[] parts = text.split(" ", -1);
      HexFormat hex = HexFormat.of();
      return new WalkPosition(
          Phase.valueOf(parts[0]),
          new String(hex.parseHex(parts[1].substring(1)), StandardCharsets.UTF_8),
          new Position(
              Bytes.of(hex.parseHex(parts[2].substring(1))),
              Bytes.of(hex.parseHex(parts[3].substring(0, parts[3].length() - 1)))),
          new Position(
              Bytes.of(hex.parseHex(parts[4].substring(1))),
              Bytes.of(hex.parseHex(parts[5].substring(0, parts[5].length() - 1)))),
          HexFormat.fromHexDigitsToLong(parts[6]));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return START;
    }
  }

  private static String hex(Bytes bytes) {
    return HexFormat.of().formatHex(bytes.array());
  }
}
