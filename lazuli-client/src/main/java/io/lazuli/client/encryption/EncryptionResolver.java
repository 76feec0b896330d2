package io.lazuli.client.encryption;

import java.util.Set;

/**
 * Decides which properties of which entities are encrypted. Must always return the same result for
 * the same arguments. It is called for every property of every entity, except keys and system
 * properties.
 */
@FunctionalInterface
public interface EncryptionResolver {
  /**
   * Returns whether to encrypt this property of this entity; the property must then be a string.
   */
  boolean encrypts(String partitionKey, String rowKey, String property);

  /** Returns a resolver that encrypts the properties with these names in every entity. */
  static EncryptionResolver properties(Set<String> names) {
    Set<String> copy = Set.copyOf(names);
    return (partitionKey, rowKey, property) -> copy.contains(property);
  }

  /**
   * Returns a resolver that encrypts every property that this resolver or the other one encrypts.
   */
  default EncryptionResolver or(EncryptionResolver other) {
    return (partitionKey, rowKey, property) ->
        encrypts(partitionKey, rowKey, property) || other.encrypts(partitionKey, rowKey, property);
  }
}
