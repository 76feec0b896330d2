package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;
import org.jspecify.annotations.Nullable;

/**
 * The source of a copy on this server: a blob, or one of its snapshots.
 *
 * @param state null for the blob itself
 */
public record CopySource(
    String account, ContainerName container, BlobName blob, @Nullable NamedState state)
    implements SourceAddress {}
