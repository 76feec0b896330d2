package io.lazuli.server.table.encoding;

import io.lazuli.server.table.model.Property;
import io.lazuli.storage.entity.EntityCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Builds one entity record, property by property. Mutable, used once by one thread. */
final class RecordWriter {
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[512];
  private int at = EntityCursor.HEADER_BYTES;
  private int count;

  RecordWriter writeAll(List<Property> properties) {
    for (Property property : properties) {
      byte[] name = Utf8.encodeValue(property.name());
      byte[] value = EntityCodec.valueBytes(property.value());
      writeHeader(name.length, property.value().type().tag(), value.length);
      append(name, 0, name.length);
      append(value, 0, value.length);
    }
    return this;
  }

  /** Copies the property at the cursor. */
  void copy(EntityCursor from) {
    writeHeader(from.nameLength(), from.tag(), from.valueLength());
    append(from.array(), from.nameOffset(), from.nameLength() + from.valueLength());
  }

  byte[] finish() {
    bytes[0] = EntityCursor.FORMAT_VERSION;
    SHORT.set(bytes, EntityCursor.COUNT_AT, (short) count);
    return Arrays.copyOf(bytes, at);
  }

  private void writeHeader(int nameLength, int tag, int valueLength) {
    ensure(EntityCursor.PROPERTY_HEADER_BYTES + nameLength + valueLength);
    SHORT.set(bytes, at, (short) nameLength);
    bytes[at + 2] = (byte) tag;
    INT.set(bytes, at + 3, valueLength);
    at += EntityCursor.PROPERTY_HEADER_BYTES;
    count++;
  }

  private void append(byte[] from, int offset, int length) {
    System.arraycopy(from, offset, bytes, at, length);
    at += length;
  }

  private void ensure(int more) {
    if (at + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(at + more, bytes.length * 2));
    }
  }
}
