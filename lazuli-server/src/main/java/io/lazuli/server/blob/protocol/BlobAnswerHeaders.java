package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.Rehydration;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Response;
import io.lazuli.storage.Ticks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the properties of containers and blobs to the headers of one answer. */
final class BlobAnswerHeaders {
  private final Response.Builder out;

  BlobAnswerHeaders(Response.Builder out) {
    this.out = out;
  }

  /** Returns a time in the format of HTTP, in whole seconds. */
  static String date(long ticks) {
    return HttpDate.format(Ticks.toInstant(ticks));
  }

  /** Returns the tier of a blob whose tier was never set. */
  static String inferredTier() {
    return AccessTier.HOT.text();
  }

  BlobAnswerHeaders changed(long ticks) {
    out.header("ETag", BlobETag.quoted(ticks)).header("Last-Modified", date(ticks));
    return this;
  }

  BlobAnswerHeaders metadata(Map<String, String> metadata) {
    metadata.forEach((name, value) -> out.header("x-ms-meta-" + name, value));
    return this;
  }

  BlobAnswerHeaders lease(Lease lease, long now) {
    LeaseState state = lease.state(now);
    out.header("x-ms-lease-status", state.status()).header("x-ms-lease-state", state.text());
    set("x-ms-lease-duration", lease.durationText(now));
    return this;
  }

  BlobAnswerHeaders publicAccess(PublicAccess access) {
    if (access != PublicAccess.NONE) {
      out.header("x-ms-blob-public-access", access.text());
    }
    return this;
  }

  /**
   * Adds all properties of a container (blob-rest 9.4).
   *
   * @param immutability true if its blobs can have immutability policies (blob-features 6)
   */
  void container(ContainerProperties container, boolean immutability, long now) {
    changed(container.changedTicks());
    metadata(container.metadata());
    lease(container.lease(), now);
    publicAccess(container.publicAccess());
    out.header("x-ms-has-immutability-policy", "false")
        .header("x-ms-has-legal-hold", "false")
        .header("x-ms-default-encryption-scope", "$account-encryption-key")
        .header("x-ms-deny-encryption-scope-override", "false")
        .header("x-ms-immutable-storage-with-versioning-enabled", Boolean.toString(immutability));
  }

  /**
   * Adds the properties that GET and HEAD of a blob share (blob-rest 10.2), except those of the
   * content.
   *
   * @param snapshot true for a snapshot, which shows no lease; nor does a previous version
   */
  void blob(BlobProperties blob, boolean snapshot, long now) {
    changed(blob.changedTicks());
    out.header("Accept-Ranges", "bytes")
        .header("x-ms-blob-type", blob.type().text())
        .header("x-ms-creation-time", date(blob.creationTicks()))
        .header("x-ms-server-encrypted", "true");
    version(blob);
    if (!snapshot && !blob.optional().previous()) {
      lease(blob.lease(), now);
      if (blob.optional().versionTicks() != 0) {
        out.header("x-ms-is-current-version", "true");
      }
    }
    metadata(blob.metadata());
    if (!blob.tags().values().isEmpty()) {
      out.header("x-ms-tag-count", Integer.toString(blob.tags().values().size()));
    }
    if (blob.type() == BlobType.APPEND) {
      out.header("x-ms-blob-committed-block-count", Integer.toString(blob.content().blocks()));
      if (blob.content().sealed()) {
        out.header("x-ms-blob-sealed", "true");
      }
    }
    if (blob.optional().expiryTicks() != 0) {
      out.header("x-ms-expiry-time", date(blob.optional().expiryTicks()));
    }
    sequenceNumber(blob);
    copy(blob.copy(), blob.optional().copyDescription());
    policy(blob);
    if (blob.optional().legalHold()) {
      out.header(BlobRequestHeaders.LEGAL_HOLD, "true");
    }
  }

  /** Adds the immutability policy, if there is one (blob-features 6.1). */
  void policy(BlobProperties blob) {
    ImmutabilityPolicy policy = blob.optional().immutability();
    if (policy != null) {
      out.header("x-ms-immutability-policy-until-date", date(policy.untilTicks()))
          .header("x-ms-immutability-policy-mode", mode(policy));
    }
  }

  static String mode(ImmutabilityPolicy policy) {
    return policy.locked() ? "locked" : "unlocked";
  }

  /** Adds the sequence number, which only page blobs have. */
  void sequenceNumber(BlobProperties blob) {
    if (blob.type() == BlobType.PAGE) {
      out.header("x-ms-blob-sequence-number", Long.toString(blob.optional().sequenceNumber()));
    }
  }

  /** Adds the name of the version, if the blob has one (blob-features 3.2). */
  void version(BlobProperties blob) {
    long ticks = blob.optional().versionTicks();
    if (ticks != 0) {
      out.header("x-ms-version-id", SnapshotTime.text(ticks));
    }
  }

  /**
   * Adds the HTTP properties, except the checksum. A blob whose type was cleared has no type
   * (blob-features 10.2 A4).
   */
  void http(HttpProperties http) {
    set("Content-Type", http.contentType());
    set("Content-Encoding", http.contentEncoding());
    set("Content-Language", http.contentLanguage());
    set("Content-Disposition", http.contentDisposition());
    set("Cache-Control", http.cacheControl());
  }

  /** Adds the tier, which only block blobs have, and the way out of the archive. */
  void tier(BlobProperties blob, long now) {
    TierState state = blob.tierAt(now);
    TierChoice tier = state.choice();
    Rehydration rehydration = state.rehydration();
    if (blob.type() != BlobType.BLOCK) {
      return;
    }
    if (tier == null) {
      out.header("x-ms-access-tier", inferredTier()).header("x-ms-access-tier-inferred", "true");
    } else {
      out.header("x-ms-access-tier", tier.tier().text())
          .header("x-ms-access-tier-change-time", date(tier.changedTicks()));
      if (tier.tier() == AccessTier.SMART) {
        out.header("x-ms-smart-access-tier", inferredTier());
      }
    }
    if (rehydration != null) {
      out.header("x-ms-archive-status", rehydration.status())
          .header("x-ms-rehydrate-priority", rehydration.priority().text());
    }
  }

  void set(String name, @Nullable String value) {
    if (value != null) {
      out.header(name, value);
    }
  }

  private void copy(@Nullable CopyProperties copy, @Nullable String description) {
    if (copy != null) {
      out.header("x-ms-copy-id", copy.id().toString())
          .header("x-ms-copy-source", copy.source())
          .header("x-ms-copy-status", copy.status().text())
          .header("x-ms-copy-progress", copy.progress());
      if (copy.endTicks() != 0) {
        out.header("x-ms-copy-completion-time", date(copy.endTicks()));
      }
      set("x-ms-copy-status-description", description);
    }
  }
}
