package io.lazuli.benchmarks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.benchmarks.load.ResponseReader;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlobUploadsTest {
  private static final String FIRST = "PUT /a/c/large0?";
  private static final String SECOND = "PUT /a/c/large1?";

  private final BlobRequests requests = BlobRequests.signedNow(URI.create("http://127.0.0.1:1/a"));

  @Test
  void blobIsCommittedAfterItsLastBlockWhileTheNextHasStarted() throws IOException {
    List<BlobUploads> scripts = BlobUploads.of(2, requests, "c", "large", 2, 2);
    BlobUploads one = scripts.get(0);
    BlobUploads other = scripts.get(1);
    assertThat(next(one)).startsWith(FIRST + "blockid=MDAwMDAw&comp=block ");
    assertThat(next(other)).startsWith(FIRST + "blockid=MDAwMDAx&comp=block ");
    one.accept(answer("201 Created"));
    assertThat(next(one)).startsWith(SECOND + "blockid=MDAwMDAw&comp=block ");
    other.accept(answer("201 Created"));
    assertThat(next(other)).startsWith(FIRST + "comp=blocklist ");
    other.accept(answer("201 Created"));
    assertThat(next(other)).startsWith(SECOND + "blockid=MDAwMDAx&comp=block ");
    other.accept(answer("201 Created"));
    assertThat(other.next()).isEmpty();
    one.accept(answer("201 Created"));
    assertThat(next(one)).startsWith(SECOND + "comp=blocklist ");
    one.accept(answer("201 Created"));
    assertThat(one.next()).isEmpty();
  }

  @Test
  void rejectedBlockIsAnError() throws IOException {
    BlobUploads script = BlobUploads.of(1, requests, "c", "large", 2, 1).get(0);
    assertThat(script.next()).isPresent();
    assertThat(script.accept(answer("503 Busy"))).isFalse();
  }

  private static String next(BlobUploads script) {
    ByteBuffer request = script.next().orElseThrow();
    return StandardCharsets.ISO_8859_1.decode(request.slice(request.position(), 100)).toString();
  }

  private static ResponseReader answer(String status) throws IOException {
    ResponseReader reader = new ResponseReader(10);
    String text = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
    assertThat(reader.read(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)))).isTrue();
    return reader;
  }
}
