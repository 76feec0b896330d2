package io.lazuli.server.access;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stored access policies as bytes: the number of policies (1), then for each its id, start, expiry
 * and permissions. A text is its length (2) and modified UTF-8. A time is seconds since 1970 (8)
 * and nanoseconds (4). An optional field begins with 1 if it is present and 0 if it is not. An
 * empty list has no bytes.
 */
public final class AccessPolicyCodec {
  private AccessPolicyCodec() {}

  public static byte[] encode(List<StoredAccessPolicy> policies) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!policies.isEmpty()) {
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeByte(policies.size());
        for (StoredAccessPolicy policy : policies) {
          out.writeUTF(policy.id());
          write(out, policy.start());
          write(out, policy.expiry());
          write(out, policy.permissions());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return bytes.toByteArray();
  }

  public static List<StoredAccessPolicy> decode(byte[] bytes) {
    List<StoredAccessPolicy> policies = new ArrayList<>();
    if (bytes.length > 0) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
        for (int left = in.readUnsignedByte(); left > 0; left--) {
          policies.add(
              new StoredAccessPolicy(in.readUTF(), readTime(in), readTime(in), readText(in)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("stored access policies are damaged", e);
      }
    }
    return policies;
  }

  private static void write(DataOutputStream out, @Nullable Instant time) throws IOException {
    out.writeBoolean(time != null);
    if (time != null) {
      out.writeLong(time.getEpochSecond());
      out.writeInt(time.getNano());
    }
  }

  private static void write(DataOutputStream out, @Nullable String text) throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  private static @Nullable Instant readTime(DataInputStream in) throws IOException {
    return in.readBoolean() ? Instant.ofEpochSecond(in.readLong(), in.readInt()) : null;
  }

  private static @Nullable String readText(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }
}
