package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.AccessTier;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.HttpProperties;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about a blob that it puts in place, beside its content.
 *
 * @param tier null to keep the one that was set
 */
public record BlobSettings(
    HttpProperties http, Map<String, String> metadata, BlobTags tags, @Nullable AccessTier tier) {}
