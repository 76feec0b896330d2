package io.lazuli.conformance.blob;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.XmlElement;
import java.util.ArrayList;
import java.util.List;

/** One page of a blob listing. */
public record BlobListing(XmlElement root) {

  public static BlobListing of(ScratchContainer container, String query) {
    WireAnswer answer = container.list(query).send();
    expect(answer).status(200);
    return new BlobListing(XmlElement.rootOf(answer));
  }

  /** Returns the names on all pages, in the order of the service. */
  public static List<String> allPages(ScratchContainer container, String query) {
    List<String> names = new ArrayList<>();
    String marker = "";
    do {
      BlobListing page =
          of(container, query + (marker.isEmpty() ? "" : "&marker=" + Keys.encode(marker)));
      names.addAll(page.items());
      marker = page.nextMarker();
    } while (!marker.isEmpty());
    return names;
  }

  public List<XmlElement> entries() {
    return root.child("Blobs").children();
  }

  /**
   * Returns the names of the entries on this page. The name of a prefix ends with the delimiter.
   */
  public List<String> items() {
    return entries().stream().map(entry -> entry.text("Name")).toList();
  }

  /** Returns the names with the kind of each entry: {@code Blob a}, {@code BlobPrefix b/}. */
  public List<String> kinds() {
    return entries().stream().map(entry -> entry.name() + " " + entry.text("Name")).toList();
  }

  public XmlElement blob(String name) {
    return entries().stream()
        .filter(entry -> entry.text("Name").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name + " in " + root));
  }

  public XmlElement properties(String name) {
    return blob(name).child("Properties");
  }

  public String nextMarker() {
    return root.text("NextMarker");
  }
}
