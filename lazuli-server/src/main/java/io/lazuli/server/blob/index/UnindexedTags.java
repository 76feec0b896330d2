package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.TaggedState;
import java.util.List;

/**
 * Ends a transaction that would give states of a blob tags for which the index has no rows. Nothing
 * is written. The caller writes the rows and runs the body again.
 */
final class UnindexedTags extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<TaggedState> states;

  UnindexedTags(List<TaggedState> states) {
    super("tags are not in the index", null, false, false);
    this.states = states;
  }

  List<TaggedState> states() {
    return states;
  }
}
