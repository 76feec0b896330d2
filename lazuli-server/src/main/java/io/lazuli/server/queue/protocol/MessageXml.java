package io.lazuli.server.queue.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.wire.InvalidXml;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Reads and writes messages as XML (queue-rest 6). The elements of a message depend on the
 * operation.
 */
final class MessageXml {
  static final int TEXT_BYTES_MAX = 65_536;

  private MessageXml() {}

  /** Returns the text of a new message, as it will be stored; throws 413 if it is too long. */
  static byte[] text(byte[] body) {
    XmlElement message = XmlElement.parse(body, Integer.MAX_VALUE).require("QueueMessage");
    XmlElement element = message.child("MessageText");
    if (element == null) {
      throw InvalidXml.because("Error parsing Xml content");
    }
    byte[] text = element.wholeText().getBytes(StandardCharsets.UTF_8);
    if (text.length > TEXT_BYTES_MAX) {
      throw CommonErrors.REQUEST_BODY_TOO_LARGE
          .exception()
          .with("MaxLimit", Integer.toString(TEXT_BYTES_MAX));
    }
    return text;
  }

  /** Writes the answer to Put Message, without text and dequeue count. */
  static byte[] put(QueueMessage message) {
    XmlWriter out = new XmlWriter();
    out.element("QueueMessagesList", () -> write(out, message, MessageXml::writeReceipt));
    return out.toByteArray();
  }

  /** Writes the answer to Get Messages. */
  static void taken(List<QueueMessage> messages, AnswerBuffer answer) {
    list(
        messages,
        answer,
        (out, each) -> {
          writeReceipt(out, each);
          writeTail(out, each);
        });
  }

  /** Writes the answer to Peek Messages, without receipts. */
  static void seen(List<QueueMessage> messages, AnswerBuffer answer) {
    list(messages, answer, MessageXml::writeTail);
  }

  private static void list(
      List<QueueMessage> messages, AnswerBuffer answer, BiConsumer<XmlWriter, QueueMessage> rest) {
    XmlWriter out = new XmlWriter();
    out.element(
        "QueueMessagesList",
        () -> {
          for (QueueMessage message : messages) {
            write(out, message, rest);
            answer.addIfLong(out::length, out::take);
          }
        });
    answer.add(out.take());
  }

  private static void write(
      XmlWriter out, QueueMessage message, BiConsumer<XmlWriter, QueueMessage> rest) {
    out.element(
        "QueueMessage",
        () -> {
          writeHead(out, message);
          rest.accept(out, message);
        });
  }

  private static void writeHead(XmlWriter out, QueueMessage message) {
    out.text("MessageId", message.id().toString());
    out.text("InsertionTime", time(message.inserted()));
    out.text("ExpirationTime", time(message.expires()));
  }

  private static void writeReceipt(XmlWriter out, QueueMessage message) {
    out.text("PopReceipt", message.receipt().text());
    out.text("TimeNextVisible", time(message.visibleAt()));
  }

  private static void writeTail(XmlWriter out, QueueMessage message) {
    out.text("DequeueCount", Integer.toString(message.dequeueCount()));
    out.text("MessageText", new String(message.text(), StandardCharsets.UTF_8));
  }

  static String time(long ticks) {
    return HttpDate.format(Ticks.toInstant(ticks));
  }
}
