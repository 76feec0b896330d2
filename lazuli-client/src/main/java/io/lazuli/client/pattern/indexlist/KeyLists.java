package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Where the lists of an index are, each under a key. */
interface KeyLists {
  /**
   * A list as it was read.
   *
   * @param eTag empty if it was not there
   */
  record Stored(KeyList keys, Optional<String> eTag) {
    static final Stored NONE = new Stored(KeyList.EMPTY, Optional.empty());
  }

  /** The list of this key. */
  Mono<Stored> read(EntityKey list);

  /**
   * Writes a list if it is still as it was read; empty if it is not. A list that stays as it is
   * gets another ETag all the same, so that whoever read it before and means to write begins anew.
   */
  Mono<Boolean> write(EntityKey list, Stored before, KeyList next);

  /** Deletes empty lists that nobody has written to for so long. */
  Mono<Long> sweep(Duration age);

  /** Deletes what was uploaded and is not used. */
  default Mono<Long> collect() {
    return Mono.just(0L);
  }
}
