package io.lazuli.server.wire;

import io.lazuli.server.error.ServiceException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of a small XML document, read completely: its local name, its own text, and its
 * children in order. Attributes and namespaces are ignored. Documents are UTF-8. A document type or
 * custom entity makes a document invalid, so nothing is ever fetched or expanded.
 */
public record XmlElement(String name, String content, List<XmlElement> children) {
  private static final int DEPTH_MAX = 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /**
   * One factory for each thread: a factory is not thread-safe, and creating one takes longer than
   * parsing a document.
   */
  private static final ThreadLocal<XMLInputFactory> FACTORY =
      ThreadLocal.withInitial(XmlElement::newFactory);

  public XmlElement {
    children = List.copyOf(children);
  }

  /** Parses a document. Throws 400 if it is too long or not well-formed. */
  public static XmlElement parse(byte[] document, int bytesMax) {
    if (document.length > bytesMax) {
      throw invalid();
    }
    try {
      XMLStreamReader reader =
          FACTORY.get().createXMLStreamReader(new StringReader(text(document)));
      requireOldVersion(reader);
      return read(reader);
    } catch (XMLStreamException e) {
      throw InvalidXml.at(e.getLocation().getLineNumber(), e.getLocation().getColumnNumber());
    } catch (MissingResourceException e) {
      // The JDK's parser has no message for some faults in a document type, and then throws this
      // exception.
      throw invalid();
    }
  }

  /** Returns the text without surrounding white space. Throws 400 if the element has children. */
  public String text() {
    return wholeText().strip();
  }

  /** Returns the unchanged text. Throws 400 if the element has children. */
  public String wholeText() {
    if (!children.isEmpty()) {
      throw invalid();
    }
    return content;
  }

  /** Returns this element. Throws 400 if it has another name. */
  public XmlElement require(String expected) {
    if (!name.equals(expected)) {
      throw invalid();
    }
    return this;
  }

  /**
   * Returns the only child of that name; null if there is none. Throws 400 if there are several.
   */
  public @Nullable XmlElement child(String childName) {
    List<XmlElement> found = children.stream().filter(c -> c.name.equals(childName)).toList();
    if (found.size() > 1) {
      throw invalid();
    }
    return found.isEmpty() ? null : found.get(0);
  }

  /** Returns the text of the only child of that name; null if there is none. */
  public @Nullable String childText(String childName) {
    XmlElement child = child(childName);
    return child == null ? null : child.text();
  }

  /** Returns the text of the only child of that name. Throws 400 if there is none. */
  public String requireText(String childName) {
    String text = childText(childName);
    if (text == null) {
      throw invalid();
    }
    return text;
  }

  /** An element whose end tag has not been read yet. */
  private record Open(String name, StringBuilder text, List<XmlElement> children) {
    XmlElement close() {
      return new XmlElement(name, text.toString(), children);
    }
  }

  private static XmlElement read(XMLStreamReader reader) throws XMLStreamException {
    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open("", new StringBuilder(), new ArrayList<>()));
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (open.size() > DEPTH_MAX) {
            throw invalid();
          }
          open.push(new Open(reader.getLocalName(), new StringBuilder(), new ArrayList<>()));
        }
        case XMLStreamConstants.END_ELEMENT -> {
          XmlElement closed = open.pop().close();
          open.getFirst().children.add(closed);
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            open.getFirst().text.append(reader.getText());
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE -> throw invalid();
        default -> {}
      }
    }
    return open.getFirst().children.get(0);
  }

  /** Refuses XML 1.1: it has characters that an answer, which is XML 1.0, cannot repeat. */
  private static void requireOldVersion(XMLStreamReader reader) {
    String version = reader.getVersion();
    if (version != null && !version.equals("1.0")) {
      throw invalid();
    }
  }

  private static XMLInputFactory newFactory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    return factory;
  }

  private static String text(byte[] document) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
      boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
      return marked ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw invalid();
    }
  }

  private static ServiceException invalid() {
    return InvalidXml.because("");
  }
}
