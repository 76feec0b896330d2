package io.lazuli.transfer.queue;

import io.lazuli.transfer.progress.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of a queue.
 *
 * @param receipt the pop receipt of a message that was received; empty if it was not
 * @param text as in the XML of the protocol: SDKs may have encoded it
 */
record Message(
    String id, String inserted, String expires, long dequeueCount, String receipt, String text) {

  /** Returns the members of a line, without the receipt. */
  Map<String, @Nullable Object> line() {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("id", id);
    line.put("inserted", inserted);
    line.put("expires", expires);
    line.put("dequeueCount", dequeueCount);
    line.put("text", text);
    return line;
  }

  /** Returns the members of a line that remembers the receipt. */
  Map<String, @Nullable Object> received() {
    Map<String, @Nullable Object> line = line();
    line.put("receipt", receipt);
    return line;
  }

  static Message of(Map<String, @Nullable Object> line) {
    return new Message(
        Json.text(line.get("id")),
        Json.text(line.get("inserted")),
        Json.text(line.get("expires")),
        Json.number(line.get("dequeueCount")),
        Json.text(line.get("receipt")),
        Json.text(line.get("text")));
  }
}
