package io.lazuli.client.pattern.copies;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.waiting.Waiting;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Offers the operations of {@link AsyncDetailCopies} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <O> the type of the originals
 * @param <H> the type of the entities that hold details of originals
 */
public final class DetailCopies<O, H> {
  private final AsyncDetailCopies<O, H> async;

  DetailCopies(AsyncDetailCopies<O, H> async) {
    this.async = async;
  }

  /** Returns these copies with asynchronous calls. */
  public AsyncDetailCopies<O, H> async() {
    return async;
  }

  /** See {@link AsyncDetailCopies#holder}. */
  public Optional<H> holder(EntityKey key) {
    return Waiting.optional(async.holder(key));
  }

  /** See {@link AsyncDetailCopies#original}. */
  public Optional<O> original(EntityKey key) {
    return Waiting.optional(async.original(key));
  }

  /**
   * See {@link AsyncDetailCopies#assign}.
   *
   * @throws NotFound if the holder or the original does not exist
   */
  public H assign(EntityKey holder, String originalRowKey) {
    return Waiting.result(async.assign(holder, originalRowKey));
  }

  /**
   * See {@link AsyncDetailCopies#clear}.
   *
   * @throws NotFound if the holder does not exist
   */
  public H clear(EntityKey holder) {
    return Waiting.result(async.clear(holder));
  }

  /**
   * See {@link AsyncDetailCopies#updateOriginal}.
   *
   * @throws NotFound if the original does not exist
   */
  public O updateOriginal(EntityKey key, UnaryOperator<O> change) {
    return Waiting.result(async.updateOriginal(key, change));
  }

  /** See {@link AsyncDetailCopies#deleteOriginalIfExists}. */
  public boolean deleteOriginalIfExists(EntityKey key) {
    return Waiting.result(async.deleteOriginalIfExists(key));
  }

  /**
   * See {@link AsyncDetailCopies#updateHolder}.
   *
   * @throws NotFound if the holder does not exist
   */
  public H updateHolder(EntityKey key, UnaryOperator<H> change) {
    return Waiting.result(async.updateHolder(key, change));
  }

  /** See {@link AsyncDetailCopies#deleteHolderIfExists}. */
  public boolean deleteHolderIfExists(EntityKey key) {
    return Waiting.result(async.deleteHolderIfExists(key));
  }
}
