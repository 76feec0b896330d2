package io.lazuli.conformance.table.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Random histories of one client: every answer must agree with a model, which is a sorted map. */
@Covers(Area.OPERATIONS)
class ModelConformanceTest {

  private static final List<String> VERBS = List.of("POST", "PUT", "MERGE", "PATCH", "DELETE");
  private static final String NO_TAG = "";

  private final ScratchTable table = ScratchTable.create();
  private final TreeMap<String, Stored> model = new TreeMap<>();

  /** An entity in the model: its tag and its integer properties. */
  record Stored(String tag, Map<String, Integer> properties) {}

  /** One write: the verb, the keys, the properties that are sent, and the tag for If-Match. */
  record Write(String verb, String partition, String row, Map<String, Integer> sent, String tag) {

    String id() {
      return partition + "\u0000" + row;
    }

    String json() {
      StringBuilder json = new StringBuilder("{");
      if (verb.equals("POST")) {
        json.append("\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"");
      }
      sent.forEach(
          (name, value) ->
              json.append(json.length() == 1 ? "" : ",").append("\"" + name + "\":" + value));
      return json.append("}").toString();
    }
  }

  @Test
  @Documented("mission T12 to T14")
  void aRandomHistoryEqualsTheModel(TestReporter reporter) {
    run(2_500, Long.getLong("conformance.seed", System.nanoTime()), reporter);
  }

  @Test
  @Tag("long")
  @Documented("mission T12 to T14")
  void aLongRandomHistoryEqualsTheModel(TestReporter reporter) {
    run(200_000, Long.getLong("conformance.seed", System.nanoTime()), reporter);
  }

  private void run(int steps, long seed, TestReporter reporter) {
    reporter.publishEntry("conformance.seed", String.valueOf(seed));
    Random random = new Random(seed);
    for (int step = 0; step < steps; step++) {
      try {
        switch (random.nextInt(10)) {
          case 0, 1 -> batch(random);
          case 2 -> query(random);
          case 3 -> read(randomWrite(random, "p" + random.nextInt(4)));
          default -> single(randomWrite(random, "p" + random.nextInt(4)));
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
      }
    }
  }

  private Write randomWrite(Random random, String partition) {
    String verb = VERBS.get(random.nextInt(VERBS.size()));
    String row = "r" + random.nextInt(12);
    Map<String, Integer> sent = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      sent.put("N" + random.nextInt(4), random.nextInt(10));
    }
    Write write = new Write(verb, partition, row, sent, NO_TAG);
    Stored stored = model.get(write.id());
    int choice = random.nextInt(4);
    String tag =
        choice == 0 ? "*" : choice == 1 ? staleTag() : choice == 2 ? currentTag(stored) : "";
    String needed = verb.equals("DELETE") && tag.isEmpty() ? "*" : tag;
    return new Write(verb, partition, row, sent, verb.equals("POST") ? NO_TAG : needed);
  }

  private static String staleTag() {
    return "W/\"datetime'2024-01-15T10%3A29%3A00Z'\"";
  }

  private static String currentTag(@Nullable Stored stored) {
    return stored == null ? "*" : stored.tag();
  }

  /** Returns the status that the model expects. */
  private int expectedStatus(Write write) {
    Stored stored = model.get(write.id());
    if (write.verb().equals("POST")) {
      return stored == null ? 204 : 409;
    }
    if (write.tag().isEmpty()) {
      return 204;
    }
    if (stored == null) {
      return 404;
    }
    return write.tag().equals("*") || write.tag().equals(stored.tag()) ? 204 : 412;
  }

  private void apply(Write write, String tag) {
    Map<String, Integer> next = new TreeMap<>();
    Stored stored = model.get(write.id());
    if (stored != null && (write.verb().equals("MERGE") || write.verb().equals("PATCH"))) {
      next.putAll(stored.properties());
    }
    next.putAll(write.sent());
    if (write.verb().equals("DELETE")) {
      model.remove(write.id());
    } else {
      model.put(write.id(), new Stored(tag, next));
    }
  }

  private String resource(Write write) {
    return write.verb().equals("POST") ? table.path() : table.path(write.partition(), write.row());
  }

  private void single(Write write) {
    WireRequest request = table.wire().request(write.verb(), resource(write));
    if (!write.verb().equals("DELETE")) {
      request.body(write.json());
    }
    if (!write.tag().isEmpty()) {
      request.ifMatch(write.tag());
    }
    WireAnswer answer = request.prefer("return-no-content").send();
    assertThat(answer.status()).as("%s: %s", write, answer).isEqualTo(expectedStatus(write));
    if (answer.status() == 204) {
      apply(write, answer.header("ETag").orElse(""));
    }
  }

  private void batch(Random random) {
    String partition = "p" + random.nextInt(4);
    List<Write> writes = new ArrayList<>();
    Set<String> rows = new HashSet<>();
    BatchText text = table.batch();
    for (int i = random.nextInt(6); i >= 0; i--) {
      Write write = randomWrite(random, partition);
      if (rows.add(write.row())) {
        writes.add(write);
        text.add(
            write.verb(),
            resource(write),
            write.verb().equals("DELETE") ? "" : write.json(),
            write.tag().isEmpty() ? "Prefer: return-no-content" : "If-Match: " + write.tag());
      }
    }
    int failing = 0;
    while (failing < writes.size() && expectedStatus(writes.get(failing)) == 204) {
      failing++;
    }
    List<WireAnswer> parts = table.wire().batch(text).send().parts();
    if (failing < writes.size()) {
      assertThat(parts).hasSize(1);
      expect(parts.get(0)).status(expectedStatus(writes.get(failing)));
      return;
    }
    assertThat(parts).hasSize(writes.size());
    for (int i = 0; i < parts.size(); i++) {
      apply(writes.get(i), parts.get(i).header("ETag").orElse(""));
    }
  }

  private void read(Write write) {
    WireAnswer answer = table.read(write.partition(), write.row()).send();
    Stored stored = model.get(write.id());
    expect(answer).status(stored == null ? 404 : 200);
    if (stored != null) {
      assertThat(answer.etag()).isEqualTo(stored.tag());
      assertThat(propertiesOf(answer.json())).isEqualTo(stored.properties());
    }
  }

  private static Map<String, Integer> propertiesOf(JsonNode entity) {
    Map<String, Integer> properties = new TreeMap<>();
    entity
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (name.matches("N\\d")) {
                properties.put(name, entity.get(name).asInt());
              }
            });
    return properties;
  }

  private void query(Random random) {
    int bound = random.nextInt(10);
    String name = "N" + random.nextInt(4);
    String partition = "p" + random.nextInt(4);
    boolean inPartition = random.nextBoolean();
    String filter =
        (inPartition ? "PartitionKey eq '" + partition + "' and " : "") + name + " ge " + bound;
    List<String> expected = new ArrayList<>();
    model.forEach(
        (id, stored) -> {
          boolean matches = stored.properties().getOrDefault(name, -1) >= bound;
          if (matches && (!inPartition || id.startsWith(partition + "\u0000"))) {
            expected.add(id + stored.tag() + stored.properties());
          }
        });
    List<String> found = new ArrayList<>();
    String token = "";
    do {
      String options = "()?$top=" + (1 + random.nextInt(20)) + "&$filter=" + Keys.encode(filter);
      WireAnswer page = table.wire().get(table.path() + options + token).send();
      expect(page).status(200);
      page.values().forEach(entity -> found.add(describe(entity)));
      token = ScratchTable.nextPage(page);
    } while (!token.isEmpty());
    assertThat(found).as(filter).isEqualTo(expected);
  }

  private static String describe(JsonNode entity) {
    return entity.path("PartitionKey").asText()
        + "\u0000"
        + entity.path("RowKey").asText()
        + entity.path("odata.etag").asText()
        + propertiesOf(entity);
  }
}
