package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;

/**
 * An entity of a table in which other programs store types that this one does not know. See {@link
 * EntityCodec#orDynamic}. Immutable, except for the entity of a {@link Dynamic}.
 *
 * @param <T> the type of the known entities
 */
public sealed interface Found<T> {
  /**
   * An entity of a known type.
   *
   * @param value the value of the entity
   */
  record Typed<T>(T value) implements Found<T> {}

  /**
   * An entity of an unknown type.
   *
   * @param entity the entity as it is stored, decrypted if its table encrypts
   */
  record Dynamic<T>(TableEntity entity) implements Found<T> {}
}
