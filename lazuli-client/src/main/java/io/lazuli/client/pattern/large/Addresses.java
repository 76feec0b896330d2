package io.lazuli.client.pattern.large;

import com.azure.data.tables.models.TableEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The properties of an entity that name the blobs of its large values: instead of {@code Photo} it
 * has the property {@code LazuliBlob_Photo} with the name of the blob.
 */
final class Addresses {
  private static final String PREFIX = "LazuliBlob_";

  private Addresses() {}

  static String propertyOf(String name) {
    return PREFIX + name;
  }

  /**
   * Returns the blob of each large property. A property that was selected but does not exist is
   * null and left out.
   */
  static Map<String, String> of(TableEntity entity) {
    Map<String, String> addresses = new HashMap<>();
    entity
        .getProperties()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PREFIX) && value instanceof String address) {
                addresses.put(name.substring(PREFIX.length()), address);
              }
            });
    return addresses;
  }

  /** Returns the names that a query must select to get the values of the given properties. */
  static List<String> selecting(List<String> properties) {
    List<String> all = new ArrayList<>(properties);
    properties.forEach(name -> all.add(propertyOf(name)));
    return all;
  }

  /** Returns the entity with values instead of addresses. */
  static TableEntity filled(TableEntity stored, Map<String, LargeValue> values) {
    Map<String, Object> properties = new HashMap<>();
    stored
        .getProperties()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(PREFIX)) {
                properties.put(name, value);
              }
            });
    values.forEach((name, value) -> properties.put(name, value.property()));
    return new TableEntity(stored.getPartitionKey(), stored.getRowKey()).setProperties(properties);
  }
}
