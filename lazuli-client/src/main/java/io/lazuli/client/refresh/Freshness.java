package io.lazuli.client.refresh;

import java.time.Instant;

/**
 * How long a value may be used. Immutable.
 *
 * @param renewAt from this time on another is fetched, while this one is still used
 * @param endsAt from this time on it is not used any more
 */
public record Freshness(Instant renewAt, Instant endsAt) {}
