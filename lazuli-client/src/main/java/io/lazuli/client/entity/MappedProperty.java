package io.lazuli.client.entity;

/**
 * A property that a mapped type has. Immutable.
 *
 * @param name its name in the table
 * @param type the Java type of its values: that of the member, boxed, without {@code Optional}
 * @param comparable whether a query can compare it: what is encrypted or JSON it cannot
 */
public record MappedProperty(String name, Class<?> type, boolean comparable) {}
