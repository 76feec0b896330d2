package io.lazuli.client.query;

import io.lazuli.client.entity.EntityCodec;

/**
 * A condition on entities. Values are quoted and typed here, so that no value can become part of
 * the condition. Immutable.
 *
 * <pre>{@code
 * partitionKey().eq("Sales").and(rowKey().ge("B")).and(rowKey().lt("C"))
 * }</pre>
 */
public sealed interface Filter permits Comparison, Junction, Negation {
  /** The condition as the service reads it: {@code PartitionKey eq 'Sales'}. */
  String text();

  /** True for what both are true for. */
  default Filter and(Filter other) {
    return new Junction(this, Junction.Kind.AND, other);
  }

  /** True for what one of them is true for. */
  default Filter or(Filter other) {
    return new Junction(this, Junction.Kind.OR, other);
  }

  /** True for what the condition is false for. */
  static Filter not(Filter condition) {
    return new Negation(condition);
  }

  /** The partition key, to be compared. */
  static Property<String> partitionKey() {
    return new Property<>(Property.PARTITION_KEY, String.class);
  }

  /** The row key, to be compared. */
  static Property<String> rowKey() {
    return new Property<>(Property.ROW_KEY, String.class);
  }

  /**
   * A property by its name in the table, to be compared with values of any type. The type counts:
   * on an {@code Int64} property use a {@code long}.
   */
  static Property<Object> property(String name) {
    return new Property<>(name, Object.class);
  }

  /**
   * The property of a member of a mapped type, by the member's name. Numbers become the member's
   * type; values of other types are refused.
   *
   * @throws IllegalArgumentException if the type has no such member, or it cannot be compared
   */
  static Property<Object> property(EntityCodec<?> codec, String member) {
    return Property.of(codec, member);
  }

  /**
   * The property of a member of a mapped type, by its accessor: {@code property(employees,
   * Employee::age).gt(30)}.
   *
   * @throws IllegalArgumentException if the accessor is not a method reference to a mapped member,
   *     or the member cannot be compared
   */
  static <T, V> Property<V> property(EntityCodec<T> codec, Accessor<T, V> accessor) {
    return Property.of(codec, accessor.member());
  }
}
