package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Something that is kept equal to the entities of a primary table: another table, a blob, a file, a
 * search index. Implementations are thread-safe.
 *
 * @param <T> the values of the primary table
 */
@FunctionalInterface
public interface Target<T> {
  /**
   * Makes the copy equal to the primary, unless it already is, or is that of a newer version. The
   * version must be stored with the copy, in one write. A deleted primary leaves a copy that says
   * so and has the version, so that a slow worker cannot bring back an older one; or, if the target
   * names {@linkplain #places places}, nothing here.
   */
  Mono<Void> bring(Primary<T> primary);

  /** A name that no other target of the table has, needed if there are places. */
  default String name() {
    return "";
  }

  /** Where the copy of this value is, if another value of the same primary has it elsewhere. */
  default Set<EntityKey> places(T value) {
    return Set.of();
  }

  /** Removes the copy of the primary from a place that it left, and leaves a marker. */
  default Mono<Void> vacate(EntityKey place, Primary<T> primary) {
    return Mono.empty();
  }
}
