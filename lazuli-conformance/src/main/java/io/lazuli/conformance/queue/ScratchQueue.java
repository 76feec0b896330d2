package io.lazuli.conformance.queue;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.CleanUp;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.TranscriptPlayer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import java.util.UUID;

/**
 * A new queue in the account under test, with the calls that most cases need. If the account
 * outlives the run, the queue is deleted at the end.
 */
public record ScratchQueue(WireClient wire, String name) {

  /** Holds the client that all cases share. It is created when the first case needs it. */
  private static final class Shared {
    static final WireClient CLIENT = new WireClient(AccountUnderTest.get(StorageService.QUEUE));
  }

  /** Returns the raw client for the queues of the account under test. */
  public static WireClient sharedWire() {
    return Shared.CLIENT;
  }

  public static ScratchQueue create() {
    ScratchQueue queue = named(freshName());
    expect(queue.wire.request("PUT", queue.path()).send()).status(201);
    return queue;
  }

  /**
   * Returns a handle to a queue that the case creates itself or never creates. The name must be
   * new.
   */
  public static ScratchQueue named(String name) {
    ScratchQueue queue = new ScratchQueue(sharedWire(), name);
    CleanUp.later(queue::drop);
    return queue;
  }

  public static String freshName() {
    return "q" + UUID.randomUUID().toString().replace("-", "");
  }

  public String path() {
    return "/" + name;
  }

  /** Returns the resource of the messages. The query string may be empty. */
  public String messages(String query) {
    return path() + "/messages" + (query.isEmpty() ? "" : "?" + query);
  }

  public String message(String id, String query) {
    return path() + "/messages/" + id + (query.isEmpty() ? "" : "?" + query);
  }

  /** Returns the body of Put Message and Update Message. */
  public static String body(String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<QueueMessage><MessageText>"
        + escaped.replace("\r", "&#xD;")
        + "</MessageText></QueueMessage>";
  }

  public WireRequest put(String text, String query) {
    return wire.request("POST", messages(query)).body(body(text));
  }

  /** Puts a message, which must succeed, and returns the message of the answer. */
  public QueueMessage added(String text, String query) {
    WireAnswer answer = put(text, query).send();
    expect(answer).status(201);
    List<QueueMessage> messages = QueueMessage.listOf(answer);
    if (messages.size() != 1) {
      throw new AssertionError("not exactly one message: " + answer);
    }
    return messages.get(0);
  }

  public QueueMessage added(String text) {
    return added(text, "");
  }

  public WireRequest get(String query) {
    return wire.get(messages(query));
  }

  /** Gets messages, which must succeed. */
  public List<QueueMessage> taken(String query) {
    WireAnswer answer = get(query).send();
    expect(answer).status(200);
    return QueueMessage.listOf(answer);
  }

  /** Gets messages and returns the only one. */
  public QueueMessage takenOne(String query) {
    List<QueueMessage> messages = taken(query);
    if (messages.size() != 1) {
      throw new AssertionError("not exactly one message: " + messages);
    }
    return messages.get(0);
  }

  public List<QueueMessage> peeked() {
    return taken("peekonly=true&numofmessages=32");
  }

  public WireRequest update(String id, String receipt, int visibilitySeconds) {
    String query = "popreceipt=%s&visibilitytimeout=%d";
    return wire.request(
        "PUT", message(id, query.formatted(Keys.encode(receipt), visibilitySeconds)));
  }

  public WireRequest delete(String id, String receipt) {
    return wire.delete(message(id, "popreceipt=" + Keys.encode(receipt)));
  }

  public WireRequest metadata() {
    return wire.get(path() + "?comp=metadata");
  }

  /** Returns the approximate number of messages that the service reports. */
  public int count() {
    WireAnswer answer = metadata().send();
    expect(answer).status(200).hasHeader("x-ms-approximate-messages-count");
    return Integer.parseInt(answer.header("x-ms-approximate-messages-count").orElse("-1"));
  }

  public WireRequest setPolicies(String identifiers) {
    return wire.request("PUT", path() + "?comp=acl")
        .body("<SignedIdentifiers>" + identifiers + "</SignedIdentifiers>");
  }

  /** Returns a shared access signature for this queue that is not signed yet. */
  public SharedAccess access(String permissions) {
    return SharedAccess.ofQueue(wire.account(), name).permissions(permissions);
  }

  /** Returns a player of transcripts that name this queue {@code {queue}}. */
  public TranscriptPlayer transcriptPlayer() {
    return new TranscriptPlayer(wire, "queue", name);
  }

  private void drop() {
    wire.delete(path()).send();
  }
}
