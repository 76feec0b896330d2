package io.lazuli.server.wire;

import io.lazuli.server.error.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes small XML documents as the services do: no white space. For one thread. */
public final class XmlWriter {
  private final StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>");

  /** An element around what the content writes; {@code <name />} if that is nothing. */
  public void element(String name, Runnable content) {
    out.append('<').append(name);
    close(name, content);
  }

  /**
   * The same with attributes.
   *
   * @param attributes name and value in turns
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

  /** An element that holds text. */
  public void text(String name, String text) {
    element(name, () -> XmlText.append(out, text));
  }

  /** The same with attributes. */
  public void text(String name, List<String> attributes, String text) {
    element(name, attributes, () -> XmlText.append(out, text));
  }

  public byte[] toByteArray() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
