package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.waiting.Waiting;
import java.util.List;
import java.util.stream.Stream;

/**
 * Offers the operations of {@link AsyncKeyListIndex} as blocking calls: each waits for its result
 * and throws its error. Immutable and thread-safe. Do not call it on a Reactor thread.
 *
 * @param <T> the type of the values of the primary table
 */
public final class KeyListIndex<T> {
  private final AsyncKeyListIndex<T> async;

  KeyListIndex(AsyncKeyListIndex<T> async) {
    this.async = async;
  }

  /** Returns this index with asynchronous calls. */
  public AsyncKeyListIndex<T> async() {
    return async;
  }

  /** See {@link AsyncKeyListIndex#keys}. */
  public List<EntityKey> keys(EntityKey listKey) {
    return Waiting.result(async.keys(listKey));
  }

  /** See {@link AsyncKeyListIndex#find}. Close the stream if it is not read to its end. */
  public Stream<T> find(EntityKey listKey) {
    return Waiting.stream(async.find(listKey));
  }
}
