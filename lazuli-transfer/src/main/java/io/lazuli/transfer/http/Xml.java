package io.lazuli.transfer.http;

import java.io.IOException;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads XML of answers from its start to its end, and escapes text for requests. */
public final class Xml {
  private static final XMLInputFactory FACTORY = factory();

  private final XMLStreamReader reader;

  /**
   * @throws IOException if the body cannot be read
   */
  public Xml(InputStream body) throws IOException {
    try {
      reader = FACTORY.createXMLStreamReader(body, "UTF-8");
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory;
  }

  /**
   * Moves to the next start of an element below the current one.
   *
   * @return its name, or null if the current element ends
   */
  public @Nullable String child() throws IOException {
    try {
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          return reader.getLocalName();
        }
        if (event == XMLStreamConstants.END_ELEMENT) {
          return null;
        }
      }
      return null;
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  /** Returns an attribute of the element that starts here. */
  public @Nullable String attribute(String name) {
    return reader.getAttributeValue(null, name);
  }

  /** Returns the text of the element that starts here, and moves to its end. */
  public String text() throws IOException {
    try {
      return reader.getElementText();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  /** Moves to the end of the element that starts here. */
  public void skip() throws IOException {
    while (child() != null) {
      skip();
    }
  }

  /** Escapes text. A carriage return would otherwise become a line feed. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;");
  }
}
