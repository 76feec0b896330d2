package io.lazuli.client.pattern.large;

import com.azure.data.tables.models.TableEntity;
import java.util.HashMap;
import java.util.Map;

/**
 * A value in its stored form: the entity with addresses, and the blobs to upload before the entity
 * is written. Immutable.
 *
 * @param entity the entity to write to the table
 * @param fresh the values of the blobs that the entity needs and that do not exist yet, by address
 */
record Split(TableEntity entity, Map<String, LargeValue> fresh) {
  private static final long VALUE_BYTES_MAX = 256L << 20;

  /**
   * Splits an entity.
   *
   * @param whole the entity with all values
   * @param known the large values that the stored entity already has
   */
  static Split of(TableEntity whole, StoredValues known, ValueBlobs blobs, int inlineBytesMax) {
    Map<String, Object> properties = new HashMap<>(whole.getProperties());
    Map<String, LargeValue> fresh = new HashMap<>();
    whole
        .getProperties()
        .forEach(
            (name, property) ->
                LargeValue.of(property)
                    .filter(value -> !isKey(name) && value.bytesInEntity() > inlineBytesMax)
                    .ifPresent(
                        value -> {
                          String address = known.address(name, value);
                          if (address == null) {
                            address = blobs.freshAddress(whole, checked(name, value));
                            fresh.put(address, value);
                          }
                          properties.remove(name);
                          properties.put(Addresses.propertyOf(name), address);
                        }));
    TableEntity entity =
        new TableEntity(whole.getPartitionKey(), whole.getRowKey()).setProperties(properties);
    return new Split(entity, Map.copyOf(fresh));
  }

  private static boolean isKey(String name) {
    return name.equals("PartitionKey") || name.equals("RowKey");
  }

  private static LargeValue checked(String name, LargeValue value) {
    if (value.bytesInEntity() > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("the value of " + name + " has more than 256 MiB");
    }
    return value;
  }

  /**
   * Returns whether a stored entity names one of the new blobs. Then it is the entity of this
   * object, or a later version of it.
   */
  boolean isIn(TableEntity stored) {
    return fresh.keySet().stream().anyMatch(Addresses.of(stored).values()::contains);
  }
}
