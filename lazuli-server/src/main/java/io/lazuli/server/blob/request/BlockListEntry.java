package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlockId;

/** An entry of a block list: a block id and where to find the block. */
public record BlockListEntry(Source source, BlockId id) {
  /** Where to find a block. */
  public enum Source {
    COMMITTED,
    UNCOMMITTED,
    /** Uncommitted if there is such a block with that id, else committed. */
    LATEST
  }
}
