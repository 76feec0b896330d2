package io.lazuli.transfer.table;

import org.jspecify.annotations.Nullable;

/**
 * Finds a key in the middle of a range of keys about which nothing is known but its start and
 * perhaps its end. The service answers which key is the first at or after a text.
 *
 * <p>First it finds out roughly how far the keys reach: which prefix all of them share with the
 * start, and how large the character after it becomes. Each step is one probe. Then it asks for the
 * middle of the two texts. The result need not be balanced, because a range whose part was too
 * small is split again.
 */
final class MiddleKey {
  private static final int PROBES_MAX = 64;
  private static final int MIDDLE_TRIES_MAX = 8;

  /** Most keys are ASCII. */
  private static final int USUAL_MIN = 0x20;

  private static final int USUAL_MAX = 0x7f;

  private final Probe probe;
  private int probes;

  /** Answers which key of the range is the first at or after a text, or null. */
  @FunctionalInterface
  interface Probe {
    @Nullable String firstFrom(String text);
  }

  MiddleKey(Probe probe) {
    this.probe = probe;
  }

  /**
   * Returns a key of the range that is not the first one, or null if none was found.
   *
   * @param low a text before all keys of the range
   * @param high a text after all keys of the range, or null if none is known
   */
  @Nullable String find(String low, @Nullable String high) {
    String end = high == null ? end(low) : high;
    for (int i = 0; i < MIDDLE_TRIES_MAX; i++) {
      String middle = middle(low, end);
      if (middle == null) {
        return null;
      }
      String found = firstFrom(middle);
      if (found != null) {
        return found;
      }
      end = middle;
    }
    return null;
  }

  /** Returns a text after all keys, as close to them as a few probes allow. */
  private String end(String low) {
    String reached = low;
    for (int place = 0; place < reached.length(); place++) {
      String next = successor(reached, place, 1);
      String found = next == null ? null : firstFrom(next);
      if (found != null) {
        return widest(found, place);
      }
    }
    // All keys start with the lower bound.
    return reached + (char) USUAL_MAX;
  }

  /** The keys differ at this place: doubles the step until there are no keys. */
  private String widest(String first, int place) {
    String reached = first;
    for (int step = 1; probes < PROBES_MAX; step *= 2) {
      String next = place < reached.length() ? successor(reached, place, step) : null;
      String found = next == null ? null : firstFrom(next);
      if (found == null) {
        return next == null ? reached.substring(0, place) + '\uffff' : next;
      }
      reached = found;
    }
    return reached.substring(0, place) + '\uffff';
  }

  /** Returns the prefix up to a place, with a later character there; null if there is none. */
  private static @Nullable String successor(String text, int place, int step) {
    int next = text.charAt(place) + step;
    if (Character.isSurrogate(text.charAt(place)) || next > 0xffff) {
      return null;
    }
    // A key with one half of a pair could not be sent.
    int usable = next >= Character.MIN_SURROGATE && next <= Character.MAX_SURROGATE ? 0xe000 : next;
    return text.substring(0, place) + (char) usable;
  }

  /** Returns a text between two others, or null if no simple one is found. */
  static @Nullable String middle(String low, String high) {
    int place = 0;
    while (place < low.length()
        && place < high.length()
        && low.charAt(place) == high.charAt(place)) {
      place++;
    }
    int from = place < low.length() ? low.charAt(place) : 0;
    int to = place < high.length() ? high.charAt(place) : from;
    String prefix = low.substring(0, place);
    if (from < USUAL_MIN && to > USUAL_MIN + 1) {
      from = USUAL_MIN;
    }
    int middle = (from + to) / 2;
    if (middle > from && middle < to) {
      return isHalfOfPair(middle) ? null : prefix + (char) middle;
    }
    if (place >= low.length() || isHalfOfPair(from)) {
      return null;
    }
    // Adjacent characters: the middle is between the rest of the lower text and the largest rest.
    int next = place + 1 < low.length() ? low.charAt(place + 1) : USUAL_MIN;
    int deeper = next < USUAL_MAX - 1 ? (next + USUAL_MAX) / 2 : next + 1;
    return isHalfOfPair(next) || isHalfOfPair(deeper)
        ? null
        : low.substring(0, place + 1) + (char) deeper;
  }

  private static boolean isHalfOfPair(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private @Nullable String firstFrom(String text) {
    probes++;
    return probes > PROBES_MAX + MIDDLE_TRIES_MAX ? null : probe.firstFrom(text);
  }
}
