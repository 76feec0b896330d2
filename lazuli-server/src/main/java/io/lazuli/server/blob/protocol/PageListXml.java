package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.page.PageRange;
import io.lazuli.server.blob.sparse.PageRanges;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.wire.XmlWriter;

/** Writes page ranges as XML (blob-features 7.6). */
final class PageListXml {
  private PageListXml() {}

  static void write(PageRanges.Found found, QueryParameters asked, AnswerBuffer answer) {
    Long next = found.next();
    boolean paged = next != null || asked.has("maxresults") || asked.has("marker");
    XmlWriter out = new XmlWriter();
    out.element(
        "PageList",
        () -> {
          found.ranges().forEach(range -> write(out, range));
          if (paged) {
            out.text("NextMarker", next == null ? "" : Long.toString(next));
          }
        });
    answer.add(out.take());
  }

  private static void write(XmlWriter out, PageRange range) {
    out.element(
        range.cleared() ? "ClearRange" : "PageRange",
        () -> {
          out.text("Start", Long.toString(range.from()));
          out.text("End", Long.toString(range.to()));
        });
  }
}
