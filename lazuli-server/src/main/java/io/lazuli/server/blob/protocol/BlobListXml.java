package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobOutcome.ListedItem;
import io.lazuli.server.blob.service.BlobOutcome.ListedPrefix;
import io.lazuli.server.blob.tier.Rehydration;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.wire.XmlWriter;
import io.lazuli.storage.Ticks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a page of blobs, snapshots and prefixes as XML (blob-rest 13). */
final class BlobListXml {
  static final long TICKS_PER_DAY = 24 * 60 * 60 * Ticks.PER_SECOND;

  private final XmlWriter out = new XmlWriter();
  private final BlobPage page;
  private final QueryParameters asked;
  private final boolean metadata;
  private final boolean tags;
  private final boolean copies;
  private final boolean policies;
  private final boolean holds;

  private BlobListXml(BlobPage page, QueryParameters asked) {
    this.page = page;
    this.asked = asked;
    ListParameters list = new ListParameters(asked);
    this.metadata = list.includes("metadata");
    this.tags = list.includes("tags");
    this.copies = list.includes("copy");
    this.policies = list.includes("immutabilitypolicy");
    this.holds = list.includes("legalhold");
  }

  /**
   * Writes the items of a page: all of them, or those before the page is too long.
   *
   * @param base the URL of the account
   */
  static void write(
      BlobPage page, QueryParameters asked, String base, String container, AnswerBuffer answer) {
    new BlobListXml(page, asked).write(base, container, answer);
  }

  private void write(String base, String container, AnswerBuffer answer) {
    List<ListedItem> items = page.items();
    int[] shown = new int[1];
    out.element(
        "EnumerationResults",
        List.of("ServiceEndpoint", base + "/", "ContainerName", container),
        () -> {
          ContainerListXml.echo(out, asked, "Prefix", "Marker", "MaxResults", "Delimiter");
          out.element(
              "Blobs",
              () -> shown[0] = answer.addPage(items, this::writeItem, out::length, out::take));
          ListMarker next = shown[0] < items.size() ? items.get(shown[0]).at() : page.next();
          out.text("NextMarker", next == null ? "" : next.text());
        });
    answer.add(out.take());
  }

  private void writeItem(ListedItem item) {
    if (item instanceof ListedPrefix prefix) {
      out.element("BlobPrefix", () -> writeName(out, prefix.name()));
    } else if (item instanceof ListedBlob blob) {
      out.element("Blob", () -> writeBlob(blob));
    } else {
      throw new IllegalStateException("unknown item: " + item.getClass());
    }
  }

  private void writeBlob(ListedBlob blob) {
    BlobProperties properties = blob.properties();
    Long snapshot = blob.snapshotTicks();
    writeName(out, blob.name().text());
    if (snapshot != null) {
      out.text("Snapshot", SnapshotTime.text(snapshot));
    }
    writeState(blob, properties);
    boolean leased = blob.state() == null && properties.optional().deletion() == null;
    out.element(
        "Properties",
        () -> {
          if (blob.versionsOnly()) {
            writeCommitted(properties.withoutContent(), true);
          } else if (properties.isCommitted()) {
            writeCommitted(properties, leased);
          } else {
            writeUncommitted(properties);
          }
        });
    if (metadata) {
      out.element("Metadata", () -> properties.metadata().forEach(out::text));
    }
    if (tags && !properties.tags().values().isEmpty()) {
      TagsXml.write(out, properties.tags());
    }
    out.text("OrMetadata", "");
  }

  /** Writes what the item is, other than a blob or snapshot (blob-features 2.4 and 3.4). */
  private void writeState(ListedBlob blob, BlobProperties properties) {
    OptionalProperties optional = properties.optional();
    if (blob.versionsOnly()) {
      out.text("HasVersionsOnly", "true");
      return;
    }
    if (optional.versionTicks() != 0) {
      out.text("VersionId", SnapshotTime.text(optional.versionTicks()));
      if (blob.state() == null && optional.deletion() == null) {
        out.text("IsCurrentVersion", "true");
      }
    }
    if (optional.deletion() != null) {
      out.text("Deleted", "true");
    }
  }

  /** Writes a name; it is percent-encoded if it has characters that XML cannot hold. */
  static void writeName(XmlWriter out, String name) {
    if (name.indexOf('\uFFFE') >= 0 || name.indexOf('\uFFFF') >= 0) {
      out.text("Name", List.of("Encoded", "true"), PercentEncoding.encode(name));
    } else {
      out.text("Name", name);
    }
  }

  private void writeCommitted(BlobProperties blob, boolean leased) {
    HttpProperties http = blob.http();
    out.text("Creation-Time", BlobAnswerHeaders.date(blob.creationTicks()));
    out.text("Last-Modified", BlobAnswerHeaders.date(blob.changedTicks()));
    out.text("Etag", BlobETag.text(blob.changedTicks()));
    out.text("Content-Length", Long.toString(blob.shownLength()));
    orEmpty("Content-Type", http.contentType());
    orEmpty("Content-Encoding", http.contentEncoding());
    orEmpty("Content-Language", http.contentLanguage());
    orEmpty("Content-CRC64", null);
    orEmpty("Content-MD5", http.contentMd5());
    orEmpty("Cache-Control", http.cacheControl());
    orEmpty("Content-Disposition", http.contentDisposition());
    if (blob.type() == BlobType.PAGE) {
      out.text("x-ms-blob-sequence-number", Long.toString(blob.optional().sequenceNumber()));
    }
    writeKind(blob);
    if (leased) {
      writeLease(blob);
    }
    if (copies) {
      writeCopy(blob.copy(), blob.optional().copyDescription());
    }
    out.text("ServerEncrypted", "true");
    SoftDeletion deletion = blob.optional().deletion();
    if (deletion != null) {
      long daysLeft = Math.max(0, deletion.endTicks() - page.now()) / TICKS_PER_DAY;
      out.text("DeletedTime", BlobAnswerHeaders.date(deletion.deletedTicks()));
      out.text("RemainingRetentionDays", Long.toString(daysLeft));
    }
    if (!blob.tags().values().isEmpty()) {
      out.text("TagCount", Integer.toString(blob.tags().values().size()));
    }
    if (blob.optional().expiryTicks() != 0) {
      out.text("Expiry-Time", BlobAnswerHeaders.date(blob.optional().expiryTicks()));
    }
    if (blob.content().sealed()) {
      out.text("Sealed", "true");
    }
    Rehydration rehydration = blob.tierAt(page.now()).rehydration();
    if (rehydration != null) {
      out.text("RehydratePriority", rehydration.priority().text());
    }
    writeImmutability(blob.optional());
  }

  private void writeImmutability(OptionalProperties blob) {
    ImmutabilityPolicy policy = blob.immutability();
    if (policies && policy != null) {
      out.text("ImmutabilityPolicyUntilDate", BlobAnswerHeaders.date(policy.untilTicks()));
      out.text("ImmutabilityPolicyMode", BlobAnswerHeaders.mode(policy));
    }
    if (holds && blob.legalHold()) {
      out.text("LegalHold", "true");
    }
  }

  private void writeUncommitted(BlobProperties blob) {
    out.text("Content-Length", "0");
    writeKind(blob);
    writeLease(blob);
    out.text("ServerEncrypted", "true");
  }

  private void writeKind(BlobProperties blob) {
    TierState state = blob.tierAt(page.now());
    TierChoice tier = state.choice();
    Rehydration rehydration = state.rehydration();
    out.text("BlobType", blob.type().text());
    if (blob.type() != BlobType.BLOCK) {
      return;
    }
    if (tier == null) {
      out.text("AccessTier", BlobAnswerHeaders.inferredTier());
      out.text("AccessTierInferred", "true");
    } else {
      out.text("AccessTier", tier.tier().text());
      if (rehydration != null) {
        out.text("ArchiveStatus", rehydration.status());
      }
      out.text("AccessTierChangeTime", BlobAnswerHeaders.date(tier.changedTicks()));
    }
  }

  private void writeLease(BlobProperties blob) {
    LeaseState state = blob.lease().state(page.now());
    out.text("LeaseStatus", state.status());
    out.text("LeaseState", state.text());
    String duration = blob.lease().durationText(page.now());
    if (duration != null) {
      out.text("LeaseDuration", duration);
    }
  }

  private void writeCopy(@Nullable CopyProperties copy, @Nullable String description) {
    if (copy != null) {
      out.text("CopyId", copy.id().toString());
      out.text("CopySource", copy.source());
      out.text("CopyStatus", copy.status().text());
      out.text("CopyProgress", copy.progress());
      if (copy.endTicks() != 0) {
        out.text("CopyCompletionTime", BlobAnswerHeaders.date(copy.endTicks()));
      }
      if (description != null) {
        out.text("CopyStatusDescription", description);
      }
    }
  }

  private void orEmpty(String name, @Nullable String value) {
    out.text(name, value == null ? "" : value);
  }
}
