package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes a few tables, queues and containers at random, one request at a time, and knows what they
 * hold: each thing by a name, for example {@code tab1/r2}.
 */
final class RandomStore {
  private static final List<Integer> NUMBERS = List.of(1, 2, 3);
  private static final int NAMES = 5;
  private static final String JSON = "Content-Type: application/json";
  private static final String PLAIN = "Accept: application/json;odata=nometadata";
  private static final String BLOB = "x-ms-blob-type: BlockBlob";
  private static final Pattern ENTITY =
      Pattern.compile("\"RowKey\":\"(\\w+)\"[^}]*\"V\":\"(\\w+)\"");
  private static final Pattern MESSAGE = Pattern.compile("<MessageText>(\\w+)</MessageText>");

  private final Random random;
  private final TreeMap<String, String> model = new TreeMap<>();
  private int count;

  RandomStore(Random random) {
    this.random = random;
  }

  /** Returns what is stored now. */
  SortedMap<String, String> model() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(model));
  }

  /** Sends one request that changes something. */
  void step(LazuliServer server) throws IOException {
    count++;
    int number = NUMBERS.get(random.nextInt(NUMBERS.size()));
    switch (random.nextInt(3)) {
      case 0 -> table(server, "tab" + number);
      case 1 -> queue(server, "que" + number);
      default -> container(server, "con" + number);
    }
  }

  private void table(LazuliServer server, String table) throws IOException {
    try (WireServer tables = WireServer.onTables(server)) {
      String key = table + "/r" + random.nextInt(NAMES);
      String path = "/" + table + "(PartitionKey='p',RowKey='" + key.substring(5) + "')";
      if (!model.containsKey(table)) {
        String body = "{\"TableName\":\"" + table + "\"}";
        assertThat(tables.owner("POST", "/Tables", body, JSON).status()).isEqualTo(201);
        model.put(table, "");
      } else if (random.nextInt(12) == 0) {
        assertThat(tables.owner("DELETE", "/Tables('" + table + "')", "").status()).isEqualTo(204);
        removeAll(table);
      } else if (model.containsKey(key) && random.nextInt(3) == 0) {
        assertThat(tables.owner("DELETE", path, "", "If-Match: *").status()).isEqualTo(204);
        model.remove(key);
      } else {
        String body = "{\"V\":\"" + count + "\"}";
        assertThat(tables.owner("PUT", path, body, JSON).status()).isEqualTo(204);
        model.put(key, "" + count);
      }
    }
  }

  private void queue(LazuliServer server, String queue) throws IOException {
    try (WireServer queues = WireServer.onQueues(server)) {
      if (!model.containsKey(queue)) {
        assertThat(queues.owner("PUT", "/" + queue, "").status()).isEqualTo(201);
        model.put(queue, "");
      } else if (random.nextInt(12) == 0) {
        assertThat(queues.owner("DELETE", "/" + queue, "").status()).isEqualTo(204);
        removeAll(queue);
      } else if (random.nextInt(10) == 0 || model.tailMap(queue + "/").size() > 25) {
        assertThat(queues.owner("DELETE", "/" + queue + "/messages", "").status()).isEqualTo(204);
        removeAll(queue);
        model.put(queue, "");
      } else {
        String body = "<QueueMessage><MessageText>" + count + "</MessageText></QueueMessage>";
        assertThat(queues.owner("POST", "/" + queue + "/messages", body).status()).isEqualTo(201);
        model.put(queue + "/" + count, "" + count);
      }
    }
  }

  private void container(LazuliServer server, String container) throws IOException {
    try (WireServer blobs = WireServer.onBlobs(server)) {
      String key = container + "/b" + random.nextInt(NAMES);
      if (!model.containsKey(container)) {
        String path = "/" + container + "?restype=container";
        assertThat(blobs.owner("PUT", path, "").status()).isEqualTo(201);
        model.put(container, "");
      } else if (random.nextInt(12) == 0) {
        String path = "/" + container + "?restype=container";
        assertThat(blobs.owner("DELETE", path, "").status()).isEqualTo(202);
        removeAll(container);
      } else if (model.containsKey(key) && random.nextInt(3) == 0) {
        assertThat(blobs.owner("DELETE", "/" + key, "").status()).isEqualTo(202);
        model.remove(key);
      } else {
        // Content above 64 KiB is a chunk.
        String content = ("" + count).repeat(random.nextBoolean() ? 10 : 40_000);
        assertThat(blobs.owner("PUT", "/" + key, content, BLOB).status()).isEqualTo(201);
        model.put(key, content);
      }
    }
  }

  private void removeAll(String name) {
    model.keySet().removeIf(key -> key.equals(name) || key.startsWith(name + "/"));
  }

  /** Reads everything from a server. */
  static SortedMap<String, String> read(LazuliServer server) throws IOException {
    TreeMap<String, String> found = new TreeMap<>();
    try (WireServer tables = WireServer.onTables(server);
        WireServer queues = WireServer.onQueues(server);
        WireServer blobs = WireServer.onBlobs(server)) {
      for (int number : NUMBERS) {
        String table = "tab" + number;
        String entities = tables.owner("GET", "/" + table + "()", "", PLAIN).body();
        if (!entities.contains("TableNotFound")) {
          found.put(table, "");
          addAll(ENTITY.matcher(entities), table, found);
        }
        String queue = "que" + number;
        String path = "/" + queue + "/messages?peekonly=true&numofmessages=32";
        String messages = queues.owner("GET", path, "").body();
        if (!messages.contains("QueueNotFound")) {
          found.put(queue, "");
          Matcher message = MESSAGE.matcher(messages);
          while (message.find()) {
            found.put(queue + "/" + message.group(1), message.group(1));
          }
        }
        readContainer(blobs, "con" + number, found);
      }
    }
    return found;
  }

  private static void readContainer(WireServer blobs, String container, Map<String, String> to)
      throws IOException {
    if (blobs.owner("GET", "/" + container + "?restype=container", "").status() != 200) {
      return;
    }
    to.put(container, "");
    for (int i = 0; i < NAMES; i++) {
      Answer answer = blobs.owner("GET", "/" + container + "/b" + i, "");
      if (answer.status() == 200) {
        to.put(container + "/b" + i, answer.body());
      }
    }
  }

  private static void addAll(Matcher rows, String table, Map<String, String> to) {
    while (rows.find()) {
      to.put(table + "/" + rows.group(1), rows.group(2));
    }
  }
}
