package io.lazuli.conformance.wire;

import java.nio.charset.StandardCharsets;

/** Encodes keys for URLs. */
public final class Keys {

  private Keys() {}

  /**
   * Returns the path of an entity in the form that the service itself uses: quotes are doubled and
   * not encoded.
   */
  public static String path(String table, String partitionKey, String rowKey) {
    return "/" + resource(table, partitionKey, rowKey);
  }

  /** Returns the path of an entity without the slash, as in {@code odata.editLink}. */
  public static String resource(String table, String partitionKey, String rowKey) {
    return table + "(PartitionKey='" + key(partitionKey) + "',RowKey='" + key(rowKey) + "')";
  }

  private static String key(String text) {
    return encode(text).replace("%27", "''");
  }

  /** Percent-encodes everything but letters, digits and {@code - . _ ~}. */
  public static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
      encoded.append(plain ? String.valueOf(c) : "%" + String.format("%02X", (int) c));
    }
    return encoded.toString();
  }
}
