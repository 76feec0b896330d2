package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;

/**
 * What a worker is told: which primary may have changed, and nothing of how. Immutable.
 *
 * @param kind which step is meant, as the name of a table does
 * @param key of the primary, which the step reads again
 */
public record OutboxMessage(String kind, EntityKey key) {}
