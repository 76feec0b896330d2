package io.lazuli.server.blob.model;

/**
 * The limits of blobs (blob-rest 15). They are the limits of the protocol unless a comment says
 * otherwise.
 */
public final class BlobLimits {
  public static final int NAME_LENGTH_MAX = 1_024;
  public static final int NAME_SEGMENTS_MAX = 254;
  public static final long PUT_BLOB_BYTES_MAX = 5_000L << 20;
  public static final long BLOCK_BYTES_MAX = 4_000L << 20;
  public static final long APPEND_BYTES_MAX = 100L << 20;
  public static final int COMMITTED_BLOCKS_MAX = 50_000;
  public static final int UNCOMMITTED_BLOCKS_MAX = 100_000;
  public static final int BLOCK_ID_BYTES_MAX = 64;
  public static final int TAGS_MAX = 10;
  public static final int TAG_KEY_LENGTH_MAX = 128;
  public static final int TAG_VALUE_LENGTH_MAX = 256;
  public static final int TAGS_HEADER_LENGTH_MAX = 2 << 10;
  public static final int RANGE_CHECKSUM_BYTES_MAX = 4 << 20;
  public static final int LIST_PAGE_ITEMS_MAX = 5_000;
  public static final int COPY_SOURCE_LENGTH_MAX = 2 << 10;

  /** The longest source of a synchronous copy from another server (blob-features 5.1). */
  public static final long SYNC_COPY_BYTES_MAX = 256L << 20;

  /**
   * The longest source of a pending copy. Our own limit: the content becomes one chunk, which must
   * be complete in a day.
   */
  public static final long PENDING_COPY_BYTES_MAX = 1L << 40;

  public static final int PAGE_BYTES = 512;

  public static final long PAGE_BLOB_BYTES_MAX = 8L << 40;

  public static final int PUT_PAGE_BYTES_MAX = 4 << 20;

  public static final int PAGE_RANGES_MAX = 10_000;

  /** The number of blocks in one row of a block list; our own limit. */
  public static final int SEGMENT_BLOCKS_MAX = 1_000;

  /**
   * The largest body that is stored as a record; larger ones are stored as chunks. Our own limit.
   */
  public static final int RECORD_BYTES_MAX = 64 << 10;

  private BlobLimits() {}
}
