package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Gets a message and deletes it, repeatedly, until it is stopped or no message is left. Every
 * message that it gets is deleted.
 */
public final class QueuePairs implements Script {
  private final QueueRequests requests;
  private final String queue;
  private final BooleanSupplier more;
  private final AtomicLong deleted;
  private String id = "";
  private String receipt = "";
  private boolean empty;

  private QueuePairs(
      QueueRequests requests, String queue, BooleanSupplier more, AtomicLong deleted) {
    this.requests = requests;
    this.queue = queue;
    this.more = more;
    this.deleted = deleted;
  }

  /**
   * Returns one script per connection; they share the work.
   *
   * @param more called before each get
   * @param deleted incremented with each delete
   */
  public static List<QueuePairs> of(
      int connections,
      QueueRequests requests,
      String queue,
      BooleanSupplier more,
      AtomicLong deleted) {
    return IntStream.range(0, connections)
        .mapToObj(i -> new QueuePairs(requests, queue, more, deleted))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    if (!id.isEmpty()) {
      return Optional.of(requests.delete(queue, id, receipt));
    }
    return empty || !more.getAsBoolean() ? Optional.empty() : Optional.of(requests.get(queue));
  }

  @Override
  public boolean accept(ResponseReader answer) {
    if (id.isEmpty()) {
      id = element(answer.body(), "MessageId");
      receipt = element(answer.body(), "PopReceipt");
      empty = id.isEmpty();
    } else {
      id = "";
      deleted.incrementAndGet();
    }
    return answer.succeeded();
  }

  /** Returns the text of the first element with that name; empty if there is none. */
  private static String element(String xml, String name) {
    int from = xml.indexOf("<" + name + ">");
    int to = xml.indexOf("</" + name + ">");
    return from < 0 ? "" : xml.substring(from + name.length() + 2, to);
  }
}
