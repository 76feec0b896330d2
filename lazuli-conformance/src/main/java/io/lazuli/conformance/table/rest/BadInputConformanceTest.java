package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Input that no client should send. It is refused with an error code, writes nothing, and never
 * causes a 500.
 */
@Covers(Area.ERRORS)
class BadInputConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "[]",
        "null",
        "5",
        "\"text\"",
        "{]",
        "{\"PartitionKey\"}",
        "{\"PartitionKey\":}",
        "{\"PartitionKey\":\"p\" \"RowKey\":\"r\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",}",
        "{'PartitionKey':'p','RowKey':'r'}",
        "{PartitionKey:\"p\",RowKey:\"r\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"} x",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}{}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":NaN}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":01}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":+1}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":.5}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":1e999}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":\"\\q\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":\"\\u12\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"V\":\"line\nbreak\"}",
        "{\"PartitionKey\":5,\"RowKey\":\"r\"}",
        "{\"PartitionKey\":\"p\",\"RowKey\":true}",
        "{\"PartitionKey\":{},\"RowKey\":\"r\"}",
        "{\"PartitionKey\":\"1\",\"PartitionKey@odata.type\":\"Edm.Int64\",\"RowKey\":\"r\"}",
        "<entry/>"
      })
  @Documented("table-rest 4.4")
  void aBodyThatIsNoEntityIsInvalidInput(String body) {
    expect(table.insert("").body(body).send()).error(400, "InvalidInput");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 4.4")
  void aPutThatIsNoEntityChangesNothing() {
    table.inserted(entity("r", "\"V\":1"));
    for (String body : List.of("", "[]", "{\"V\":", "{\"V\":{}}", "nonsense")) {
      for (String method : List.of("PUT", "PATCH", "MERGE")) {
        expect(table.wire().request(method, table.path("p", "r")).body(body).send())
            .error(400, "InvalidInput");
      }
    }
    assertThat(table.stored("p", "r").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 4.4; docs/architecture.md, promise 6")
  void textThatIsNotUtf8IsRefused() {
    byte[] json = entity("r", "\"V\":\"??\"").getBytes(StandardCharsets.UTF_8);
    int at = new String(json, StandardCharsets.ISO_8859_1).indexOf("??");
    json[at] = (byte) 0xff;
    json[at + 1] = (byte) 0xc0;
    expect(table.insert("").body(json).send()).error(400, "InvalidInput");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("docs/architecture.md, promise 6")
  void deeplyNestedJsonIsRefused() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(table.insert(entity("r", "\"V\":" + deep)).send()).error(400, "InvalidInput");
    String digits = "1".repeat(100_000);
    expect(table.insert(entity("r", "\"V\":" + digits)).send()).error(400, "InvalidInput");
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%zz",
        "/%",
        "/abc%2",
        "/abc%4",
        "/%s(PartitionKey='%%zz',RowKey='r')",
        "/%s(PartitionKey='%%ff',RowKey='r')",
        "/%s(PartitionKey='%%ED%%A0%%80',RowKey='r')",
        "/%s(PartitionKey='p',RowKey='r'",
        "/%s(PartitionKey='p',RowKey='r)",
        "/%s(PartitionKey='p,RowKey='r')",
        "/%s(PartitionKey=p,RowKey=r)",
        "/%s(,)",
        "/%s(PartitionKey='p',RowKey='r',X='y')",
        "/%s(PartitionKey='p',PartitionKey='q')",
        "/%s(PartitionKey='p';RowKey='r')",
        "/%s)",
        "/%s(PartitionKey='p',RowKey='r')x",
        "/Tables(",
        "/Tables('",
        "/Tables('a",
        "/Tables(')",
        "/Tables(abc)",
        "/Tables('a'b')"
      })
  @Documented("table-rest 2.2; docs/architecture.md, promise 6")
  @Differs("Azurite 3.37.0 answers 500 to several")
  void aPathThatNamesNothingIsRefused(String resource) {
    String path = resource.contains("%s") ? resource.formatted(table.name()) : resource;
    expect(table.wire().get(path).send()).refused();
    expect(table.wire().put(path, "{}").send()).refused();
    expect(table.wire().delete(path).ifMatch("*").send()).refused();
    assertThat(table.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"$filter=%zz", "$filter=%", "$filter=A%20eq%20'%ff'", "$select=%2"})
  @Documented("docs/architecture.md, promise 6")
  void aQueryWithBrokenEncodingIsRefused(String option) {
    expect(table.query(option).send()).refused();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$filter=RowKey%20eq%20'a'&$filter=RowKey%20eq%20'b'",
        "$top=1&$top=2",
        "$top=",
        "$top=99999999999999999999",
        "timeout=x",
        "timeout=-1",
        "$format=xml",
        "$format=atom",
        "$format=nonsense",
        "NextPartitionKey=%00",
        "$select=" + "A,,B",
        "&&&&"
      })
  @Documented("docs/architecture.md, promise 6")
  void oddOptionsAreNoServerError(String options) {
    WireAnswer answer = table.query(options).send();
    assertThat(answer.status()).as(answer.toString()).isLessThan(500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /devstoreaccount1/Tables HTTP/1.1\r\nno colon\r\n\r\n",
        "GET /devstoreaccount1/Tables HTTP/1.1\r\n\r\n",
        "POST /devstoreaccount1/Tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "POST /devstoreaccount1/Tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n",
        "GET /devstoreaccount1/a\u0001b HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  @Documented("table-rest 14 step 1")
  void textThatIsNoRequestIsRefused(String text) {
    WireAnswer answer = table.wire().sendRaw(text.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status())
        .as(answer.toString())
        .matches(status -> (status >= 400 && status < 500) || status == 501 || status == 505);
  }

  @Test
  @Documented("docs/architecture.md, promise 6")
  void oversizeHeadersAreRefused() {
    WireAnswer answer = table.query().header("X-Big", "x".repeat(300_000)).send();
    assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
    WireRequest many = table.query();
    for (int i = 0; i < 20_000; i++) {
      many.anotherHeader("X-H" + i, "value");
    }
    assertThat(many.send().status()).isBetween(400, 499);
    expect(table.query().send()).status(200);
  }

  @Test
  @Documented("table-rest 5.4")
  void aLongClientRequestIdIsNoServerError() {
    WireAnswer answer = table.query().header("x-ms-client-request-id", "x".repeat(1025)).send();
    assertThat(answer.status()).as(answer.toString()).isLessThan(500);
    expect(table.query().header("x-ms-client-request-id", "x".repeat(1024)).send()).status(200);
  }

  @Test
  @Documented("docs/architecture.md, promise 6")
  void randomDamageToGoodRequestsIsNeverAServerError() {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    Random random = new Random(seed);
    String batch = table.batch().insert(table.name(), entity("x")).text();
    List<String> bodies =
        List.of(entity("r", "\"A@odata.type\":\"Edm.Int64\",\"A\":\"5\",\"B\":1.5"), batch);
    for (int round = 0; round < 400; round++) {
      boolean isBatch = round % 2 == 1;
      byte[] body = damaged(bodies.get(round % 2), random);
      WireRequest request =
          isBatch ? table.wire().batch(table.batch()).body(body) : table.insert("").body(body);
      WireAnswer answer = request.send();
      assertThat(answer.status())
          .as("seed %d: %s\n%s", seed, new String(body, StandardCharsets.ISO_8859_1), answer)
          .isLessThan(500);
    }
  }

  @Test
  @Documented("docs/architecture.md, promise 6")
  void randomDamageToFiltersAndPathsIsNeverAServerError() {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    Random random = new Random(seed);
    String filter =
        "PartitionKey eq 'p' and (A gt 5L or not (B eq datetime'2024-01-01T00:00:00Z'))";
    for (int round = 0; round < 400; round++) {
      String text = new String(damaged(filter, random), StandardCharsets.ISO_8859_1);
      WireAnswer answer = table.filter(text).send();
      assertThat(answer.status())
          .as("seed %d: %s\n%s", seed, text, answer)
          .matches(status -> status < 500 || status == 501);
    }
  }

  /** Returns the text with one to three characters changed, removed or doubled. */
  private static byte[] damaged(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(4)) {
        case 0 -> changed.setCharAt(at, (char) random.nextInt(256));
        case 1 -> changed.deleteCharAt(at);
        case 2 -> changed.insert(at, changed.charAt(random.nextInt(changed.length())));
        default -> changed.setCharAt(at, "'\"(){}[]%:,\\ -".charAt(random.nextInt(14)));
      }
    }
    return changed.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
