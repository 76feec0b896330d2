package io.lazuli.conformance.queue;

import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.XmlElement;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** One message of an answer, with its elements by name in the order of the service. */
public record QueueMessage(Map<String, String> elements) {

  /** Returns the messages of an answer, which must be a list of messages. */
  public static List<QueueMessage> listOf(WireAnswer answer) {
    XmlElement root = XmlElement.rootOf(answer);
    if (!root.name().equals("QueueMessagesList")) {
      throw new AssertionError("not a list of messages: " + answer);
    }
    return root.children().stream().map(message -> new QueueMessage(message.texts())).toList();
  }

  public String element(String name) {
    String value = elements.get(name);
    if (value == null) {
      throw new AssertionError("there is no " + name + " in " + elements);
    }
    return value;
  }

  public String id() {
    return element("MessageId");
  }

  public String receipt() {
    return element("PopReceipt");
  }

  public String text() {
    return element("MessageText");
  }

  public int dequeueCount() {
    return Integer.parseInt(element("DequeueCount"));
  }

  /** Returns the time in an element. */
  public Instant time(String name) {
    return ZonedDateTime.parse(element(name), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
