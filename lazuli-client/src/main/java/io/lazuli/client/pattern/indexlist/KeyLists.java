package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** The storage of the lists of an index, each under a key. */
interface KeyLists {
  /**
   * A list as it was read.
   *
   * @param eTag empty if the list did not exist
   */
  record Stored(KeyList keys, Optional<String> eTag) {
    static final Stored NONE = new Stored(KeyList.EMPTY, Optional.empty());
  }

  /** Returns the list with this key. */
  Mono<Stored> read(EntityKey list);

  /**
   * Writes a list if it has not changed since it was read; otherwise the result is empty. Even if
   * the content stays the same, the list gets a new ETag, so that other workers that read it
   * earlier start over.
   */
  Mono<Boolean> write(EntityKey list, Stored before, KeyList next);

  /** Deletes empty lists whose last write was at least this long ago. */
  Mono<Long> sweep(Duration age);

  /** Deletes blobs of large lists that no entity refers to any more. */
  default Mono<Long> collect() {
    return Mono.just(0L);
  }
}
