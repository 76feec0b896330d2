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
 * An element of a small XML document, read whole: its local name, its own text, its children in
 * order. Attributes and name spaces are not looked at. Documents are UTF-8; a document type or an
 * entity of its own makes one invalid, so nothing is ever fetched or expanded.
 */
public record XmlElement(String name, String content, List<XmlElement> children) {
  private static final int DEPTH_MAX = 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** A factory is not safe for several threads, and making one takes longer than a document. */
  private static final ThreadLocal<XMLInputFactory> FACTORY =
      ThreadLocal.withInitial(XmlElement::newFactory);

  public XmlElement {
    children = List.copyOf(children);
  }

  /** Reads a document; 400 if it is too long or not well-formed. */
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
      // The JDK's parser has no words for some faults in a document type.
      throw invalid();
    }
  }

  /** The text without white space around it; 400 if elements stand in it, which are no text. */
  public String text() {
    return wholeText().strip();
  }

  /** The text as it stands; 400 if elements stand in it. */
  public String wholeText() {
    if (!children.isEmpty()) {
      throw invalid();
    }
    return content;
  }

  /** This element, which must have that name. */
  public XmlElement require(String expected) {
    if (!name.equals(expected)) {
      throw invalid();
    }
    return this;
  }

  /** The only child of a name; null if there is none, 400 if there are several. */
  public @Nullable XmlElement child(String childName) {
    List<XmlElement> found = children.stream().filter(c -> c.name.equals(childName)).toList();
    if (found.size() > 1) {
      throw invalid();
    }
    return found.isEmpty() ? null : found.get(0);
  }

  /** The text of the only child of a name; null if there is none. */
  public @Nullable String childText(String childName) {
    XmlElement child = child(childName);
    return child == null ? null : child.text();
  }

  /** The text of the only child of a name; 400 if there is none. */
  public String requireText(String childName) {
    String text = childText(childName);
    if (text == null) {
      throw invalid();
    }
    return text;
  }

  /** An element whose end has not come yet. */
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

  /** XML 1.1 has characters that an answer, which is XML 1.0, could not repeat. */
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
