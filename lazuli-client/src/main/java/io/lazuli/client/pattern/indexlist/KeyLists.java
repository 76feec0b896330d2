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
   * @param eTag empty if it did not exist
   */
  record Stored(KeyList keys, Optional<String> eTag) {
    static final Stored NONE = new Stored(KeyList.EMPTY, Optional.empty());
  }

  /** Returns the list with this key. */
  Mono<Stored> read(EntityKey list);

  /**
   * Writes a list if it has not changed since it was read; empty if it has. A list whose content
   * stays the same also gets a new ETag, so that other workers that read it earlier start over.
   */
  Mono<Boolean> write(EntityKey list, Stored before, KeyList next);

  /** Deletes empty lists that were not written for this time. */
  Mono<Long> sweep(Duration age);

  /** Deletes uploaded blobs that are not used. */
  default Mono<Long> collect() {
    return Mono.just(0L);
  }
}
