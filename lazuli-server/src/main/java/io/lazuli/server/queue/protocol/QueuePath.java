package io.lazuli.server.queue.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.PercentEncoding;
import java.util.ArrayList;
import java.util.List;

/**
 * The resource that a path below the account names (queue-rest 2.1). Names are not checked here.
 */
sealed interface QueuePath {
  /** Returns the name of the queue; empty if the path names none. */
  String queue();

  /** The service itself. */
  record Service() implements QueuePath {
    @Override
    public String queue() {
      return "";
    }
  }

  /** {@code /queue}. */
  record Queue(String queue) implements QueuePath {}

  /** {@code /queue/messages}. */
  record Messages(String queue) implements QueuePath {}

  /** {@code /queue/messages/id}. */
  record Message(String queue, String id) implements QueuePath {}

  /** Parses a path; a trailing slash is ignored. */
  static QueuePath parse(String rawPath) {
    List<String> segments = segments(rawPath);
    if (segments.isEmpty()) {
      return new Service();
    } else if (segments.size() == 1) {
      return new Queue(segments.get(0));
    } else if (segments.size() > 3 || !segments.get(1).equals("messages")) {
      throw noResource();
    }
    return segments.size() == 2
        ? new Messages(segments.get(0))
        : new Message(segments.get(0), segments.get(2));
  }

  private static List<String> segments(String rawPath) {
    List<String> segments = new ArrayList<>(3);
    String[] parts = rawPath.split("/", -1);
    int end = parts[parts.length - 1].isEmpty() ? parts.length - 1 : parts.length;
    for (int i = 1; i < end; i++) {
      String segment = PercentEncoding.decode(parts[i]);
      if (segment == null || segment.isEmpty()) {
        throw noResource();
      }
      segments.add(segment);
    }
    return segments;
  }

  private static ServiceException noResource() {
    return CommonErrors.INVALID_URI.exception();
  }
}
