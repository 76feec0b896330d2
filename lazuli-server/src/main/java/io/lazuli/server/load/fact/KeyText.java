package io.lazuli.server.load.fact;

/** Keys as they are kept for a while: long ones are cut, and stay different. */
final class KeyText {
  static final int LENGTH_MAX = 64;

  private KeyText() {}

  static String of(String key) {
    return key.length() <= LENGTH_MAX
        ? key
        : key.substring(0, LENGTH_MAX - 9) + "…" + Integer.toHexString(key.hashCode());
  }
}
