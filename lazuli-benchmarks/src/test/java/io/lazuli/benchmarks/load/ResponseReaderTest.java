package io.lazuli.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {
  private static final String CHUNKED =
      String.join(
          "\r\n",
          "HTTP/1.1 200 OK",
          "Transfer-Encoding: chunked",
          "X-Name:  some value ",
          "",
          "5",
          "hello",
          "10",
          ", the whole wide",
          "0",
          "",
          "");

  private final ResponseReader reader = new ResponseReader(8);

  @Test
  void bodyWithLengthIsReadToItsEndAndNoFurther() throws IOException {
    ByteBuffer in = bytes("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhelloHTTP/1.1");
    assertThat(reader.read(in)).isTrue();
    assertThat(reader.status()).isEqualTo(200);
    assertThat(reader.body()).isEqualTo("hello");
    assertThat(in.remaining()).isEqualTo("HTTP/1.1".length());
  }

  @Test
  void chunksAreJoinedAndOnlyTheStartIsKept() throws IOException {
    assertThat(reader.read(bytes(CHUNKED))).isTrue();
    assertThat(reader.bodyBytes()).isEqualTo(21);
    assertThat(reader.body()).isEqualTo("hello, t");
    assertThat(reader.header("x-name")).hasValue("some value");
    assertThat(reader.header("x-other")).isEmpty();
  }

  @Test
  void answersMayArriveByteByByte() throws IOException {
    byte[] all = CHUNKED.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < all.length; i++) {
      assertThat(reader.read(ByteBuffer.wrap(all, i, 1))).isEqualTo(i == all.length - 1);
    }
    assertThat(reader.bodyBytes()).isEqualTo(21);
  }

  @Test
  void oneAnswerAfterAnotherIsReadAfterReset() throws IOException {
    String first = "HTTP/1.1 204 No Content\r\nETag: a\r\n\r\n";
    String second = "HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\nno";
    ByteBuffer in = bytes(first + second);
    assertThat(reader.read(in)).isTrue();
    assertThat(reader.succeeded()).isTrue();
    reader.reset();
    assertThat(reader.read(in)).isTrue();
    assertThat(reader.succeeded()).isFalse();
    assertThat(reader).hasToString("409 no");
    assertThat(reader.header("etag")).isEmpty();
  }

  @Test
  void responseWithoutLengthIsRejected() {
    assertThatThrownBy(() -> reader.read(bytes("HTTP/1.1 200 OK\r\n\r\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without length");
  }

  @Test
  void nonHttpIsRejected() {
    assertThatThrownBy(() -> reader.read(bytes("SSH-2.0-x\r\n\r\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("SSH-2.0-x");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }
}
