package io.lazuli.server.catalog;

import java.util.HexFormat;

/**
 * A soft-deleted name with everything that the catalogue stored for it.
 *
 * @param deletedTicks the time of the deletion, which distinguishes several deletions of one name
 * @param endTicks the time from which the name cannot be restored
 */
public record DeletedName(CatalogRow row, long deletedTicks, long endTicks) {
  /** Sorts below every character of a name, so keys are in the order of names and times. */
  private static final char SEPARATOR = '!';

  private static final int VERSION_DIGITS = 2 * Long.BYTES;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** Returns the version, which clients name to restore this one: 16 hexadecimal digits. */
  public String version() {
    return HEX.toHexDigits(deletedTicks);
  }

  /** Returns the position of this deletion among all names, deleted or not. */
  public String key() {
    return key(row.name(), version());
  }

  static String key(String name, String version) {
    return name + SEPARATOR + version;
  }

  /** Returns the time of the deletion in a key. */
  static long ticks(String key) {
    return HexFormat.fromHexDigitsToLong(key, key.length() - VERSION_DIGITS, key.length());
  }
}
