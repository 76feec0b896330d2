package io.lazuli.server.blob.encoding;

import io.lazuli.server.error.Invariant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds one record; the counterpart of {@link RecordInput}. Mutable, used once by one thread. */
final class RecordOutput {
  private static final int TEXT_BYTES_MAX = 0xffff;

  private ByteBuffer out = ByteBuffer.allocate(256);

  RecordOutput(int version) {
    writeByte(version);
  }

  byte[] finish() {
    byte[] record = new byte[out.position()];
    out.flip().get(record);
    return record;
  }

  RecordOutput writeByte(int value) {
    ensure(1).put((byte) value);
    return this;
  }

  RecordOutput writeBoolean(boolean value) {
    return writeByte(value ? 1 : 0);
  }

  /** Writes a value of an enumeration as its index in an array. */
  <E> RecordOutput writeOneOf(E[] values, E value) {
    return writeByte(List.of(values).indexOf(value));
  }

  RecordOutput writeShort(int value) {
    Invariant.check(value >= 0 && value <= 0xffff, "the number does not fit into two bytes");
    ensure(Short.BYTES).putShort((short) value);
    return this;
  }

  RecordOutput writeInt(int value) {
    ensure(Integer.BYTES).putInt(value);
    return this;
  }

  RecordOutput writeLong(long value) {
    ensure(Long.BYTES).putLong(value);
    return this;
  }

  RecordOutput writeId(UUID id) {
    return writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
  }

  RecordOutput writeBytes(byte[] bytes) {
    ensure(bytes.length).put(bytes);
    return this;
  }

  RecordOutput writeText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Invariant.check(bytes.length <= TEXT_BYTES_MAX, "the text is too long for a record");
    return writeShort(bytes.length).writeBytes(bytes);
  }

  RecordOutput writeOptionalText(@Nullable String text) {
    writeBoolean(text != null);
    return text == null ? this : writeText(text);
  }

  RecordOutput writeTexts(Map<String, String> texts) {
    writeShort(texts.size());
    texts.forEach((name, value) -> writeText(name).writeText(value));
    return this;
  }

  private ByteBuffer ensure(int more) {
    if (out.remaining() < more) {
      int capacity = Math.max(out.position() + more, 2 * out.capacity());
      out = ByteBuffer.allocate(capacity).put(out.flip());
    }
    return out;
  }
}
