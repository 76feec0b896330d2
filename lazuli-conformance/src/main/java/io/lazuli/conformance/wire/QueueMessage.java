package io.lazuli.conformance.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** One message of an answer: its elements by name, in the order of the service. */
public record QueueMessage(Map<String, String> elements) {

  /** The messages of an answer that must be a list of them. */
  public static List<QueueMessage> listOf(WireAnswer answer) {
    AnswerAssert.expect(answer).header("Content-Type", "application/xml");
    Element root = parse(answer);
    if (!root.getTagName().equals("QueueMessagesList")) {
      throw new AssertionError("not a list of messages: " + answer);
    }
    return childrenOf(root).stream().map(QueueMessage::of).toList();
  }

  private static QueueMessage of(Element message) {
    Map<String, String> elements = new LinkedHashMap<>();
    childrenOf(message).forEach(child -> elements.put(child.getTagName(), child.getTextContent()));
    return new QueueMessage(elements);
  }

  private static Element parse(WireAnswer answer) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      return factory
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(answer.body()))
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("not XML: " + answer, e);
    }
  }

  private static List<Element> childrenOf(Element parent) {
    List<Element> children = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  public String element(String name) {
    String value = elements.get(name);
    if (value == null) {
      throw new AssertionError("no " + name + " in " + elements);
    }
    return value;
  }

  public String id() {
    return element("MessageId");
  }

  public String receipt() {
    return element("PopReceipt");
  }

  public String text() {
    return element("MessageText");
  }

  public int dequeueCount() {
    return Integer.parseInt(element("DequeueCount"));
  }

  /** An element that is a time. */
  public Instant time(String name) {
    return ZonedDateTime.parse(element(name), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
