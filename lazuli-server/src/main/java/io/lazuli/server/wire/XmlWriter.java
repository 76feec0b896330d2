package io.lazuli.server.wire;

import io.lazuli.server.error.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes XML documents without white space, as the services do. A long document is taken piece by
 * piece. Mutable; used by one thread.
 */
public final class XmlWriter {
  private final StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
  private long taken;

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
    out.append('>');
    long head = taken + out.length();
    content.run();
    if (taken + out.length() == head) {
      out.setLength(out.length() - 1);
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

  /** Returns the number of characters since the last {@link #take}. */
  public int length() {
    return out.length();
  }

  /**
   * Returns the document, or its text since the last call, and continues with an empty text. May be
   * called between two elements.
   */
  public byte[] take() {
    byte[] bytes = toByteArray();
    taken += out.length();
    out.setLength(0);
    return bytes;
  }

  public byte[] toByteArray() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
