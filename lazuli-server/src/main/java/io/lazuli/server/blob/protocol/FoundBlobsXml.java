package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlob;
import io.lazuli.server.blob.service.BlobOutcome.FoundBlobs;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.wire.XmlWriter;
import java.util.List;

/** Writes a page of Find Blobs by Tags as XML (blob-features 1.4). */
final class FoundBlobsXml {
  private final XmlWriter out = new XmlWriter();
  private final boolean versions;

  /**
   * @param versions whether the client asked for versions
   */
  private FoundBlobsXml(boolean versions) {
    this.versions = versions;
  }

  /**
   * Writes the blobs of a page: all of them, or those before the page is too long.
   *
   * @param base the URL of the account
   */
  static void write(FoundBlobs page, QueryParameters asked, String base, AnswerBuffer answer) {
    boolean versions = new SearchParameters(asked).versions();
    new FoundBlobsXml(versions).writePage(page, asked, base, answer);
  }

  private void writePage(FoundBlobs page, QueryParameters asked, String base, AnswerBuffer answer) {
    List<FoundBlob> blobs = page.blobs();
    int[] shown = new int[1];
    out.element(
        "EnumerationResults",
        List.of("ServiceEndpoint", base + "/"),
        () -> {
          out.text("Where", asked.text("where"));
          out.element(
              "Blobs",
              () -> shown[0] = answer.addPage(blobs, this::writeBlob, out::length, out::take));
          SearchMarker next = shown[0] < blobs.size() ? blobs.get(shown[0]).at() : page.next();
          out.text("NextMarker", next == null ? "" : next.text());
        });
    answer.add(out.take());
  }

  private void writeBlob(FoundBlob blob) {
    out.element(
        "Blob",
        () -> {
          BlobListXml.writeName(out, blob.name().text());
          out.text("ContainerName", blob.container());
          if (versions && blob.versionTicks() != 0) {
            out.text("VersionId", SnapshotTime.text(blob.versionTicks()));
            if (blob.current()) {
              out.text("IsCurrentVersion", "true");
            }
          }
          TagsXml.write(out, new BlobTags(blob.tags()));
        });
  }
}
