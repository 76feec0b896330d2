package io.lazuli.server.requestlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checking eight bytes at a time gives the same result as checking each of them. */
class LineBytesTest {
  @Test
  void everyCharacterOfARequestIsWrittenAlikeWhereverItStands() {
    for (char c = 0; c <= 0xff; c++) {
      for (int before = 0; before < 20; before++) {
        String text = "x".repeat(before) + c + "/%3F".repeat(before % 3);
        assertThat(TestRequest.text(new LineBytes().add("key;").addWire(text)))
            .isEqualTo(TestRequest.text(new LineBytes().add("key;").addEscaped(text)));
      }
    }
  }

  @Test
  void utf8OfARequestIsReadAsUtf8() {
    String wire = new String("<é>".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertThat(TestRequest.text(new LineBytes().addWire(wire))).isEqualTo("&lt;é&gt;");
    assertThat(TestRequest.text(new LineBytes().addWire("<é>"))).isEqualTo("&lt;é&gt;");
  }

  @Test
  void aLongTextOfARequestIsEscaped() {
    String all =
        IntStream.range(0, 0x100).mapToObj(Character::toString).collect(Collectors.joining());
    String text = TestRequest.text(new LineBytes().addWire(all.repeat(100)));
    assertThat(text)
        .contains("%&amp;'")
        .contains(";&lt;=&gt;?")
        .contains("!&quot;#")
        .endsWith("þÿ");
    assertThat(text).contains("\t&#10;\u000b\f&#13;\u000e");
  }
}
