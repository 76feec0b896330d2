package io.lazuli.server.delegation;

import io.lazuli.server.access.Identity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An identity as bytes: the version of the form (1), the issuer, the tenant, the object, the
 * application and the subject, then the groups and the application roles, each after its number
 * (2). A text is its length (2) and modified UTF-8; a missing one is empty.
 */
final class IdentityCodec {
  private static final int VERSION = 1;

  private IdentityCodec() {}

  static byte[] encode(Identity identity) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(identity.issuer());
      out.writeUTF(orEmpty(identity.tenant()));
      out.writeUTF(orEmpty(identity.object()));
      out.writeUTF(orEmpty(identity.application()));
      out.writeUTF(identity.subject());
      write(out, identity.groups());
      write(out, identity.appRoles());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Identity decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("form " + version + " is unknown");
      }
      return new Identity(
          in.readUTF(),
          orNull(in.readUTF()),
          orNull(in.readUTF()),
          orNull(in.readUTF()),
          in.readUTF(),
          read(in),
          read(in));
    } catch (IOException e) {
      throw new UncheckedIOException("a stored identity is damaged", e);
    }
  }

  private static void write(DataOutputStream out, Set<String> texts) throws IOException {
    out.writeShort(texts.size());
    for (String text : new TreeSet<>(texts)) {
      out.writeUTF(text);
    }
  }

  private static Set<String> read(DataInputStream in) throws IOException {
    Set<String> texts = new TreeSet<>();
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      texts.add(in.readUTF());
    }
    return texts;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
