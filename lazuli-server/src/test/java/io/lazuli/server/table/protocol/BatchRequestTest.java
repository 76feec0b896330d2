package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.model.EntityKey;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchRequestTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MERGE http://h/acct/Blogs(PartitionKey='a b', RowKey='c d') HTTP/1.1",
        "MERGE  /acct/Blogs(PartitionKey='a b', RowKey='c d')   HTTP/1.0",
        "MERGE /Blogs(PartitionKey='a b',RowKey='c d')",
        "MERGE Blogs(PartitionKey='a%20b',%20RowKey='c%20d') HTTP/1.1",
      })
  void aRequestLineMayHaveSpacesInItsUrl(String line) {
    String body =
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n"
            + "Content-Type: application/http\r\n\r\n"
            + line
            + "\r\n\r\n{}\r\n--c--\r\n--b--\r\n";
    BatchRequest batch =
        BatchRequest.parse(body.getBytes(StandardCharsets.UTF_8), "multipart/mixed; boundary=b");
    TableRequest request = batch.operations().get(0).addressed("acct", "http://h/acct");
    assertThat(request.method()).isEqualTo("MERGE");
    assertThat(request.path())
        .isEqualTo(new ResourcePath.EntityEntry("Blogs", new EntityKey("a b", "c d")));
  }
}
