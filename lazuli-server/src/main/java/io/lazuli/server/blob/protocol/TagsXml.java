package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads and writes the tags of a blob as XML (blob-rest 10.11). */
final class TagsXml {
  /**
   * The maximum length of a document: enough for ten tags of the greatest length with every
   * character escaped, and for the elements around them.
   */
  static final int BYTES_MAX = 64 << 10;

  private TagsXml() {}

  static BlobTags parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, BYTES_MAX).require("Tags");
    XmlElement set = root.child("TagSet");
    List<Map.Entry<String, String>> pairs = new ArrayList<>();
    if (set != null) {
      for (XmlElement tag : set.children()) {
        // White space at the ends of a tag's value is part of the value.
        XmlElement value = tag.require("Tag").child("Value");
        pairs.add(Map.entry(tag.requireText("Key"), value == null ? "" : value.wholeText()));
      }
    }
    return BlobTags.require(pairs);
  }

  static byte[] write(BlobTags tags) {
    XmlWriter out = new XmlWriter();
    write(out, tags);
    return out.toByteArray();
  }

  static void write(XmlWriter out, BlobTags tags) {
    out.element(
        "Tags",
        () ->
            out.element(
                "TagSet", () -> tags.values().forEach((key, value) -> write(out, key, value))));
  }

  private static void write(XmlWriter out, String key, String value) {
    out.element(
        "Tag",
        () -> {
          out.text("Key", key);
          out.text("Value", value);
        });
  }
}
