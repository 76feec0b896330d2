package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The encoding of a server's report about the heat of all tables: a format, a time, then the
 * partitions of each table. Servers ignore reports of other formats.
 */
public final class HeatCodec {
  private static final int FORMAT = 1;

  private HeatCodec() {}

  /**
   * The heat of all tables as one server measured it.
   *
   * @param millis the time of the report, by the cluster's clock
   * @param tables the heat of each table, by its short name
   */
  public record Report(long millis, Map<String, Heat> tables) {}

  public static byte[] encode(Report report) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeLong(report.millis);
      out.writeInt(report.tables.size());
      for (Map.Entry<String, Heat> table : report.tables.entrySet()) {
        out.writeUTF(table.getKey());
        encode(table.getValue(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void encode(Heat heat, DataOutputStream out) throws IOException {
    out.writeInt(heat.shares().size());
    for (Map.Entry<Bytes, Heat.Share> share : heat.shares().entrySet()) {
      out.writeShort(share.getKey().length());
      out.write(share.getKey().array());
      out.writeInt(share.getValue().samples());
      out.writeFloat((float) share.getValue().rate());
    }
  }

  /** Reads a report; empty if a server of another version wrote it. */
  public static Optional<Report> decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readByte() != FORMAT) {
        return Optional.empty();
      }
      long millis = in.readLong();
      Map<String, Heat> tables = new HashMap<>();
      for (int count = in.readInt(); count > 0; count--) {
        tables.put(in.readUTF(), decode(in));
      }
      return Optional.of(new Report(millis, tables));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Heat decode(DataInputStream in) throws IOException {
    NavigableMap<Bytes, Heat.Share> shares = new TreeMap<>();
    for (int count = in.readInt(); count > 0; count--) {
      Bytes key = Bytes.of(in.readNBytes(in.readUnsignedShort()));
      shares.put(key, new Heat.Share(in.readInt(), in.readFloat()));
    }
    return new Heat(shares);
  }
}
