package io.lazuli.server.table.model;

import java.util.Arrays;
import java.util.UUID;

/** A typed value of a property, or of a literal in a filter. */
public sealed interface EdmValue {
  EdmType type();

  /** A string, which may contain unpaired surrogates. */
  record StringValue(String value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.STRING;
    }
  }

  record Int32Value(int value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.INT32;
    }
  }

  record Int64Value(long value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.INT64;
    }
  }

  record DoubleValue(double value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.DOUBLE;
    }
  }

  record BooleanValue(boolean value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.BOOLEAN;
    }
  }

  /** A time in ticks (100 ns since 1601-01-01 UTC). */
  record DateTimeValue(long ticks) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.DATE_TIME;
    }
  }

  record GuidValue(UUID value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.GUID;
    }
  }

  /** Bytes. The array belongs to the value; nobody may write to it. */
  record BinaryValue(byte[] value) implements EdmValue {
    @Override
    public EdmType type() {
      return EdmType.BINARY;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof BinaryValue that && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }
  }
}
