package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * A message to workers: it names a primary that may have changed, but not the change. Immutable.
 *
 * @param kind selects the step; it can be the name of a table, for example
 * @param key the key of the primary, which the step reads again
 */
public record OutboxMessage(String kind, EntityKey key) {}
