package io.lazuli.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlElementTest {
  private static final String DOCUMENT =
      "<?xml version='1.0' encoding='utf-8'?>\n<a x=\"1\"><!-- no --><b> one &amp; &lt;é&gt; </b>"
          + "<c><![CDATA[<d>]]></c><b/></a>";

  @Test
  void textAndChildrenAreRead() {
    XmlElement root = parse(DOCUMENT);
    assertThat(root.name()).isEqualTo("a");
    assertThat(root.children()).extracting(XmlElement::name).containsExactly("b", "c", "b");
    assertThat(root.children())
        .extracting(XmlElement::text)
        .containsExactly("one & <é>", "<d>", "");
    assertThat(root.childText("c")).isEqualTo("<d>");
    assertThat(root.childText("none")).isNull();
    assertThatThrownBy(() -> root.child("b")).hasMessage("InvalidXmlDocument");
    assertThat(root.children().get(0).wholeText()).isEqualTo(" one & <é> ");
    assertThatThrownBy(root::wholeText).hasMessage("InvalidXmlDocument");
    assertThatThrownBy(root::text).hasMessage("InvalidXmlDocument");
    assertThatThrownBy(() -> root.requireText("none")).hasMessage("InvalidXmlDocument");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFF<a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><a/>",
        "<?xml version='1.0' encoding='utf-8'?>\n<a/>\n",
        "<m:a xmlns:m='urn:x'/>",
      })
  void theFormsThatClientsSend(String document) {
    assertThat(parse(document).name()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a/>text",
        "<a>&unknown;</a>",
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY % e SYSTEM 'http://127.0.0.1:1/'>%e;]><a/>",
        "<!DOCTYPE a [<\u0001ENTITY b \"c\">]><a/>",
        "<a>\u0000</a>",
        "<?xml version='1.1'?><a>&#1;</a>",
        "<m:a/>",
      })
  void anInvalidDocumentIsRefused(String document) {
    assertThatThrownBy(() -> parse(document))
        .isInstanceOf(ServiceException.class)
        .hasMessage("InvalidXmlDocument");
  }

  @Test
  void lengthAndDepthAreBounded() {
    assertThat(parse("<a>".repeat(16) + "</a>".repeat(16)).name()).isEqualTo("a");
    assertThatThrownBy(() -> parse("<a>".repeat(17) + "</a>".repeat(17)))
        .hasMessage("InvalidXmlDocument");
    assertThatThrownBy(() -> XmlElement.parse(bytes("<a></a>"), 6))
        .hasMessage("InvalidXmlDocument");
    byte[] latin = {'<', 'a', '>', (byte) 0xe9, '<', '/', 'a', '>'};
    assertThatThrownBy(() -> XmlElement.parse(latin, 100)).hasMessage("InvalidXmlDocument");
  }

  /** Damaged documents are read or refused with an error; nothing else happens. */
  @Test
  void damageIsReadOrRefused() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] document = bytes(DOCUMENT);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        document[random.nextInt(document.length)] = (byte) random.nextInt(256);
      }
      try {
        XmlElement.parse(document, 1000);
      } catch (ServiceException e) {
        assertThat(e).as("seed %s", seed).hasMessage("InvalidXmlDocument");
        refused++;
      }
    }
    assertThat(refused).as("seed %s", seed).isPositive();
  }

  @Test
  void writtenDocumentsAreReadBack() {
    XmlWriter out = new XmlWriter();
    out.element(
        "a",
        () -> {
          out.text("b", "<&>\"'\ré日");
          out.element("c", () -> {});
          out.text("d", "");
        });
    assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><a><b>&lt;&amp;&gt;\"'&#xD;é日</b><c /><d /></a>");
    assertThat(XmlElement.parse(out.toByteArray(), 1000).childText("b")).isEqualTo("<&>\"'\ré日");
  }

  private static XmlElement parse(String document) {
    return XmlElement.parse(bytes(document), 1000);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
