package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.Optional;

/**
 * A primary at one moment: what copies are made equal to. Immutable.
 *
 * @param key where it is
 * @param version greater than all it had before
 * @param value empty if it was deleted
 */
public record Primary<T>(EntityKey key, long version, Optional<T> value) {}
