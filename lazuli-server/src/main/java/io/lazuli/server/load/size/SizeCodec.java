package io.lazuli.server.load.size;

import io.lazuli.server.load.count.SpaceName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Measured sizes as bytes. At most {@link Measured#SPACES_MAX} names are kept apart. */
public final class SizeCodec {
  private static final int VERSION = 1;

  private SizeCodec() {}

  public static byte[] encode(Measured measured) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 10);
    DataOutputStream out = new DataOutputStream(bytes);
    List<SpaceSize> sizes = SpaceSize.largest(measured.sizes(), Measured.SPACES_MAX);
    try {
      out.writeByte(VERSION);
      out.writeLong(measured.at().toEpochMilli());
      out.writeLong(measured.took().toMillis());
      out.writeInt(sizes.size());
      for (SpaceSize size : sizes) {
        out.writeUTF(size.name().service());
        out.writeUTF(size.name().name());
        out.writeLong(size.items());
        out.writeLong(size.bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes the sizes of an account.
   *
   * @throws IOException if the bytes are not sizes
   */
  public static Measured decode(String account, byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException("sizes have the version " + version);
    }
    Instant at = Instant.ofEpochMilli(in.readLong());
    Duration took = Duration.ofMillis(in.readLong());
    List<SpaceSize> sizes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      SpaceName name = new SpaceName(account, in.readUTF(), in.readUTF());
      sizes.add(new SpaceSize(name, in.readLong(), in.readLong()));
    }
    return new Measured(at, took, sizes);
  }
}
