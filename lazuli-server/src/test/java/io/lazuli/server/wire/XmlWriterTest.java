package io.lazuli.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class XmlWriterTest {
  @Test
  void quotesAreEscapedInAttributesOnly() {
    XmlWriter out = new XmlWriter();
    out.element("List", List.of("At", "a\"b&<"), () -> out.text("Name", "c\"d&<"));
    assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
        .endsWith("?><List At=\"a&quot;b&amp;&lt;\"><Name>c\"d&amp;&lt;</Name></List>");
  }
}
