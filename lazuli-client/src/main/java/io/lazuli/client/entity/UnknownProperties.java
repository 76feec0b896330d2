package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import java.util.Map;
import java.util.function.Predicate;

/** The properties of a stored entity that a codec does not know. */
final class UnknownProperties {
  private UnknownProperties() {}

  /**
   * Copies the unknown properties of a stored entity to the entity that replaces it, which it
   * returns.
   *
   * @param known whether the codec knows a property
   */
  static TableEntity carry(TableEntity stored, TableEntity next, Predicate<String> known) {
    Map<String, Object> properties = next.getProperties();
    stored
        .getProperties()
        .forEach(
            (name, value) -> {
              if (value != null && !properties.containsKey(name) && isUnknown(name, known)) {
                next.addProperty(name, value);
              }
            });
    return next;
  }

  private static boolean isUnknown(String name, Predicate<String> known) {
    return switch (name) {
      case "PartitionKey", "RowKey", "Timestamp" -> false;
      default -> !name.contains("odata.") && !known.test(name);
    };
  }
}
