package io.lazuli.server.requestlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.RequestEvent.Transfer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines have the form of logs-and-metrics 3. */
class LogLineWriterTest {
  private static final String TIME = "2026-07-31T18:21:46.2481552Z";

  /** The sizes of the headers are chosen to match the example: 412 and 318 bytes. */
  @Test
  void anInsertIsWrittenAsInTheExample() {
    TestRequest request = new TestRequest();
    request.operation = "InsertEntity";
    request.method = "POST";
    request.status = 201;
    request.target = "/acme/Employees?timeout=30";
    request.transfer = new Transfer(187, 402, 9_900_000, 4_100_000, true);
    request.contentLength = 187;
    request.headers.put("x-ms-version", "2019-02-02");
    request.headers.put("User-Agent", "azsdk-java-azure-data-tables/12.5.0");
    request.headers.put("x-ms-client-request-id", "1fe6814a-e4cb-4195-a3cf-837dc7120f68");
    request.headers.put("Authorization", "SharedKey acme:secret");
    request.headers.put("Filler", "f".repeat(183));
    request.answer.put("ETag", "W/\"datetime'2026-07-31T18%3A21%3A46.2481552Z'\"");
    request.answer.put("Filler", "f".repeat(235));
    assertThat(request.line(TIME))
        .isEqualTo(
            "1.0;2026-07-31T18:21:46.2481552Z;InsertEntity;Success;201;9;4;authenticated;acme;acme;"
                + "table;\"http://127.0.0.1:10002/acme/Employees?timeout=30\";\"/acme/Employees\";"
                + "668a4744-7eb3-4e8f-b8d3-fbfd3829715b;0;192.0.2.7:4362;2019-02-02;412;187;318;402;"
                + "187;;;\"W/\"datetime'2026-07-31T18%3A21%3A46.2481552Z'\"\";"
                + "Friday, 31-Jul-26 18:21:46 GMT;;\"azsdk-java-azure-data-tables/12.5.0\";;"
                + "\"1fe6814a-e4cb-4195-a3cf-837dc7120f68\"\n");
  }

  @Test
  void aGetWithASignatureIsWrittenAsInTheExample() {
    TestRequest request = new TestRequest();
    request.service = "queue";
    request.operation = "GetMessages";
    request.authentication = Authentication.SAS;
    request.host = "127.0.0.1:10001";
    request.target = "/acme/orders/messages?numofmessages=1&sv=2025-01-05&sig=c2VjcmV0%3D";
    request.transfer = new Transfer(0, 480, 3_000_000, 1_000_000, true);
    request.requestId = "61d2e3f6-bcb7-4cd1-a81e-4f8f497f0da2";
    request.address = "192.0.2.9";
    request.port = 51000;
    request.headers.put("X-MS-Version", "2025-01-05");
    request.headers.put("user-agent", "azsdk-python-storage-queue/12.9.0");
    request.headers.put("x-ms-client-request-id", "44dfd78e-7288-4898-8f70-c3478983d3b6");
    request.headers.put("Filler", "f".repeat(71));
    request.answer.put("Filler", "f".repeat(261));
    assertThat(request.line("2026-07-31T18:22:09.0000001Z"))
        .isEqualTo(
            "1.0;2026-07-31T18:22:09.0000001Z;GetMessages;SASSuccess;200;3;1;sas;;acme;queue;"
                + "\"http://127.0.0.1:10001/acme/orders/messages?numofmessages=1&amp;sv=2025-01-05"
                + "&amp;sig=XXXXX\";\"/acme/orders\";61d2e3f6-bcb7-4cd1-a81e-4f8f497f0da2;0;"
                + "192.0.2.9:51000;2025-01-05;300;0;290;480;0;;;;;;"
                + "\"azsdk-python-storage-queue/12.9.0\";;"
                + "\"44dfd78e-7288-4898-8f70-c3478983d3b6\"\n");
  }

  @Test
  void whateverAClientSendsALineHasThirtyFields() {
    TestRequest request = new TestRequest();
    String nasty = "a;b\"c\nd&e<f>g\u00e4;;\"";
    request.target = "/acme/T%22;x?$filter=a%20eq%20';';&x=\"";
    request.headers.put("User-Agent", nasty);
    request.headers.put("Referer", nasty);
    request.headers.put("If-Match", nasty);
    request.headers.put("If-None-Match", nasty);
    request.headers.put("Content-MD5", nasty);
    request.headers.put("x-ms-client-request-id", nasty);
    request.headers.put("x-ms-version", "1;2\"3\n");
    String line = request.line(TIME);
    List<String> fields = fields(line);
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(fields).hasSize(30);
    assertThat(fields.get(27)).isEqualTo("\"a;b&quot;c&#10;d&amp;e&lt;f&gt;g\u00e4;;&quot;\"");
    assertThat(fields.get(26)).startsWith("\"If-Match=a;b").contains(";If-None-Match=a;b");
    assertThat(fields.get(16)).isEmpty();
  }

  @Test
  void textsAreUtf8WithEscapesAmongAnyCharacters() {
    TestRequest request = new TestRequest();
    request.service = "blob";
    request.target = "/acme/docs/a%3C%C5%81%26%F0%9F%90%98%22z";
    List<String> fields = fields(request.line(TIME));
    assertThat(fields.get(12)).isEqualTo("\"/acme/docs/a&lt;\u0141&amp;\ud83d\udc18&quot;z\"");
  }

  @Test
  void numbersOfAnyLengthAreWritten() {
    TestRequest request = new TestRequest();
    request.contentLength = Long.MAX_VALUE;
    request.transfer = new Transfer(10, 99, 100_000_000_000L, 0, true);
    List<String> fields = fields(request.line(TIME));
    assertThat(fields.subList(5, 7)).containsExactly("100000", "0");
    assertThat(fields.get(18)).isEqualTo("10");
    assertThat(fields.get(20)).isEqualTo("99");
    assertThat(fields.get(21)).isEqualTo("9223372036854775807");
  }

  @Test
  void aWriterWritesOneLineAfterAnother() {
    TestRequest large = new TestRequest();
    large.headers.put("User-Agent", "\"".repeat(PickedHeaders.VALUE_CHARS_MAX));
    LogLineWriter writer = new LogLineWriter();
    String before = TestRequest.text(writer.line(new TestRequest().startedAt(TIME)));
    List<String> fields = fields(TestRequest.text(writer.line(large.startedAt(TIME))));
    assertThat(fields.get(27))
        .isEqualTo("\"" + "&quot;".repeat(PickedHeaders.VALUE_CHARS_MAX) + "\"");
    assertThat(TestRequest.text(writer.line(new TestRequest().startedAt(TIME)))).isEqualTo(before);
  }

  @Test
  void signaturesAreMaskedHoweverTheyAreWritten() {
    TestRequest request = new TestRequest();
    request.target =
        "/acme/t?sig=one&SIG=two&%73%69%67=three&design=kept&x=sig&sig%3Dfive&amp;sig=six";
    request.headers.put("Referer", "http://elsewhere/?sig=four&a=b%26sig%3Dseven");
    String line = request.line(TIME);
    assertThat(line)
        .doesNotContain("one")
        .doesNotContain("two")
        .doesNotContain("three")
        .doesNotContain("four")
        .doesNotContain("five")
        .doesNotContain("six")
        .doesNotContain("seven")
        .contains("sig=XXXXX&amp;SIG=XXXXX&amp;%73%69%67=XXXXX&amp;design=kept&amp;x=sig");
  }

  @Test
  void aBlobsTagAndTimeAreThoseOfItsHeaders() {
    TestRequest request = new TestRequest();
    request.answer.put("ETag", "\"0x8D15A2913C934DE\"");
    request.answer.put("Last-Modified", "Thu, 19 Jun 2014 22:58:10 GMT");
    List<String> fields = fields(request.line(TIME));
    assertThat(fields.get(24)).isEqualTo("\"\"0x8D15A2913C934DE\"\"");
    assertThat(fields.get(25)).isEqualTo("Thursday, 19-Jun-14 22:58:10 GMT");
  }

  @Test
  void aCopyHasThreeLines() {
    TestRequest request = new TestRequest();
    request.service = "blob";
    request.operation = "CopyBlob";
    request.method = "PUT";
    request.target = "/acme/docs/copy%20one.txt";
    request.headers.put("x-ms-copy-source", "http://127.0.0.1:10000/acme/docs/a?sig=secret");
    List<List<String>> lines = request.line(TIME).lines().map(LogLineWriterTest::fields).toList();
    assertThat(lines)
        .extracting(fields -> fields.get(2) + " " + fields.get(14) + fields.get(12))
        .containsExactly(
            "CopyBlob 0\"/acme/docs/copy one.txt\"",
            "CopyBlobSource 1\"http://127.0.0.1:10000/acme/docs/a?sig=XXXXX\"",
            "CopyBlobDestination 2\"/acme/docs/copy one.txt\"");
  }

  @Test
  void versionTwoHasEightMoreFieldsThatStayEmpty() {
    TestRequest request = new TestRequest();
    String one = request.line(TIME).strip();
    request.selection = new LogSelection("2.0", true, true, true);
    assertThat(request.line(TIME).strip()).isEqualTo("2.0" + one.substring(3) + ";;;;;;;;");
  }

  @Test
  void aClientThatWentAwayHasNoStatus() {
    TestRequest request = new TestRequest();
    request.transfer = new Transfer(0, 100, 1, 1, false);
    assertThat(request.line(TIME)).contains(";QueryEntities;NetworkError;Unknown;");
  }

  @Test
  void longValuesAreCut() {
    TestRequest request = new TestRequest();
    request.target = "/acme/" + "t".repeat(100_000);
    request.headers.put("User-Agent", "u".repeat(60_000));
    assertThat(request.line(TIME).length()).isLessThan(4 * PickedHeaders.VALUE_CHARS_MAX);
  }

  /** Splits a line as readers do: at semicolons outside of quotes. A tag has quotes of its own. */
  static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    String text = line.strip();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '"') {
        quoted = !quoted;
      } else if (text.charAt(i) == ';' && !quoted) {
        fields.add(text.substring(from, i));
        from = i + 1;
      }
    }
    fields.add(text.substring(from));
    return fields;
  }
}
