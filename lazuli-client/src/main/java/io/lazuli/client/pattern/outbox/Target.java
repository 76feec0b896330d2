package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * A target that is kept equal to the entities of a primary table: another table, a blob, a file, a
 * search index. Implementations are thread-safe.
 *
 * @param <T> the type of the values of the primary table
 */
@FunctionalInterface
public interface Target<T> {
  /**
   * Makes the copy equal to the primary, unless it already is equal or has a newer version. The
   * version must be stored with the copy, in the same write. For a deleted primary, the copy
   * becomes a tombstone with the version, so that a slow worker cannot restore an older copy. If
   * the target has {@linkplain #copyKeys variable keys}, a deletion is handled by {@link
   * #removeCopy} instead.
   */
  Mono<Void> update(Primary<T> primary);

  /**
   * Returns a name that no other target of the table has or had; needed if the keys of copies vary.
   */
  default String name() {
    return "";
  }

  /** Returns the keys of the copies of this value, if they depend on the value. */
  default Set<EntityKey> copyKeys(T value) {
    return Set.of();
  }

  /** Removes the copy of the primary from a key that it no longer uses, and leaves a tombstone. */
  default Mono<Void> removeCopy(EntityKey copyKey, Primary<T> primary) {
    return Mono.empty();
  }
}
