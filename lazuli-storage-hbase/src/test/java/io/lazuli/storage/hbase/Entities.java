package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.entity.LiteralComparison;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Records of entities and conditions on them, as the server would write them. */
final class Entities {
  private static final int INT32 = 2;
  private static final String NAME = "Number";

  private Entities() {}

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  /** Returns the record of an entity with one number and some text. */
  static byte[] record(int number, String text) {
    return bytes(
        out -> {
          out.writeByte(1);
          out.writeLong(0);
          out.writeShort(2);
          property(out, "Text", 1, text.getBytes(UTF_8));
          property(out, NAME, INT32, bytes(value -> value.writeInt(number)));
        });
  }

  private static void property(DataOutputStream out, String name, int tag, byte[] value)
      throws IOException {
    out.writeShort(name.length());
    out.writeByte(tag);
    out.writeInt(value.length);
    out.write(name.getBytes(UTF_8));
    out.write(value);
  }

  /** Returns the condition that the number has a value. */
  static Bytes numberIs(int number) {
    return Bytes.of(
        bytes(
            out -> {
              out.writeByte(EntityCondition.PROPERTY);
              out.writeInt(NAME.length());
              out.write(NAME.getBytes(UTF_8));
              out.writeByte(LiteralComparison.EQUAL);
              out.writeShort(1 << INT32);
              out.writeLong(number);
              out.writeLong(0);
              out.writeDouble(number);
              out.writeInt(0);
            }));
  }

  private static byte[] bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
