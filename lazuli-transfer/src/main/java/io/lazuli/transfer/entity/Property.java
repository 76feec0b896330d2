package io.lazuli.transfer.entity;

/**
 * A property of an entity. The value has the text that it has in the JSON of the protocol: digits,
 * {@code true}, a time, base64. A property without a value has the type {@link EdmType#NULL} and an
 * empty text.
 */
public record Property(String name, EdmType type, String text) {}
