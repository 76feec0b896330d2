package io.lazuli.server.wire;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.wire.Multipart.Part;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MultipartTest {
  @Test
  void partsStandBetweenTheBoundaries() {
    List<Part> parts = parse("--b\r\nA: 1\r\n\r\nx\r\n--b\r\nB:2\r\n\r\ny\r\nz\r\n--b--\r\n");
    assertThat(parts).extracting(part -> text(part.trimmed())).containsExactly("x", "y\r\nz");
    assertThat(parts.get(0).header("a")).isEqualTo("1");
    assertThat(parts.get(1).header("b")).isEqualTo("2");
  }

  @Test
  void lineFeedsAloneAPreambleAndAMissingEndAreAccepted() {
    List<Part> parts = parse("hello\n\n--b\nContent-ID: 7\n\n\nx\n--b \n\ny");
    assertThat(parts).extracting(part -> text(part.trimmed())).containsExactly("x", "y");
    assertThat(parts.get(0).header("CONTENT-ID")).isEqualTo("7");
  }

  @Test
  void contentAfterTheClosingBoundaryIsIgnored() {
    assertThat(parse("--b\r\n\r\nx\r\n--b--\r\n--b\r\n\r\ny")).hasSize(1);
  }

  @Test
  void longerBoundariesAreOthers() {
    assertThat(parse("--b\r\n\r\n--bb\r\nx\r\n--b--")).hasSize(1);
  }

  @Test
  void aBodyWithoutItsBoundaryHasNoParts() {
    assertThat(parse("nothing")).isNull();
    assertThat(parse("")).isNull();
  }

  @Test
  void theBoundaryIsReadFromTheMediaTypeQuotedOrNot() {
    assertThat(Multipart.boundary("multipart/mixed; boundary=batch_1")).isEqualTo("batch_1");
    assertThat(Multipart.boundary("Multipart/Mixed;charset=x; Boundary=\"a b\"")).isEqualTo("a b");
    assertThat(Multipart.boundary("multipart/mixed")).isNull();
    assertThat(Multipart.boundary("multipart/mixed; boundary=")).isNull();
    assertThat(Multipart.boundary("application/json; boundary=x")).isNull();
    assertThat(Multipart.boundary(null)).isNull();
  }

  @Test
  void noBodyBringsTheParserDown() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String alphabet = "--b\r\n: x";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder body = new StringBuilder();
      for (int length = random.nextInt(60); length > 0; length--) {
        body.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      List<Part> parts = parse(body.toString());
      if (parts != null) {
        assertThat(parts).as("seed %d", seed).allSatisfy(part -> part.trimmed());
      }
    }
  }

  @Test
  void partsAndHeadersAreBounded() {
    assertThat(parse("--b\n\nx\n".repeat(1000))).hasSize(5);
    assertThat(parse("--b\n" + headers(100) + "\nx\n--b--")).hasSize(1);
    assertThatThrownBy(() -> parse("--b\n" + headers(101) + "\nx\n--b--"))
        .hasMessage("InvalidHeaderValue");
  }

  private static String headers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "H" + i + ": v\n").collect(joining());
  }

  private static List<Part> parse(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return Multipart.parse(bytes, 0, bytes.length, "b", 5);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
