package io.lazuli.client.entity;

/**
 * A property of a mapped type. Immutable.
 *
 * @param name its name in the table
 * @param type the Java type of its values: the type of the member, boxed, without {@code Optional}
 * @param comparable whether a query can compare it; false for encrypted and JSON properties
 */
public record MappedProperty(String name, Class<?> type, boolean comparable) {}
