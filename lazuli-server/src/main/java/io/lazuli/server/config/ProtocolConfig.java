package io.lazuli.server.config;

import io.lazuli.server.outbound.AllowedSources;
import java.time.Duration;

/**
 * Options of the protocol.
 *
 * @param lenientPaths true if {@code name(PartitionKey='x')} reads a partition, as in Azure's
 *     design guide; Azure refuses it
 * @param hostStyle true if {@code http://account.table.anything/} names an account; otherwise the
 *     account is always the first segment of the path
 * @param dateWindow the maximum difference between the date of a signed request and the clock; zero
 *     for no check
 * @param rehydrationTime the time that a blob needs to leave the archive
 * @param copySources the other servers that copies may read from
 */
public record ProtocolConfig(
    boolean lenientPaths,
    boolean hostStyle,
    Duration dateWindow,
    Duration rehydrationTime,
    AllowedSources copySources) {}
