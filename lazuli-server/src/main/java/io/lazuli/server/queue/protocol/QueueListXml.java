package io.lazuli.server.queue.protocol;

import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.service.QueueOutcome.ListedQueue;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.wire.XmlWriter;
import java.util.List;

/** Writes a page of queues as XML (queue-rest 4.1). */
final class QueueListXml {
  private QueueListXml() {}

  /**
   * Writes a page.
   *
   * @param base the URL of the account
   */
  static byte[] write(QueuePage page, QueryParameters asked, String account, String base) {
    XmlWriter out = new XmlWriter();
    boolean metadata = asked.text("include").equals("metadata");
    out.element(
        "EnumerationResults",
        List.of("ServiceEndpoint", base + "/"),
        () -> {
          echo(out, "Prefix", asked.text("prefix"));
          echo(out, "Marker", asked.text("marker"));
          if (asked.has("maxresults")) {
            out.text("MaxResults", Integer.toString(asked.pageSize(OperationDecoder.LISTED_MAX)));
          }
          out.element(
              "Queues", () -> page.queues().forEach(queue -> writeQueue(out, queue, metadata)));
          String next = page.next();
          out.text("NextMarker", next == null ? "" : "/" + account + "/" + next);
        });
    return out.toByteArray();
  }

  private static void echo(XmlWriter out, String name, String value) {
    if (!value.isEmpty()) {
      out.text(name, value);
    }
  }

  private static void writeQueue(XmlWriter out, ListedQueue queue, boolean metadata) {
    out.element(
        "Queue",
        () -> {
          out.text("Name", queue.name());
          if (metadata) {
            out.element("Metadata", () -> queue.metadata().pairs().forEach(out::text));
          }
        });
  }
}
