package io.lazuli.server.wire;

import io.lazuli.server.error.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes small XML documents without white space, as the services do. Mutable; used by one thread.
 */
public final class XmlWriter {
  private final StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>");

  /** Writes an element around the given content; {@code <name />} if the content is empty. */
  public void element(String name, Runnable content) {
    out.append('<').append(name);
    close(name, content);
  }

  /**
   * Writes an element with attributes.
   *
   * @param attributes names and values, alternating
   */
  public void element(String name, List<String> attributes, Runnable content) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.size(); i += 2) {
      out.append(' ').append(attributes.get(i)).append("=\"");
      XmlText.appendAttribute(out, attributes.get(i + 1));
      out.append('"');
    }
    close(name, content);
  }

  private void close(String name, Runnable content) {
    int head = out.length();
    out.append('>');
    content.run();
    if (out.length() == head + 1) {
      out.setLength(head);
      out.append(" />");
    } else {
      out.append("</").append(name).append('>');
    }
  }

  /** Writes an element that holds text. */
  public void text(String name, String text) {
    element(name, () -> XmlText.append(out, text));
  }

  /** Writes an element that has attributes and holds text. */
  public void text(String name, List<String> attributes, String text) {
    element(name, attributes, () -> XmlText.append(out, text));
  }

  public byte[] toByteArray() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
