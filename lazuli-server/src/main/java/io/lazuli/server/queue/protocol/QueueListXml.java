package io.lazuli.server.queue.protocol;

import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.queue.service.QueueOutcome.ListedQueue;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.wire.XmlWriter;
import java.util.List;

/** Writes a page of queues as XML (queue-rest 4.1). */
final class QueueListXml {
  private QueueListXml() {}

  /**
   * Writes the queues of a page: all of them, or those before the page is too long.
   *
   * @param base the URL of the account
   */
  static void write(
      QueuePage page, QueryParameters asked, String account, String base, AnswerBuffer answer) {
    List<ListedQueue> queues = page.queues();
    int[] shown = new int[1];
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
              "Queues",
              () ->
                  shown[0] =
                      answer.addPage(
                          queues,
                          queue -> writeQueue(out, queue, metadata),
                          out::length,
                          out::take));
          String next = shown[0] < queues.size() ? queues.get(shown[0]).name() : page.next();
          out.text("NextMarker", next == null ? "" : "/" + account + "/" + next);
        });
    answer.add(out.take());
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
