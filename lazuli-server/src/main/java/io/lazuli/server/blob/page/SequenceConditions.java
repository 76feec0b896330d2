package io.lazuli.server.blob.page;

import org.jspecify.annotations.Nullable;

/**
 * The conditions on the sequence number (blob-features 7.2). All that are given must hold.
 *
 * @param atMost null if not given
 * @param below null if not given
 * @param equal null if not given
 */
public record SequenceConditions(
    @Nullable Long atMost, @Nullable Long below, @Nullable Long equal) {
  public static final SequenceConditions NONE = new SequenceConditions(null, null, null);

  public boolean areMetBy(long number) {
    return (atMost == null || number <= atMost)
        && (below == null || number < below)
        && (equal == null || number == equal);
  }
}
