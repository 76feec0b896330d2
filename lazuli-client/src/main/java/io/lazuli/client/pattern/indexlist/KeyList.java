package io.lazuli.client.pattern.indexlist;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys in the order in which they were added, without duplicates. As bytes, each key is UTF-8 and
 * ends with a line feed, which no key may contain. Immutable.
 */
record KeyList(Set<String> keys) {
  static final KeyList EMPTY = new KeyList(Set.of());

  private static final char END = '\n';

  KeyList {
    keys = Collections.unmodifiableSet(new LinkedHashSet<>(keys));
  }

  static KeyList parse(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    Set<String> keys = new LinkedHashSet<>();
    for (int from = 0, end; (end = text.indexOf(END, from)) >= 0; from = end + 1) {
      keys.add(text.substring(from, end));
    }
    return new KeyList(keys);
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String key : keys) {
      bytes.writeBytes(key.getBytes(StandardCharsets.UTF_8));
      bytes.write(END);
    }
    return bytes.toByteArray();
  }

  /** Returns the list with the key at its end, or this list if it has the key. */
  KeyList with(String key) {
    return changed(key, true);
  }

  /** Returns the list without the key, or this list if it does not have the key. */
  KeyList without(String key) {
    return changed(key, false);
  }

  KeyList changed(String key, boolean present) {
    if (keys.contains(key) == present) {
      return this;
    }
    Set<String> next = new LinkedHashSet<>(keys);
    if (present) {
      next.add(key);
    } else {
      next.remove(key);
    }
    return new KeyList(next);
  }

  List<String> inOrder() {
    return List.copyOf(keys);
  }
}
