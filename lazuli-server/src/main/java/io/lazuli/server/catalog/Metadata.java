package io.lazuli.server.catalog;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metadata that a client stores with a queue or a container. Names keep their case but are
 * compared without regard to it.
 *
 * <p>Stored form: number of pairs (2 bytes), then each name and value in modified UTF-8, each after
 * its length (2). Empty metadata is stored as no bytes.
 */
public record Metadata(Map<String, String> pairs) {
  public static final Metadata NONE = new Metadata(Map.of());

  public Metadata {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(pairs);
    pairs = Collections.unmodifiableMap(copy);
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!pairs.isEmpty()) {
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeShort(pairs.size());
        for (Map.Entry<String, String> pair : pairs.entrySet()) {
          out.writeUTF(pair.getKey());
          out.writeUTF(pair.getValue());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return bytes.toByteArray();
  }

  public static Metadata decode(byte[] bytes) {
    if (bytes.length == 0) {
      return NONE;
    }
    Map<String, String> pairs = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        pairs.put(in.readUTF(), in.readUTF());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("metadata is damaged", e);
    }
    return new Metadata(pairs);
  }
}
