package io.lazuli.client.refresh;

import java.time.Instant;

/**
 * How long a value may be used. Immutable.
 *
 * @param renewAt from this time on a new value is fetched, while this one is still used
 * @param endsAt from this time on this value is no longer used
 */
public record Freshness(Instant renewAt, Instant endsAt) {}
