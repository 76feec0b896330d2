package io.lazuli.server.blob.encoding;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one record. Throws an {@link IllegalStateException} if the bytes are not a
 * record of the expected version: engines verify their data, so this is a fault of the server.
 * Mutable, used once by one thread.
 */
final class RecordInput {
  private final ByteBuffer in;

  RecordInput(byte[] record, int version) {
    this(record, version, version);
  }

  /** Accepts every version from the lowest to the highest one. */
  RecordInput(byte[] record, int lowest, int highest) {
    in = ByteBuffer.wrap(record);
    if (record.length == 0 || record[0] < lowest || record[0] > highest) {
      throw new IllegalStateException("not a blob record of a known format");
    }
    in.get();
  }

  /** Returns the format version of the record. */
  int version() {
    return in.get(0);
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  /** Returns the given value if all bytes were read; throws if bytes are left. */
  <T> T finish(T value) {
    if (in.hasRemaining()) {
      throw damaged();
    }
    return value;
  }

  int readByte() {
    return require(1).get();
  }

  boolean readBoolean() {
    int value = readByte();
    if (value != 0 && value != 1) {
      throw damaged();
    }
    return value == 1;
  }

  int readShort() {
    return require(Short.BYTES).getShort() & 0xffff;
  }

  int readInt() {
    return require(Integer.BYTES).getInt();
  }

  long readLong() {
    return require(Long.BYTES).getLong();
  }

  UUID readId() {
    return new UUID(readLong(), readLong());
  }

  byte[] readBytes(int length) {
    ByteBuffer enough = require(length);
    byte[] bytes = new byte[length];
    enough.get(bytes);
    return bytes;
  }

  String readText() {
    return new String(readBytes(readShort()), StandardCharsets.UTF_8);
  }

  @Nullable String readOptionalText() {
    return readBoolean() ? readText() : null;
  }

  Map<String, String> readTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int left = readShort(); left > 0; left--) {
      texts.put(readText(), readText());
    }
    return texts;
  }

  /** Returns the value of an enumeration that was written as an index. */
  <E> E readOneOf(E[] values) {
    int place = readByte();
    if (place < 0 || place >= values.length) {
      throw damaged();
    }
    return values[place];
  }

  private ByteBuffer require(int length) {
    if (in.remaining() < length) {
      throw damaged();
    }
    return in;
  }

  private static IllegalStateException damaged() {
    return new IllegalStateException("blob record is damaged");
  }
}
