package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.fuzz.Fuzz;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Uses random tokens for key ranges with every operation, on a table of many users. A token reads
 * exactly the rows in its range, with the content that the owner reads, and changes only those
 * rows.
 */
class KeyRangeFuzzTest {
  private static final List<String> PARTITIONS = List.of("", "a", "aa", "ab", "b", "c", "é", "z");
  private static final List<String> ROWS = List.of("", "1", "10", "2", "x");
  private static final Pattern ENTITY =
      Pattern.compile(
          "\"PartitionKey\":\"([^\"]*)\",\"RowKey\":\"([^\"]*)\",\"Timestamp\":\"([^\"]*)\"");
  private static final String PLAIN = "Accept: application/json;odata=nometadata";
  private static final String BATCH = "Content-Type: multipart/mixed; boundary=b";

  private static WireServer server;

  private record Key(String partition, String row) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = partition.compareTo(other.partition);
      return order != 0 ? order : row.compareTo(other.row);
    }

    String path() {
      return "(PartitionKey='"
          + PercentEncoding.encode(partition)
          + "',RowKey='"
          + PercentEncoding.encode(row)
          + "')";
    }

    String json() {
      return "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\",\"V\":1}";
    }
  }

  /** The terms of a token; empty ones are absent. */
  private record Range(String spk, String srk, String epk, String erk) {
    static Range next(Random random) {
      String spk = random.nextInt(3) == 0 ? "" : pick(PARTITIONS, random);
      String epk = random.nextInt(3) == 0 ? "" : pick(PARTITIONS, random);
      boolean row = random.nextBoolean();
      return new Range(
          spk,
          spk.isEmpty() || row ? "" : pick(ROWS, random),
          epk,
          epk.isEmpty() || random.nextBoolean() ? "" : pick(ROWS, random));
    }

    /** Follows auth 6.2, independently of the server's code. */
    boolean holds(Key key) {
      boolean afterStart = spk.isEmpty() || key.compareTo(new Key(spk, srk)) >= 0;
      int end = key.partition.compareTo(epk);
      boolean beforeEnd =
          epk.isEmpty() || end < 0 || (end == 0 && (erk.isEmpty() || key.row.compareTo(erk) <= 0));
      return afterStart && beforeEnd;
    }

    String token() {
      return WireServer.tableToken(
          "People", "sp", "raud", "spk", spk, "srk", srk, "epk", epk, "erk", erk);
    }
  }

  /** One token and the seed of the operations with it. */
  private record Session(Range range, long seed) {}

  @BeforeAll
  static void start() {
    server = new WireServer();
    server.owner("POST", "/Tables", "{\"TableName\":\"People\"}");
  }

  /** Inserts every row before a session, so that the session depends on its seed only. */
  private static void fill() {
    for (String partition : PARTITIONS) {
      String upserts = upserts(ROWS.stream().map(row -> new Key(partition, row)).toList());
      Answer answer = server.owner("POST", "/$batch", batchBody(upserts, true), BATCH);
      assertThat(answer.body()).contains("HTTP/1.1 204").doesNotContain("HTTP/1.1 4");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void aTokenReachesItsRangeAndNothingElse() {
    Fuzz.run(
        25,
        random -> new Session(Range.next(random), random.nextLong()),
        KeyRangeFuzzTest::assertConfined);
  }

  private static void assertConfined(Session session) {
    fill();
    Random random = new Random(session.seed);
    Map<Key, String> before = outside(session.range);
    for (int i = 0; i < 6; i++) {
      Key key = new Key(pick(PARTITIONS, random), pick(ROWS, random));
      switch (random.nextInt(6)) {
        case 0 -> assertPoint(session.range, key);
        case 1 -> assertWrite(session.range, key, random);
        case 2 -> assertBatch(session.range, key, random);
        default -> assertQuery(session.range, filter(key, random), random);
      }
    }
    assertThat(outside(session.range)).isEqualTo(before);
  }

  private static void assertPoint(Range range, Key key) {
    int expected =
        range.holds(key) ? server.owner("GET", "/People" + key.path(), "").status() : 404;
    assertThat(server.holder(range.token(), "GET", "/People" + key.path(), "").status())
        .isEqualTo(expected);
    Answer batched = batch(range, "GET /People" + key.path() + " HTTP/1.1\r\n", false);
    assertThat(batched.body()).contains("HTTP/1.1 " + expected + " ");
  }

  private static void assertWrite(Range range, Key key, Random random) {
    String token = range.token();
    String path = "/People" + key.path();
    Answer answer =
        switch (random.nextInt(6)) {
          case 0 -> server.holder(token, "POST", "/People", key.json());
          case 1 -> server.holder(token, "PUT", path, "{}");
          case 2 -> server.holder(token, "PUT", path, "{}", "If-Match: *");
          case 3 -> server.holder(token, "MERGE", path, "{\"V\":2}");
          case 4 -> server.holder(token, "POST", path, "{}", "X-HTTP-Method: PATCH", "If-Match: *");
          default -> server.holder(token, "DELETE", path, "", "If-Match: *");
        };
    if (range.holds(key)) {
      assertThat(answer.status()).as(answer.toString()).isIn(201, 204, 404, 409);
    } else {
      assertForbidden(answer);
    }
  }

  /** Sends a batch for some rows of one partition. One row outside the range refuses the batch. */
  private static void assertBatch(Range range, Key first, Random random) {
    List<Key> keys =
        ROWS.subList(random.nextInt(ROWS.size()), ROWS.size()).stream()
            .map(row -> new Key(first.partition, row))
            .toList();
    boolean allowed = keys.stream().allMatch(range::holds);
    Answer answer = batch(range, upserts(keys), true);
    if (allowed) {
      assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
    } else {
      assertForbidden(answer);
    }
  }

  private static void assertQuery(Range range, String filter, Random random) {
    String forged = continuation(random);
    String query = "$filter=" + encode(filter) + "&$top=" + (1 + random.nextInt(7));
    Map<Key, String> expected = new TreeMap<>(all("", query + forged));
    expected.keySet().removeIf(key -> !range.holds(key));
    assertThat(all(range.token(), query + forged)).isEqualTo(expected);
  }

  /** Returns no continuation, one for an arbitrary key, or one from the holder of another token. */
  private static String continuation(Random random) {
    Key key = new Key(pick(PARTITIONS, random), pick(ROWS, random));
    return switch (random.nextInt(3)) {
      case 0 -> "";
      case 1 -> "&NextPartitionKey=" + encode(key.partition) + "&NextRowKey=" + encode(key.row);
      default ->
          next(server.holder(Range.next(random).token(), "GET", "/People()?$top=1", "", PLAIN));
    };
  }

  /** Returns the parameters for the next page; empty if there is none. */
  private static String next(Answer answer) {
    String partition = answer.header("x-ms-continuation-NextPartitionKey");
    String row = answer.header("x-ms-continuation-NextRowKey");
    return partition == null
        ? ""
        : "&NextPartitionKey=" + encode(partition) + "&NextRowKey=" + encode(row);
  }

  /** Reads every page of a query, as the owner or as the holder of a token. */
  private static Map<Key, String> all(String token, String query) {
    Map<Key, String> found = new TreeMap<>();
    String page = query;
    while (true) {
      Answer answer =
          token.isEmpty()
              ? server.owner("GET", "/People()?" + page, "", PLAIN)
              : server.holder(token, "GET", "/People()?" + page, "", PLAIN);
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      Matcher entity = ENTITY.matcher(answer.body());
      while (entity.find()) {
        found.put(new Key(entity.group(1), entity.group(2)), entity.group(3));
      }
      String next = next(answer);
      if (next.isEmpty()) {
        return found;
      }
      page = query.replaceAll("&Next.*", "") + next;
    }
  }

  private static Map<Key, String> outside(Range range) {
    Map<Key, String> rows = all("", "$top=1000");
    rows.keySet().removeIf(range::holds);
    return rows;
  }

  private static String filter(Key key, Random random) {
    String partition = "PartitionKey %s '" + key.partition + "'";
    String row = "RowKey %s '" + key.row + "'";
    String other = "PartitionKey eq '" + pick(PARTITIONS, random) + "'";
    return switch (random.nextInt(9)) {
      case 0 -> "";
      case 1 -> partition.formatted("eq");
      case 2 -> partition.formatted("eq") + " and " + row.formatted("eq");
      case 3 -> partition.formatted("ge") + " and " + row.formatted("lt");
      case 4 -> row.formatted("eq");
      case 5 -> row.formatted("gt") + " or " + partition.formatted("lt");
      case 6 -> "not (" + partition.formatted("eq") + ") and V ne 5";
      case 7 ->
          "("
              + partition.formatted("eq")
              + " and "
              + row.formatted("eq")
              + ") or ("
              + other
              + " and "
              + row.formatted("ge")
              + ")";
      default -> other + " or true";
    };
  }

  private static Answer batch(Range range, String content, boolean changes) {
    return server.holder(range.token(), "POST", "/$batch", batchBody(content, changes), BATCH);
  }

  private static String batchBody(String content, boolean changes) {
    String head =
        changes ? "Content-Type: multipart/mixed; boundary=c" : "Content-Type: application/http";
    return "--b\r\n" + head + "\r\n\r\n" + content + "\r\n--b--\r\n";
  }

  private static String upserts(List<Key> keys) {
    StringBuilder parts = new StringBuilder();
    for (Key key : keys) {
      parts
          .append("--c\r\nContent-Type: application/http\r\n\r\nPUT /People")
          .append(key.path())
          .append(" HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{}\r\n");
    }
    return parts + "--c--\r\n";
  }

  private static void assertForbidden(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("AuthorizationFailure");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String pick(List<String> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
