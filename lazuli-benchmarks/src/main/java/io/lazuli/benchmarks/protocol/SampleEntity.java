package io.lazuli.benchmarks.protocol;

/**
 * The entity that all scenarios use: twelve properties, about 600 bytes of JSON. Keys and the
 * number have a fixed width, so that a rendered request can be reused by overwriting digits.
 */
public final class SampleEntity {
  static final int PARTITION_DIGITS = 8;
  static final int ROW_DIGITS = 10;
  static final int NUMBER_DIGITS = 8;

  /** Keeps the width of the number without leading zeros, which JSON does not allow. */
  private static final int NUMBER_BASE = 10_000_000;

  /** The number repeats after this many rows. */
  public static final int NUMBERS = 10_000;

  private SampleEntity() {}

  public static String partitionKey(long partition) {
    return "p" + digits(partition, PARTITION_DIGITS);
  }

  public static String rowKey(long row) {
    return "r" + digits(row, ROW_DIGITS);
  }

  /**
   * Returns the value of {@code Number}, which is not a key and which few entities of a table
   * share.
   */
  public static long number(long row) {
    return NUMBER_BASE + row % NUMBERS;
  }

  static String json(long partition, long row) {
    return "{\"PartitionKey\":\""
        + partitionKey(partition)
        + "\",\"RowKey\":\""
        + rowKey(row)
        + "\",\"Number\":"
        + number(row)
        + ",\"Customer\":\"Contoso Pharmaceuticals and Sons\""
        + ",\"Email\":\"purchasing.department@contoso.example\""
        + ",\"Street\":\"4567 Main Street, Building 12\""
        + ",\"City\":\"Buffalo\""
        + ",\"Note\":\"Deliver to the back entrance between nine and eleven, ring twice and wait for somebody to sign the receipt\""
        + ",\"Quantity\":42"
        + ",\"Total\":1234.5625"
        + ",\"Paid\":true"
        + ",\"Placed@odata.type\":\"Edm.DateTime\",\"Placed\":\"2026-01-15T10:29:58.5Z\""
        + ",\"Order@odata.type\":\"Edm.Guid\",\"Order\":\"c9da6455-213d-42c9-9a79-3e9149a57833\""
        + ",\"Reference@odata.type\":\"Edm.Int64\",\"Reference\":\"9007199254740993\"}";
  }

  private static String digits(long value, int width) {
    String text = Long.toString(value);
    return "0".repeat(width - text.length()) + text;
  }
}
