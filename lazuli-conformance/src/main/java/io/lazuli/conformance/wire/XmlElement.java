package io.lazuli.conformance.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An element of an XML answer: its attributes, its text, and its children in their order. */
public record XmlElement(
    String name, Map<String, String> attributes, String text, List<XmlElement> children) {

  /**
   * Returns the root element of an answer. The answer must be XML and have the content type for it.
   */
  public static XmlElement rootOf(WireAnswer answer) {
    AnswerAssert.expect(answer).header("Content-Type", "application/xml");
    try {
      return of(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(answer.body()))
              .getDocumentElement());
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("not XML: " + answer, e);
    }
  }

  private static XmlElement of(Element element) {
    List<XmlElement> children = new ArrayList<>();
    NodeList nodes = element.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element child) {
        children.add(of(child));
      }
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    NamedNodeMap given = element.getAttributes();
    for (int i = 0; i < given.getLength(); i++) {
      attributes.put(given.item(i).getNodeName(), given.item(i).getNodeValue());
    }
    return new XmlElement(element.getTagName(), attributes, element.getTextContent(), children);
  }

  public Optional<XmlElement> find(String child) {
    return children.stream().filter(each -> each.name.equals(child)).findFirst();
  }

  public XmlElement child(String child) {
    return find(child)
        .orElseThrow(() -> new AssertionError("there is no " + child + " in " + this));
  }

  /** Returns the text of a child that must exist. */
  public String text(String child) {
    return child(child).text;
  }

  /** Returns the names of the children, in order. */
  public List<String> names() {
    return children.stream().map(XmlElement::name).toList();
  }

  /** Returns the texts of the children by name. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    children.forEach(each -> texts.put(each.name, each.text));
    return texts;
  }
}
