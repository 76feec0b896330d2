package io.lazuli.client.pattern.large;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The large values of an entity that was read, and their blobs. With them, a write does not upload
 * unchanged values again. Immutable.
 */
record StoredValues(Map<String, String> addresses, Map<String, LargeValue> values) {
  static final StoredValues NONE = new StoredValues(Map.of(), Map.of());

  /** Returns the blob of this property if the property already has this value, otherwise null. */
  @Nullable String address(String name, LargeValue value) {
    return value.equals(values.get(name)) ? addresses.get(name) : null;
  }
}
