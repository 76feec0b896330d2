package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlockId;

/** One line of a block list: a block and where to look for it. */
public record BlockListEntry(Source source, BlockId id) {
  /** Where a block may come from. */
  public enum Source {
    COMMITTED,
    UNCOMMITTED,
    /** Uncommitted if there is one of that id, else committed. */
    LATEST
  }
}
