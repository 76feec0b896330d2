package io.lazuli.server.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A named set of terms that signatures can refer to, kept with a table, queue or container. Each
 * term may be missing; the signature then has to give it.
 *
 * @param id case-sensitive
 * @param permissions letters of the service
 */
public record StoredAccessPolicy(
    String id, @Nullable Instant start, @Nullable Instant expiry, @Nullable String permissions) {}
