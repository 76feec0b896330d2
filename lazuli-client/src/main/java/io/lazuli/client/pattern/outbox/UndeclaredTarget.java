package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.Collection;

/**
 * An entity has copies in targets that this worker does not declare, so this worker cannot keep
 * them equal. The worker is older than the target, or the target was removed without {@link
 * AsyncPrimaryTable#retiring}. The message stays for another worker, and later goes to the poison
 * queue.
 */
public final class UndeclaredTarget extends RuntimeException {
  private static final long serialVersionUID = 1;

  UndeclaredTarget(EntityKey key, Collection<String> names) {
    super(
        "%s has copies in %s, which this worker does not declare: declare or retire them"
            .formatted(key, names));
  }
}
