package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.LeaseState;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.service.BlobOutcome.ContainerDeletion;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedContainer;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.wire.XmlWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a page of containers as XML (blob-rest 8.1). */
final class ContainerListXml {
  private final XmlWriter out = new XmlWriter();
  private final ContainerPage page;
  private final boolean metadata;

  private ContainerListXml(ContainerPage page, boolean metadata) {
    this.page = page;
    this.metadata = metadata;
  }

  /** Writes the containers of a page: all of them, or those before the page is too long. */
  static void write(
      ContainerPage page, QueryParameters asked, Address address, AnswerBuffer answer) {
    boolean metadata = new ListParameters(asked).includes("metadata");
    new ContainerListXml(page, metadata).write(asked, address, answer);
  }

  private void write(QueryParameters asked, Address address, AnswerBuffer answer) {
    List<ListedContainer> containers = page.containers();
    int[] shown = new int[1];
    out.element(
        "EnumerationResults",
        List.of("ServiceEndpoint", address.base() + "/"),
        () -> {
          echo(out, asked, "Prefix", "Marker", "MaxResults");
          out.element(
              "Containers",
              () ->
                  shown[0] =
                      answer.addPage(containers, this::writeContainer, out::length, out::take));
          String next =
              shown[0] < containers.size() ? containers.get(shown[0]).position() : page.next();
          out.text("NextMarker", next == null ? "" : "/" + address.account() + "/" + next);
        });
    answer.add(out.take());
  }

  /**
   * Repeats the parameters that the client sent. {@code MaxResults} is the effective number, which
   * is bounded.
   */
  static void echo(XmlWriter out, QueryParameters asked, String... names) {
    for (String name : names) {
      if (asked.has(name)) {
        out.text(name, name.equals("MaxResults") ? max(asked) : asked.text(name));
      }
    }
  }

  private static String max(QueryParameters asked) {
    return Integer.toString(new ListParameters(asked).max());
  }

  private void writeContainer(ListedContainer container) {
    out.element(
        "Container",
        () -> {
          ContainerDeletion deletion = container.deletion();
          out.text("Name", container.name());
          if (deletion != null) {
            out.text("Deleted", "true");
            out.text("Version", deletion.version());
          }
          out.element("Properties", () -> writeProperties(container.properties(), deletion));
          if (metadata) {
            out.element("Metadata", () -> container.properties().metadata().forEach(out::text));
          }
        });
  }

  private void writeProperties(
      ContainerProperties container, @Nullable ContainerDeletion deletion) {
    LeaseState state = container.lease().state(page.now());
    out.text("Last-Modified", BlobAnswerHeaders.date(container.changedTicks()));
    out.text("Etag", BlobETag.quoted(container.changedTicks()));
    out.text("LeaseStatus", state.status());
    out.text("LeaseState", state.text());
    String duration = container.lease().durationText(page.now());
    if (duration != null) {
      out.text("LeaseDuration", duration);
    }
    if (container.publicAccess() != PublicAccess.NONE) {
      out.text("PublicAccess", container.publicAccess().text());
    }
    out.text("DefaultEncryptionScope", "$account-encryption-key");
    out.text("DenyEncryptionScopeOverride", "false");
    out.text("HasImmutabilityPolicy", "false");
    out.text("HasLegalHold", "false");
    out.text("ImmutableStorageWithVersioningEnabled", Boolean.toString(page.immutability()));
    if (deletion != null) {
      long daysLeft = Math.max(0, deletion.endTicks() - page.now()) / BlobListXml.TICKS_PER_DAY;
      out.text("DeletedTime", BlobAnswerHeaders.date(deletion.deletedTicks()));
      out.text("RemainingRetentionDays", Long.toString(daysLeft));
    }
  }
}
