package io.lazuli.client.pattern.log;

import com.azure.storage.blob.specialized.AppendBlobAsyncClient;
import java.time.Instant;

/**
 * The blob that a writer appends to, and its size so far. Immutable.
 *
 * @param bytes the length of the blob, provided that the last block was stored
 * @param last the time of its last line
 */
record OpenLogBlob(
    AppendBlobAsyncClient client, Instant first, Instant last, long bytes, int blocks) {
  boolean takes(LogBlock block, LogOptions options) {
    return LogNames.hourOf(first).equals(block.hour())
        && blocks < options.blobBlocksMax()
        && (blocks == 0 || bytes + block.bytes().length <= options.blobBytesMax());
  }

  OpenLogBlob with(LogBlock block) {
    return new OpenLogBlob(client, first, block.last(), bytes + block.bytes().length, blocks + 1);
  }
}
