package io.lazuli.storage.hbase.call;

import io.lazuli.storage.SpaceKind;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * The HBase tables, one for each kind of space: small entities, queues full of deleted messages and
 * cells of 1 MiB need different options.
 */
public enum StoreTable {
  CATALOG(SpaceKind.CATALOGUE),
  TABLES(SpaceKind.TABLE),
  QUEUES(SpaceKind.QUEUE),
  BLOBS(SpaceKind.CONTAINER),
  CHUNKS(SpaceKind.CHUNKS);

  /** The only column family. Its only column is {@link #QUALIFIER}. */
  @SuppressWarnings("MutablePublicArray") // HBase's client takes arrays and does not change them.
  public static final byte[] FAMILY = {'d'};

  @SuppressWarnings("MutablePublicArray") // As above.
  public static final byte[] QUALIFIER = {'r'};

  public static final String ENDPOINT =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";
  public static final String RESTRICTION = "hbase.regionserver.region.split_restriction.type";
  public static final String RESTRICTION_TYPE = "DelimitedKeyPrefix";
  public static final String DELIMITER = "hbase.regionserver.region.split_restriction.delimiter";

  /** The byte that ends a partition in every key. A region is split only before this byte. */
  public static final String DELIMITER_VALUE = "\u0000";

  /** The key of the first coprocessor among the values of a table. */
  private static final String COPROCESSOR_KEY = "coprocessor$1";

  /** Small, because a read by key decodes half a block on average (decision 0022). */
  private static final int BLOCK_BYTES = 16 << 10;

  private static final int CHUNK_BLOCK_BYTES = 256 << 10;

  private final SpaceKind kind;

  StoreTable(SpaceKind kind) {
    this.kind = kind;
  }

  /** Returns the table that holds the records of a space. */
  public static StoreTable of(long space) {
    return switch (SpaceKind.of(space)) {
      case CATALOGUE -> CATALOG;
      case TABLE -> TABLES;
      case QUEUE -> QUEUES;
      case CONTAINER, GATE -> BLOBS;
      case CHUNKS -> CHUNKS;
    };
  }

  /**
   * Returns true if a deleted key of this table is never used again. Deleting it then needs no
   * tombstone, and inserting a key needs no read.
   */
  public boolean keysNeverRecur() {
    return kind == SpaceKind.QUEUE || kind == SpaceKind.CHUNKS;
  }

  public TableName name(String namespace) {
    return TableName.valueOf(namespace, name().toLowerCase(java.util.Locale.ROOT));
  }

  public TableDescriptor descriptor(String namespace) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name(namespace))
            .setColumnFamily(family())
            .setValue(RESTRICTION, RESTRICTION_TYPE)
            .setValue(DELIMITER, DELIMITER_VALUE);
    try {
      return table.setCoprocessor(ENDPOINT).build();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Returns the command of the HBase shell that creates the table, on one line. The text form of a
   * descriptor is not a command.
   */
  public String shellCommand(String namespace) {
    return String.format(
        "create '%s', {NAME => 'd', VERSIONS => 1, BLOOMFILTER => 'ROW', %s}, {METADATA => {'%s' =>"
            + " '|%s|%d|', '%s' => '%s', '%s' => \"\\x00\"}}",
        name(namespace),
        blockOptions(),
        COPROCESSOR_KEY,
        ENDPOINT,
        Coprocessor.PRIORITY_USER,
        RESTRICTION,
        RESTRICTION_TYPE,
        DELIMITER);
  }

  /**
   * Returns the command of the HBase shell that changes the form of the blocks that an existing
   * table writes from now on. Compactions change the older blocks.
   */
  public String alterCommand(String namespace) {
    return "alter '%s', {NAME => 'd', %s}".formatted(name(namespace), blockOptions());
  }

  /** Returns true if a table writes its blocks in the form that this version would choose. */
  public boolean hasOwnBlocks(ColumnFamilyDescriptor family) {
    return family.getBlocksize() == blockBytes() && family.getDataBlockEncoding() == encoding();
  }

  private String blockOptions() {
    return "DATA_BLOCK_ENCODING => '%s', BLOCKSIZE => '%d'".formatted(encoding(), blockBytes());
  }

  private DataBlockEncoding encoding() {
    return kind == SpaceKind.CHUNKS ? DataBlockEncoding.NONE : DataBlockEncoding.ROW_INDEX_V1;
  }

  private int blockBytes() {
    return kind == SpaceKind.CHUNKS ? CHUNK_BLOCK_BYTES : BLOCK_BYTES;
  }

  private ColumnFamilyDescriptor family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
        .setMaxVersions(1)
        .setBloomFilterType(BloomType.ROW)
        .setKeepDeletedCells(KeepDeletedCells.FALSE)
        .setNewVersionBehavior(false)
        .setTimeToLive(HConstants.FOREVER)
        .setDataBlockEncoding(encoding())
        .setBlocksize(blockBytes())
        .build();
  }
}
