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
  /** Returns the condition in the syntax of the service: {@code PartitionKey eq 'Sales'}. */
  String text();

  /** Returns a condition that is true if both are true. */
  default Filter and(Filter other) {
    return new Junction(this, Junction.Kind.AND, other);
  }

  /** Returns a condition that is true if at least one of the two is true. */
  default Filter or(Filter other) {
    return new Junction(this, Junction.Kind.OR, other);
  }

  /** Returns a condition that is true if the given one is false. */
  static Filter not(Filter condition) {
    return new Negation(condition);
  }

  /** Returns the partition key, to compare it with values. */
  static Property<String> partitionKey() {
    return new Property<>(Property.PARTITION_KEY, String.class, true);
  }

  /** Returns the row key, to compare it with values. */
  static Property<String> rowKey() {
    return new Property<>(Property.ROW_KEY, String.class, true);
  }

  /**
   * Returns a property by its name in the table, to compare it with values of any type. The type
   * matters: for an {@code Int64} property pass a {@code long}. A typed table refuses a query with
   * a property that its type does not have, see {@link Query#checkFor}.
   */
  static Property<Object> property(String name) {
    return new Property<>(name, Object.class, false);
  }

  /**
   * Returns the property of a member of a mapped type, by the member's name. Numbers are converted
   * to the member's type; values of other types are rejected.
   *
   * @throws IllegalArgumentException if the type has no such member, or the member cannot be
   *     compared
   */
  static Property<Object> property(EntityCodec<?> codec, String member) {
    return Property.of(codec, member);
  }

  /**
   * Returns the property of a member of a mapped type, by its accessor: {@code property(employees,
   * Employee::age).gt(30)}.
   *
   * @throws IllegalArgumentException if the accessor is not a method reference to a mapped member,
   *     or the member cannot be compared
   */
  static <T, V> Property<V> property(EntityCodec<T> codec, Accessor<T, V> accessor) {
    return Property.of(codec, accessor.member());
  }
}
