package io.lazuli.server.requestlog;

import io.lazuli.server.error.ServiceException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one service of one account in one hour, and the blob to which its lines are appended.
 * Mutable; used by one thread at a time.
 *
 * <p>The metadata of a blob is written before the lines that it describes. A crash in between
 * leaves an end time that is later than the last line, which does not mislead readers. Nothing has
 * to be repaired: the next start continues with the next counter.
 */
final class LogFile {
  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

  /** Lines are appended when they reach this size, or when the flush period is over. */
  static final int BLOCK_BYTES = 2 << 20;

  /** A blob that has reached this size gets a successor. */
  static final long BLOB_BYTES_MAX = 256L << 20;

  /** A blob that has this many blocks gets a successor; the protocol allows 50,000. */
  static final int BLOB_BLOCKS_MAX = 49_000;

  /**
   * The key of a log.
   *
   * @param version the format version of its lines
   * @param epochHour the hour in which its requests ended
   */
  record Key(String account, String service, String version, long epochHour) {}

  private final Key key;
  private final LogBlobs blobs;
  private final int blocksMax;

  private @Nullable String blob;
  private LogCoverage blobCoverage = new LogCoverage();
  private Map<String, String> blobMetadata = Map.of();
  private long blobBytes;
  private int blobBlocks;
  private int nextCounter = -1;

  LogFile(Key key, LogBlobs blobs) {
    this(key, blobs, BLOB_BLOCKS_MAX);
  }

  /**
   * @param blocksMax a blob that has this many blocks gets a successor
   */
  LogFile(Key key, LogBlobs blobs, int blocksMax) {
    this.key = key;
    this.blobs = blobs;
    this.blocksMax = blocksMax;
  }

  /**
   * Appends a block. Begins a new blob if the current one refuses the block, because its owner has
   * deleted it or because the outcome of the last append is unknown.
   *
   * @throws ServiceException if the new blob refuses it, too
   */
  void append(LogLines block) {
    if (blobBlocks >= blocksMax || blobBytes >= BLOB_BYTES_MAX) {
      finish();
    }
    if (blob == null || !continued(blob, block)) {
      begin(block);
    }
  }

  private boolean continued(String open, LogLines block) {
    blobCoverage.add(block.coverage());
    try {
      describe(open);
      append(open, block);
      return true;
    } catch (ServiceException e) {
      LOG.debug(
          "log blob {} of account {} refused a block; a new blob follows", open, key.account(), e);
      return false;
    }
  }

  /**
   * Writes the metadata if it has changed. Its times are in whole seconds, so a busy log appends
   * many blocks without a change.
   */
  private void describe(String open) {
    Map<String, String> metadata = blobCoverage.metadata(key.version());
    if (!metadata.equals(blobMetadata)) {
      blobs.describe(key.account(), open, metadata);
      blobMetadata = metadata;
    }
  }

  private void begin(LogLines block) {
    blob = null;
    blobCoverage = block.coverage();
    blobMetadata = blobCoverage.metadata(key.version());
    blobBytes = 0;
    blobBlocks = 0;
    String created = create();
    append(created, block);
    blob = created;
  }

  private void append(String open, LogLines block) {
    blobs.append(key.account(), open, blobBytes, block);
    blobBytes += block.length();
    blobBlocks++;
  }

  /**
   * Seals the blob. Nothing may be appended after this. If that fails, the blob stays open, but its
   * lines are complete.
   */
  void finish() {
    String open = blob;
    blob = null;
    if (open == null) {
      return;
    }
    try {
      blobs.seal(key.account(), open);
    } catch (CompletionException e) {
      LOG.debug("log blob {} of account {} could not be sealed", open, key.account(), e);
    }
  }

  private String create() {
    if (nextCounter < 0) {
      String prefix = LogName.prefix(key.service(), key.epochHour());
      String last = blobs.lastName(key.account(), prefix);
      nextCounter = last == null ? 0 : LogName.counter(last) + 1;
    }
    String name;
    do {
      name = LogName.of(key.service(), key.epochHour(), nextCounter++);
    } while (!blobs.create(key.account(), name, blobMetadata));
    return name;
  }
}
