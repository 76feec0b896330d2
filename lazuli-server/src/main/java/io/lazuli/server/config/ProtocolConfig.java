package io.lazuli.server.config;

import java.time.Duration;

/**
 * How a server reads requests where it can be lenient.
 *
 * @param lenientPaths true if {@code name(PartitionKey='x')} reads a partition, as the design guide
 *     writes it; Azure refuses it
 * @param hostStyle true if {@code http://account.table.anything/} names an account; otherwise the
 *     account is always the first segment of the path
 * @param dateWindow how far the date of a signed request may be off; zero for no check
 */
public record ProtocolConfig(boolean lenientPaths, boolean hostStyle, Duration dateWindow) {}
