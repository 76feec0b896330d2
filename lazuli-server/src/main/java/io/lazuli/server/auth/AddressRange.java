package io.lazuli.server.auth;

import org.jspecify.annotations.Nullable;

/**
 * The client addresses that a signature allows: {@code a} or {@code a-b}, inclusive. Signatures
 * support IPv4 only.
 */
record AddressRange(long first, long last) {
  /** Parses an address or a range; returns null if the text is neither. */
  static @Nullable AddressRange parse(String text) {
    int dash = text.indexOf('-');
    long first = address(dash < 0 ? text : text.substring(0, dash));
    long last = dash < 0 ? first : address(text.substring(dash + 1));
    return first < 0 || last < 0 ? null : new AddressRange(first, last);
  }

  boolean contains(String peer) {
    long address = address(peer);
    return address >= first && address <= last;
  }

  /** Returns an IPv4 address as a number; -1 if the text is not an IPv4 address. */
  private static long address(String text) {
    String[] parts = text.split("\\.", -1);
    long address = parts.length == 4 ? 0 : -1;
    for (int i = 0; i < parts.length && address >= 0; i++) {
      boolean digits = !parts[i].isEmpty() && parts[i].length() <= 3;
      digits &= parts[i].chars().allMatch(c -> c >= '0' && c <= '9');
      int part = digits ? Integer.parseInt(parts[i]) : 256;
      address = part > 255 ? -1 : address << 8 | part;
    }
    return address;
  }
}
