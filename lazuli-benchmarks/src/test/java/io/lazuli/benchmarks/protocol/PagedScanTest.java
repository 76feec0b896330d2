package io.lazuli.benchmarks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.benchmarks.load.ResponseReader;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PagedScanTest {
  private static final String TOKEN =
      "x-ms-continuation-NextPartitionKey: 1!4!cA==\r\nx-ms-continuation-NextRowKey: 1!4!cg--\r\n";

  private final AtomicBoolean again = new AtomicBoolean(true);
  private final PagedScan scan =
      new PagedScan(
          TableRequests.signedNow(URI.create("http://127.0.0.1:1/a")), "t", "N eq 1", again::get);

  @Test
  void passThatHasBegunFollowsItsTokensToTheEnd() throws IOException {
    assertThat(nextLine()).endsWith("N%20eq%201 HTTP/1.1");
    again.set(false);
    assertThat(scan.accept(answer(200, TOKEN))).isTrue();
    assertThat(nextLine())
        .endsWith("N%20eq%201&NextPartitionKey=1%214%21cA%3D%3D&NextRowKey=1%214%21cg-- HTTP/1.1");
    assertThat(scan.passes()).isZero();
    assertThat(scan.accept(answer(200, ""))).isTrue();
    assertThat(scan.passes()).isEqualTo(1);
    assertThat(scan.next()).isEmpty();
  }

  @Test
  void rejectedPageIsRequestedAgain() throws IOException {
    nextLine();
    scan.accept(answer(200, TOKEN));
    String second = nextLine();
    assertThat(scan.accept(answer(503, ""))).isTrue();
    assertThat(scan.refused()).isEqualTo(1);
    assertThat(nextLine()).isEqualTo(second);
    assertThat(scan.passes()).isZero();
  }

  @Test
  void otherErrorsAreErrors() throws IOException {
    nextLine();
    assertThat(scan.accept(answer(400, ""))).isFalse();
  }

  private String nextLine() {
    ByteBuffer request = scan.next().orElseThrow();
    return StandardCharsets.US_ASCII.decode(request).toString().lines().findFirst().orElseThrow();
  }

  private static ResponseReader answer(int status, String headers) throws IOException {
    ResponseReader reader = new ResponseReader(10);
    String text = "HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n" + headers + "\r\n";
    assertThat(reader.read(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)))).isTrue();
    return reader;
  }
}
