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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multipart text as the clients of five languages write it, and text that is not a batch. */
@Covers(Area.BATCH)
class BatchSyntaxConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  private WireAnswer send(String contentType, String text) {
    return table
        .wire()
        .request("POST", "/$batch")
        .header("Content-Type", contentType)
        .body(text)
        .send();
  }

  /**
   * Sends a text block, with CR LF in place of its line feeds, and returns the parts of the answer.
   */
  private List<WireAnswer> parts(String text) {
    WireAnswer answer =
        send("multipart/mixed; boundary=batch_1", text.formatted(urls()).replace("\n", "\r\n"));
    expect(answer).status(202);
    return answer.parts();
  }

  private Object[] urls() {
    return new Object[] {table.base(), table.name(), table.path("p", "old")};
  }

  @Test
  @Documented("table-rest 8.3: JavaScript")
  void javaScript() {
    table.inserted(entity("old"));
    String text =
        """
        --batch_1
        content-type: multipart/mixed; boundary=changeset_1


        --changeset_1
        content-type: application/http
        content-transfer-encoding: binary

        POST %1$s/%2$s HTTP/1.1
        accept: application/json
        content-type: application/json;odata=nometadata
        prefer: return-no-content


        {"PartitionKey":"p","RowKey":"new","V":1}
        --changeset_1
        content-type: application/http
        content-transfer-encoding: binary

        DELETE %1$s%3$s HTTP/1.1
        accept: application/json
        if-match: *



        --changeset_1--
        --batch_1--
        """;
    assertThat(parts(text)).allMatch(part -> part.status() == 204).hasSize(2);
    assertThat(table.rows()).containsExactly("new");
  }

  @Test
  @Documented("table-rest 8.3: Java")
  void java() {
    table.inserted(entity("old", "\"A\":1"));
    String text =
        """
        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_1

        --changeset_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        MERGE %1$s%3$s HTTP/1.1
        x-ms-version: 2019-02-02
        Accept: application/json;odata=minimalmetadata
        DataServiceVersion: 3.0
        If-Match: *
        Content-Type: application/json
        Content-Length: 7

        {"B":2}
        --changeset_1--

        --batch_1--
        """;
    assertThat(parts(text)).allMatch(part -> part.status() == 204).hasSize(1);
    assertThat(table.stored("p", "old")).hasSize(5);
  }

  @Test
  @Documented("table-rest 8.3: Python")
  @Differs("Azurite 3.37.0 echoes the Content-ID of the part")
  void python() {
    String text =
        """
        --batch_1
        Content-Type: multipart/mixed; boundary="changeset_1"

        --changeset_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 0
        Content-Length: 371

        POST %1$s/%2$s HTTP/1.1
        x-ms-version: 2019-02-02
        DataServiceVersion: 3.0
        Content-Type: application/json;odata=nometadata
        Accept: application/json;odata=minimalmetadata
        Content-Length: 81
        x-ms-date: Mon, 15 Jan 2024 10:30:00 GMT
        Date: Mon, 15 Jan 2024 10:30:00 GMT

        {"PartitionKey":"p","PartitionKey@odata.type":"Edm.String","RowKey":"new","RowKey@odata.type":"Edm.String"}
        --changeset_1--

        --batch_1--
        """;
    List<WireAnswer> parts = parts(text);
    expect(parts.get(0)).status(201).lacksHeader("Content-ID");
    assertThat(table.rows()).containsExactly("new");
  }

  @Test
  @Documented("table-rest 8.3: .NET")
  void dotNet() {
    String text =
        """
        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_1

        --changeset_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        PATCH %1$s%3$s?$format=application%%2Fjson%%3Bodata%%3Dminimalmetadata HTTP/1.1
        Host: 127.0.0.1
        x-ms-version: 2019-02-02
        DataServiceVersion: 3.0
        Accept: application/json
        Content-Type: application/json

        {"odata.etag":"","PartitionKey":"p","RowKey":"old","Timestamp":null,"V":1}
        --changeset_1--

        --batch_1--

        """;
    assertThat(parts(text)).allMatch(part -> part.status() == 204).hasSize(1);
    assertThat(table.stored("p", "old").path("V").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 8.3: older Node")
  void olderNode() {
    String text =
        """
        --batch_1
        content-type: multipart/mixed;charset="utf-8";boundary=changeset_1

        --changeset_1
        content-type: application/http
        content-transfer-encoding: binary

        POST %1$s/%2$s HTTP/1.1
        Content-ID: 1
        Accept: application/json;odata=minimalmetadata
        Content-Type: application/json

        {"PartitionKey":"p","RowKey":"new"}
        --changeset_1--
        --batch_1--
        """;
    expect(parts(text).get(0)).status(201).header("Content-ID", "1");
  }

  @Test
  @Documented("table-rest 8.3: Go writes multipart with its own boundaries")
  void go() {
    table.inserted(entity("old"));
    String text =
        """
        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_1

        --changeset_1
        Content-Transfer-Encoding: binary
        Content-Type: application/http

        POST %1$s/%2$s HTTP/1.1
        Accept: application/json;odata=minimalmetadata
        Content-Type: application/json
        Dataserviceversion: 3.0

        {"PartitionKey":"p","RowKey":"new","N@odata.type":"Edm.Int64","N":"5"}
        --changeset_1
        Content-Transfer-Encoding: binary
        Content-Type: application/http

        MERGE %1$s%3$s HTTP/1.1
        Accept: application/json;odata=minimalmetadata
        Content-Type: application/json
        Dataserviceversion: 3.0
        If-Match: *

        {"V":1}
        --changeset_1--

        --batch_1--
        """;
    List<WireAnswer> parts = parts(text);
    assertThat(parts.stream().map(WireAnswer::status)).containsExactly(201, 204);
  }

  @Test
  @Documented("table-rest 8.3: the sample in the documentation")
  void aReadWithoutClosingBoundary() {
    table.inserted(entity("old"));
    String text =
        """
        --batch_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        GET %1$s%3$s HTTP/1.1
        Accept: application/json;odata=minimalmetadata

        """;
    expect(parts(text).get(0)).status(200);
    expect(parts(text + "\n--batch_1").get(0)).status(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%1$s/%2$s HTTP/1.1",
        "http://other.example:99%4$s/%2$s HTTP/1.1",
        "%4$s/%2$s HTTP/1.1",
        "/%2$s HTTP/1.1",
        "%1$s/%2$s",
        "%1$s/%2$s() HTTP/1.1",
        "%1$s/%2$s?sv=2019-02-02&sig=x HTTP/1.1"
      })
  @Documented("table-rest 8.3")
  @Differs("Azurite 3.37.0 answers 500 to relative paths")
  void theInnerUrlMayBeWrittenInManyWays(String line) {
    String target =
        line.formatted(table.base(), table.name(), "", table.wire().account().pathPrefix());
    WireAnswer answer = send("multipart/mixed; boundary=batch_1", oneInsert(target));
    expect(answer).status(202);
    expect(answer.parts().get(0)).status(201);
    assertThat(table.rows()).containsExactly("new");
  }

  private static String oneInsert(String target) {
    return """
        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_1

        --changeset_1
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        POST %s
        Content-Type: application/json

        {"PartitionKey":"p","RowKey":"new"}
        --changeset_1--
        --batch_1--
        """
        .formatted(target)
        .replace("\n", "\r\n");
  }

  private String oneInsert() {
    return oneInsert(table.base() + table.path() + " HTTP/1.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/mixed; boundary=batch_1",
        "multipart/mixed; boundary=\"batch_1\"",
        "multipart/mixed;boundary=batch_1",
        "Multipart/Mixed; charset=utf-8; Boundary=batch_1"
      })
  @Documented("table-rest 8.3")
  void theBoundaryIsReadFromTheContentType(String contentType) {
    expect(send(contentType, oneInsert()).parts().get(0)).status(201);
  }

  @Test
  @Documented("table-rest 8.3")
  void bareLineFeedsAreLineEnds() {
    String text = oneInsert().replace("\r\n", "\n");
    expect(send("multipart/mixed; boundary=batch_1", text).parts().get(0)).status(201);
  }

  @Test
  @Documented("table-rest 8.3: ignore inner Content-Length")
  @Differs("Azurite 3.37.0 answers 400")
  void jsonMaySpanLinesAndLieAboutItsLength() {
    String text =
        oneInsert()
            .replace("{\"PartitionKey\":\"p\",", "{\r\n  \"PartitionKey\" : \"p\",\r\n\r\n  ")
            .replace("Content-Type: application/json", "Content-Length: 3");
    expect(send("multipart/mixed; boundary=batch_1", text).parts().get(0)).status(201);
    assertThat(table.rows()).containsExactly("new");
  }

  @Test
  @Documented("table-rest 8.3")
  void aVerbMayTravelInsideAPost() {
    table.inserted(entity("old", "\"A\":1"));
    String text =
        oneInsert(table.base() + table.path("p", "old") + " HTTP/1.1\r\nX-HTTP-Method: MERGE")
            .replace("{\"PartitionKey\":\"p\",\"RowKey\":\"new\"}", "{\"B\":2}");
    expect(send("multipart/mixed; boundary=batch_1", text).parts().get(0)).status(204);
    assertThat(table.stored("p", "old").path("A").asInt()).isEqualTo(1);
  }

  @Test
  @Documented("table-rest 8.3")
  void aBoundaryInsideAValueIsData() {
    String text =
        oneInsert().replace("\"RowKey\":\"new\"", "\"RowKey\":\"new\",\"V\":\"x--changeset_1--y\"");
    expect(send("multipart/mixed; boundary=batch_1", text).parts().get(0)).status(201);
    assertThat(table.stored("p", "new").path("V").asText()).isEqualTo("x--changeset_1--y");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n",
        "nonsense",
        "--batch_1--\r\n",
        "--batch_1\r\n",
        "--batch_1\r\n\r\n--batch_1--",
        "--batch_2\r\n\r\n",
        "{\"PartitionKey\":\"p\"}"
      })
  @Documented("table-rest 8.1: do")
  void textThatIsNoBatchIsRefused(String text) {
    expect(send("multipart/mixed; boundary=batch_1", text)).error(400, "InvalidInput");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "multipart/mixed",
        "multipart/mixed; boundary=",
        "multipart/mixed; boundary=\"\"",
        "text/plain; boundary=batch_1"
      })
  @Documented("table-rest 8.1")
  void aBatchWithoutBoundaryIsRefused(String contentType) {
    expect(send(contentType, oneInsert())).refused();
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 8.1: do")
  void brokenPartsAreRefusedAndNothingIsWritten() {
    String good = oneInsert();
    for (String broken :
        List.of(
            good.substring(0, good.indexOf("{\"Part") + 10),
            good.replace("POST ", "FROB "),
            good.replace("POST ", ""),
            good.replace(table.base() + table.path() + " HTTP/1.1", ""),
            good.replace("/" + table.name(), "/%zz"),
            good.replace("/" + table.name(), "/a/b/c/d"),
            good.replace("boundary=changeset_1", ""),
            good.replace("boundary=changeset_1", "boundary=other"),
            good.replace("{\"PartitionKey\"", "{\"PartitionKey"),
            good.replace("--changeset_1\r\n", "--changeset_1--\r\n"))) {
      WireAnswer answer = send("multipart/mixed; boundary=batch_1", broken);
      assertThat(answer.status()).as(broken + "\n" + answer).isLessThan(500);
      if (answer.status() == 202) {
        assertThat(answer.parts().get(0).status()).as(broken).isBetween(400, 499);
      }
      assertThat(table.rows()).as(broken).isEmpty();
    }
  }

  @Test
  @Documented("table-rest 8.1: do")
  void twoChangeSetsAreRefused() {
    String one = oneInsert().replace("--batch_1--\r\n", "");
    String two = one + oneInsert().replace("\"new\"", "\"new2\"").replace("changeset_1", "set2");
    expect(send("multipart/mixed; boundary=batch_1", two)).error(400, "InvalidInput");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  @Documented("table-rest 8.1: do")
  void anEmptyChangeSetIsRefused() {
    String text =
        """
        --batch_1
        Content-Type: multipart/mixed; boundary=changeset_1

        --changeset_1--
        --batch_1--
        """
            .replace("\n", "\r\n");
    expect(send("multipart/mixed; boundary=batch_1", text)).error(400, "InvalidInput");
  }
}
