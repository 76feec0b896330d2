package io.lazuli.benchmarks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableRequestsTest {
  private static final URI ENDPOINT = URI.create("http://127.0.0.1:10002/devstoreaccount1");
  private static final String DATE = "Mon, 15 Jan 2024 10:30:00 GMT";

  private final TableRequests requests = TableRequests.signedAt(ENDPOINT, DATE);

  /** The test vectors T2, T4 and T5 of auth 10.1, taken from an official SDK. */
  @Test
  void signaturesEqualThoseOfTheSdk() {
    SharedKeyLite signer = new SharedKeyLite(DATE);
    assertThat(signer.authorization("/devstoreaccount1/Tables"))
        .isEqualTo("SharedKeyLite devstoreaccount1:cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=");
    assertThat(signer.authorization("/mytable?comp=acl"))
        .endsWith(":J/XO4QaIZ0zk24UQ8pt4OE1zgRBIfzJ/6iovAm3mk/E=");
    assertThat(
            signer.authorization(
                "/devstoreaccount1/mytable"
                    + "(PartitionKey='O%27%27Neil%20%26%20Co',RowKey='r%C3%A9f')"))
        .endsWith(":jFZMScUqzJeTiCWGz4k4djwq7QUqJWW9A5wgfMVg3Go=");
  }

  @Test
  void createTableIsSignedForItsPath() {
    assertThat(text(requests.createTable("Orders")))
        .startsWith("POST /devstoreaccount1/Tables HTTP/1.1\r\nHost: 127.0.0.1:10002\r\n")
        .contains("x-ms-date: " + DATE + "\r\n")
        .contains(":cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=\r\n")
        .endsWith("Content-Length: 22\r\n\r\n{\"TableName\":\"Orders\"}");
  }

  @Test
  void queryIsEncodedAndNotSigned() {
    assertThat(text(requests.query("t", "A eq 'b+c'", "&NextRowKey=1")))
        .startsWith("GET /devstoreaccount1/t()?$filter=A%20eq%20%27b%2Bc%27&NextRowKey=1 HTTP/1.1");
    assertThat(authorization(text(requests.query("t", "A eq 1", ""))))
        .isEqualTo(authorization(text(requests.page("t"))));
  }

  @Test
  void templateChangesKeysAndNumberOnly() {
    RequestTemplate template = requests.insert("t");
    String first = text(template.fill(0, 0));
    String other = text(template.fill(12, 3_456));
    assertThat(other)
        .hasSameSizeAs(first)
        .contains("\"PartitionKey\":\"p00000012\"")
        .contains("\"RowKey\":\"r0000003456\"")
        .contains("\"Number\":10003456,");
    assertThat(text(template.fill(0, 0))).isEqualTo(first);
    assertThat(first).endsWith(SampleEntity.json(0, 0));
  }

  @Test
  void entityHasTheDocumentedLength() {
    assertThat(SampleEntity.json(1, 1).length()).isBetween(580, 640);
  }

  @Test
  void batchHoldsAHundredConsecutiveRowsOfOnePartition() {
    String batch = text(requests.insertBatch("t").fill(7, 200));
    assertThat(batch.split("\"PartitionKey\":\"p00000007\"", -1)).hasSize(101);
    for (int row = 200; row < 300; row++) {
      assertThat(batch).contains(SampleEntity.json(7, row));
    }
    int head = batch.indexOf("\r\n\r\n") + 4;
    assertThat(batch).contains("Content-Length: " + (batch.length() - head) + "\r\n");
  }

  @Test
  void mergesNameTheirEntityInThePath() {
    assertThat(text(requests.mergeBatch("t").fill(7, 200)))
        .contains("PATCH " + ENDPOINT + "/t(PartitionKey='p00000007',RowKey='r0000000200') HTTP")
        .contains("PATCH " + ENDPOINT + "/t(PartitionKey='p00000007',RowKey='r0000000299') HTTP");
  }

  private static String authorization(String request) {
    return request.replaceAll("(?s).*Authorization: ([^\r]*).*", "$1");
  }

  private static String text(ByteBuffer request) {
    return StandardCharsets.US_ASCII.decode(request.duplicate()).toString();
  }
}
