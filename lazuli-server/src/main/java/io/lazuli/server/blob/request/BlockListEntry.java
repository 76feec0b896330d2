package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlockId;

/** An entry of a block list: a block id and the list in which to find the block. */
public record BlockListEntry(Source source, BlockId id) {
  /** The list in which to find a block. */
  public enum Source {
    COMMITTED,
    UNCOMMITTED,
    /** The uncommitted block if there is one with that id, otherwise the committed block. */
    LATEST
  }
}
