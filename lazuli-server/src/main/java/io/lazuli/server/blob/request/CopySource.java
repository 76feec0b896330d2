package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;
import org.jspecify.annotations.Nullable;

/**
 * The source of a copy: a blob of this server, or one of its snapshots. Lazuli does not copy from
 * other servers.
 *
 * @param state null for the blob itself
 */
public record CopySource(
    String account, ContainerName container, BlobName blob, @Nullable NamedState state) {}
