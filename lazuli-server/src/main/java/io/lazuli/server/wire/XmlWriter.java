package io.lazuli.server.wire;

import java.nio.charset.StandardCharsets;

/** Writes small XML documents as the services do: no white space. For one thread. */
public final class XmlWriter {
  private final StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>");

  /** An element around what the content writes; {@code <name />} if that is nothing. */
  public void element(String name, Runnable content) {
    out.append('<').append(name);
    close(name, content);
  }

  /** The same with an attribute. */
  public void element(String name, String attribute, String value, Runnable content) {
    out.append('<').append(name).append(' ').append(attribute).append("=\"");
    escape(value);
    out.append('"');
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
    element(name, () -> escape(text));
  }

  public byte[] toByteArray() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        // Raw it would come out of the reader as a line feed.
        case '\r' -> out.append("&#xD;");
        // What XML cannot say at all; of what was sent only parameters can hold it.
        default -> out.append(c < ' ' && c != '\n' && c != '\t' ? '?' : c);
      }
    }
  }
}
