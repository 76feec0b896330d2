package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.Optional;

/**
 * The state of a primary at one moment, which copies are made equal to. Immutable.
 *
 * @param key its key
 * @param version greater than all its earlier versions
 * @param value empty if it was deleted
 */
public record Primary<T>(EntityKey key, long version, Optional<T> value) {}
