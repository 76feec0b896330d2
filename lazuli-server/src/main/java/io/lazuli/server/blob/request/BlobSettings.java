package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.tier.AccessTier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties that a request gives a blob together with its content.
 *
 * @param tier null to keep the old tier
 */
public record BlobSettings(
    HttpProperties http,
    Map<String, String> metadata,
    BlobTags tags,
    @Nullable AccessTier tier,
    Immutability immutability) {
  /** Creates the settings of a blob without protection. */
  public BlobSettings(
      HttpProperties http, Map<String, String> metadata, BlobTags tags, @Nullable AccessTier tier) {
    this(http, metadata, tags, tier, Immutability.NONE);
  }
}
