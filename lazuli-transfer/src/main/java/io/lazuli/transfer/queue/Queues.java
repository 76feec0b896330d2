package io.lazuli.transfer.queue;

import io.lazuli.transfer.http.Answer;
import io.lazuli.transfer.http.Call;
import io.lazuli.transfer.http.Percent;
import io.lazuli.transfer.http.ServiceFailure;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests to a queue. */
public final class Queues {
  /** The most messages that one request returns. */
  static final int MESSAGES_MAX = 32;

  private static final String META = "x-ms-meta-";

  private final StorageClient client;
  private final String path;

  public Queues(StorageClient client, String queue) {
    this.client = client;
    this.path = "/" + Percent.encode(queue);
  }

  /** The count of messages, hidden ones too, and the metadata. */
  record Description(long messages, Map<String, String> metadata) {}

  @Override
  public String toString() {
    return client.endpoint() + path;
  }

  Description describe() {
    return client.call(
        new Call("GET", path).query("comp", "metadata"),
        answer -> {
          String count = answer.header("x-ms-approximate-messages-count");
          return new Description(count == null ? 0 : Long.parseLong(count), answer.metadata());
        });
  }

  /** Creates the queue if it does not exist. */
  void create(Map<String, String> metadata) {
    Call call = new Call("PUT", path);
    metadata.forEach((name, value) -> call.header(META + name, value));
    try {
      client.call(call);
    } catch (ServiceFailure e) {
      boolean forbidden = e.status() == 403 && client.endpoint().key() == null;
      if (!e.code().equals("QueueAlreadyExists") && !forbidden) {
        throw e;
      }
    }
  }

  /** Returns the first messages that are visible, without a change. */
  List<Message> peek() {
    return client.call(
        messages().query("peekonly", "true").query("numofmessages", "" + MESSAGES_MAX),
        Queues::read);
  }

  /** Returns messages and hides them. */
  List<Message> receive(long seconds) {
    return client.call(
        messages()
            .query("visibilitytimeout", Long.toString(seconds))
            .query("numofmessages", "" + MESSAGES_MAX),
        Queues::read);
  }

  private Call messages() {
    return new Call("GET", path + "/messages");
  }

  /** Makes a received message visible; does nothing if somebody else has it. */
  void release(Message message) {
    try {
      client.call(
          new Call("PUT", path + "/messages/" + Percent.encode(message.id()))
              .query("popreceipt", message.receipt())
              .query("visibilitytimeout", "0"));
    } catch (ServiceFailure e) {
      if (!e.code().equals("MessageNotFound") && !e.code().equals("PopReceiptMismatch")) {
        throw e;
      }
    }
  }

  /**
   * Sends a message.
   *
   * @param ttlSeconds the time until it expires, or -1 for never
   */
  void put(String text, long ttlSeconds) {
    String xml = "<QueueMessage><MessageText>" + Xml.escape(text) + "</MessageText></QueueMessage>";
    client.call(
        new Call("POST", path + "/messages")
            .query("messagettl", Long.toString(ttlSeconds))
            .header("content-type", "application/xml")
            .body(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Message> read(Answer answer) throws IOException {
    List<Message> messages = new ArrayList<>();
    Xml xml = new Xml(answer.body());
    xml.child();
    while (xml.child() != null) {
      Map<String, String> fields = new HashMap<>();
      String name = xml.child();
      while (name != null) {
        fields.put(name, xml.text());
        name = xml.child();
      }
      messages.add(
          new Message(
              fields.getOrDefault("MessageId", ""),
              fields.getOrDefault("InsertionTime", ""),
              fields.getOrDefault("ExpirationTime", ""),
              Long.parseLong(fields.getOrDefault("DequeueCount", "0")),
              fields.getOrDefault("PopReceipt", ""),
              fields.getOrDefault("MessageText", "")));
    }
    return messages;
  }
}
