package io.lazuli.transfer.blob;

import io.lazuli.transfer.http.Xml;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A page of a listing.
 *
 * @param next the marker of the next page, or empty
 */
record BlobList(List<Blob> blobs, String next) {
  /** The elements of a listing whose values an upload sets, and the headers for them. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Type", "x-ms-blob-content-type",
          "Content-Encoding", "x-ms-blob-content-encoding",
          "Content-Language", "x-ms-blob-content-language",
          "Content-Disposition", "x-ms-blob-content-disposition",
          "Cache-Control", "x-ms-blob-cache-control",
          "Content-MD5", "x-ms-blob-content-md5");

  static BlobList read(InputStream body) throws IOException {
    Xml xml = new Xml(body);
    xml.child();
    List<Blob> blobs = new ArrayList<>();
    String next = "";
    String element = xml.child();
    while (element != null) {
      if (element.equals("Blobs")) {
        while (xml.child() != null) {
          blobs.add(blob(xml));
        }
      } else if (element.equals("NextMarker")) {
        next = xml.text();
      } else {
        xml.skip();
      }
      element = xml.child();
    }
    return new BlobList(blobs, next);
  }

  private static Blob blob(Xml xml) throws IOException {
    String name = "";
    Map<String, String> properties = new TreeMap<>();
    Map<String, String> metadata = new TreeMap<>();
    Map<String, String> tags = new LinkedHashMap<>();
    String element = xml.child();
    while (element != null) {
      switch (element) {
        case "Name" -> {
          boolean encoded = "true".equals(xml.attribute("Encoded"));
          String text = xml.text();
          name =
              encoded ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8) : text;
        }
        case "Properties" -> texts(xml, properties);
        case "Metadata" -> texts(xml, metadata);
        case "Tags" -> tags(xml, tags);
        default -> xml.skip();
      }
      element = xml.child();
    }
    Map<String, String> headers = new TreeMap<>();
    HEADERS.forEach(
        (property, header) -> {
          String value = properties.getOrDefault(property, "");
          if (!value.isEmpty()) {
            headers.put(header, value);
          }
        });
    boolean inferred = "true".equals(properties.get("AccessTierInferred"));
    return new Blob(
        name,
        properties.getOrDefault("BlobType", "BlockBlob"),
        Long.parseLong(properties.getOrDefault("Content-Length", "0")),
        properties.getOrDefault("Etag", ""),
        headers,
        metadata,
        tags,
        inferred ? "" : properties.getOrDefault("AccessTier", ""));
  }

  private static void texts(Xml xml, Map<String, String> into) throws IOException {
    String element = xml.child();
    while (element != null) {
      into.put(element, xml.text());
      element = xml.child();
    }
  }

  private static void tags(Xml xml, Map<String, String> into) throws IOException {
    // Tags, TagSet, Tag, then Key and Value.
    while (xml.child() != null) {
      while (xml.child() != null) {
        Map<String, String> tag = new TreeMap<>();
        texts(xml, tag);
        into.put(tag.getOrDefault("Key", ""), tag.getOrDefault("Value", ""));
      }
    }
  }
}
