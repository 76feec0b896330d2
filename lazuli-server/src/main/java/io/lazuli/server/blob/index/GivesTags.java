package io.lazuli.server.blob.index;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.storage.TransactionBody;

/**
 * A transaction on a blob that gives it tags. {@link TagIndex} writes the index rows of the tags
 * before it runs the transaction.
 *
 * @param <R> the result
 */
public interface GivesTags<R> extends TransactionBody<R> {
  /** Returns the tags that the blob will have; empty if it will have none, or keeps its own. */
  BlobTags givenTags();

  /** Returns the same transaction, whose tags have the given stamp. */
  TransactionBody<R> withTagStamp(long stamp);
}
