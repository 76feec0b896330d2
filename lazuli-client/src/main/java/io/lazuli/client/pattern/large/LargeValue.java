package io.lazuli.client.pattern.large;

import com.azure.core.util.BinaryData;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A property value that may be in a blob: a string or bytes. The suffix of the blob's name
 * identifies the type. Must not be changed.
 */
sealed interface LargeValue {
  /** A string property. */
  record Text(String value) implements LargeValue {}

  /** A binary property. */
  record Bytes(byte[] value) implements LargeValue {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return value.length + " bytes";
    }
  }

  /** Returns the value; empty if values of this type always stay in the entity. */
  static Optional<LargeValue> of(@Nullable Object property) {
    if (property instanceof String text) {
      return Optional.of(new Text(text));
    }
    return property instanceof byte[] bytes ? Optional.of(new Bytes(bytes)) : Optional.empty();
  }

  static LargeValue read(String address, BinaryData content) {
    return address.endsWith(TEXT) ? new Text(content.toString()) : new Bytes(content.toBytes());
  }

  String TEXT = ".txt";
  String BYTES = ".bin";

  /** Returns the number of bytes that the service counts. */
  default long bytesInEntity() {
    return this instanceof Text text ? 2L * text.value().length() : ((Bytes) this).value().length;
  }

  default String suffix() {
    return this instanceof Text ? TEXT : BYTES;
  }

  default String contentType() {
    return this instanceof Text ? "text/plain; charset=utf-8" : "application/octet-stream";
  }

  default BinaryData content() {
    return this instanceof Text text
        ? BinaryData.fromString(text.value())
        : BinaryData.fromBytes(((Bytes) this).value());
  }

  /** Returns the value in the type that the SDK uses in entities. */
  default Object property() {
    return this instanceof Text text ? text.value() : ((Bytes) this).value();
  }
}
