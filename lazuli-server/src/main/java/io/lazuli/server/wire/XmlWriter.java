package io.lazuli.server.wire;

import java.nio.charset.StandardCharsets;

/** Writes small XML documents as the services do: no white space, no attributes. For one thread. */
public final class XmlWriter {
  private final StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>");

  /** An element around what the content writes; {@code <name />} if that is nothing. */
  public void element(String name, Runnable content) {
    int start = out.length();
    out.append('<').append(name).append('>');
    int inside = out.length();
    content.run();
    if (out.length() == inside) {
      out.setLength(start);
      out.append('<').append(name).append(" />");
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
        // Raw, a reader would take it for a line feed.
        case '\r' -> out.append("&#13;");
        default -> out.append(c);
      }
    }
  }
}
