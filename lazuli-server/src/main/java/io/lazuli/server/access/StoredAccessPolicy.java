package io.lazuli.server.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A named set of fields that signatures can refer to, stored with a table, queue or container. If a
 * field is absent, the signature must have it.
 *
 * @param id the name of the policy, which is case-sensitive
 * @param permissions the permissions, as letters of the service
 */
public record StoredAccessPolicy(
    String id, @Nullable Instant start, @Nullable Instant expiry, @Nullable String permissions) {}
