package io.lazuli.client.pattern.large;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in the blobs of an entity that was read, so that values that stay need not be uploaded
 * again. Immutable.
 */
record Kept(Map<String, String> addresses, Map<String, LargeValue> values) {
  static final Kept NOTHING = new Kept(Map.of(), Map.of());

  /** The blob of this property if it has this value already; else null. */
  @Nullable String address(String name, LargeValue value) {
    return value.equals(values.get(name)) ? addresses.get(name) : null;
  }
}
