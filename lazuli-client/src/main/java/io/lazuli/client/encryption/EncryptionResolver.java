package io.lazuli.client.encryption;

import java.util.Set;

/**
 * Says which properties of which entities are encrypted. Must always give the same answer to the
 * same question; asked for every property of every entity, keys and system properties excepted.
 */
@FunctionalInterface
public interface EncryptionResolver {
  /** Whether this property of this entity is to be encrypted; it must then be a string. */
  boolean encrypts(String partitionKey, String rowKey, String property);

  /** Encrypts the properties of these names in every entity. */
  static EncryptionResolver properties(Set<String> names) {
    Set<String> copy = Set.copyOf(names);
    return (partitionKey, rowKey, property) -> copy.contains(property);
  }

  /** Encrypts what this resolver or the other one encrypts. */
  default EncryptionResolver or(EncryptionResolver other) {
    return (partitionKey, rowKey, property) ->
        encrypts(partitionKey, rowKey, property) || other.encrypts(partitionKey, rowKey, property);
  }
}
