package io.lazuli.storage.history.http;

import io.lazuli.storage.history.http.HttpLine.Answer;
import io.lazuli.storage.history.queue.QueueClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends raw requests to a queue service. */
final class HttpQueues implements QueueClient {
  private final HttpLine line;

  HttpQueues(Supplier<InetSocketAddress> address, String token) {
    this.line = new HttpLine(address, token);
  }

  @Override
  public void create(String queue) {
    try {
      expect(line.ask("PUT", "/" + queue, "", ""), 201, 204, 409);
    } catch (IOException e) {
      create(queue);
    }
  }

  @Override
  public Message put(String queue, String text) throws IOException {
    String body = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
    Answer answer = line.ask("POST", "/" + queue + "/messages", "", body);
    return messages(expect(answer, 201)).get(0);
  }

  @Override
  public List<Message> get(String queue, int max, int seconds) throws IOException {
    String query = "?numofmessages=" + max + "&visibilitytimeout=" + seconds;
    return messages(expect(line.ask("GET", "/" + queue + "/messages" + query, "", ""), 200));
  }

  @Override
  public List<Message> peek(String queue, int max) throws IOException {
    String query = "?peekonly=true&numofmessages=" + max;
    return messages(expect(line.ask("GET", "/" + queue + "/messages" + query, "", ""), 200));
  }

  @Override
  public String update(String queue, String id, String receipt, int seconds) throws IOException {
    String path = message(queue, id, receipt) + "&visibilitytimeout=" + seconds;
    return expect(line.ask("PUT", path, "", ""), 204, 404).header("x-ms-popreceipt");
  }

  @Override
  public boolean delete(String queue, String id, String receipt) throws IOException {
    String path = message(queue, id, receipt);
    return expect(line.ask("DELETE", path, "", ""), 204, 404).status() == 204;
  }

  private static String message(String queue, String id, String receipt) {
    String encoded = URLEncoder.encode(receipt, StandardCharsets.UTF_8);
    return "/" + queue + "/messages/" + id + "?popreceipt=" + encoded;
  }

  @Override
  public int count(String queue) throws IOException {
    Answer answer = expect(line.ask("GET", "/" + queue + "?comp=metadata", "", ""), 200);
    return Integer.parseInt(answer.header("x-ms-approximate-messages-count"));
  }

  private static List<Message> messages(Answer answer) {
    List<Message> messages = new ArrayList<>();
    String[] parts = answer.body().split("<QueueMessage>", -1);
    for (int i = 1; i < parts.length; i++) {
      String dequeues = element(parts[i], "DequeueCount");
      messages.add(
          new Message(
              element(parts[i], "MessageId"),
              element(parts[i], "PopReceipt"),
              dequeues.isEmpty() ? 0 : Integer.parseInt(dequeues),
              element(parts[i], "MessageText")));
    }
    return messages;
  }

  private static String element(String xml, String name) {
    int from = xml.indexOf("<" + name + ">");
    return from < 0
        ? ""
        : xml.substring(from + name.length() + 2, xml.indexOf("</" + name + ">", from));
  }

  private static Answer expect(Answer answer, int... statuses) {
    for (int each : statuses) {
      if (answer.status() == each) {
        return answer;
      }
    }
    throw new IllegalStateException("unexpected: " + answer);
  }

  @Override
  public void close() throws IOException {
    line.close();
  }
}
