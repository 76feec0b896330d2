package io.lazuli.server.migration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A LokiJS database as Azurite saves it: one JSON object with collections of documents. Such a file
 * can be hundreds of megabytes long, so each pass reads it as a stream, one document at a time.
 * Mutable: it remembers the position of the first known damage.
 */
final class LokiFile {
  /** A bound above the size of every entity or message that Azurite accepts. */
  private static final int TEXT_LENGTH_MAX = 16 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxStringLength(TEXT_LENGTH_MAX)
                  .maxNameLength(70_000)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final Path path;
  private long damagedFrom = Long.MAX_VALUE;

  LokiFile(Path path) {
    this.path = path;
  }

  boolean exists() {
    return Files.exists(path);
  }

  String name() {
    return String.valueOf(path.getFileName());
  }

  /** Receives the documents of a file. */
  interface Visitor {
    /** Returns whether the visitor wants the documents of a collection. */
    boolean wants(String collection);

    /**
     * Receives a document.
     *
     * @param at the position at which {@link #document} finds the document again
     */
    void visit(String collection, LokiDocument document, long at);
  }

  /**
   * Reads the file once. If the file is damaged, everything before the damage is visited, and the
   * rest is reported as left out. A later pass may find damage earlier in the file, because it
   * reads documents that the previous pass skipped, or because the disk has failed since. It
   * reports only damage that lies before the damage already reported.
   */
  void read(Visitor visitor, ImportReport report) {
    try (InputStream in = Files.newInputStream(path);
        JsonParser parser = JSON.createParser(in)) {
      try {
        readDatabase(parser, visitor);
      } catch (IOException e) {
        nameDamage(parser.currentLocation().getByteOffset(), e, report);
      }
    } catch (IOException e) {
      nameDamage(0, e, report);
    }
  }

  private void nameDamage(long at, IOException damage, ImportReport report) {
    if (at < damagedFrom) {
      damagedFrom = at;
      String why =
          damage instanceof JsonProcessingException json
              ? json.getOriginalMessage()
              : String.valueOf(damage.getMessage());
      report.leftOut("the rest of " + name(), why + " (byte " + at + ")");
    }
  }

  /**
   * Reads one document again.
   *
   * @param at the position at which it was visited
   */
  LokiDocument document(long at) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      in.skipNBytes(at);
      try (JsonParser parser = JSON.createParser(in)) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
          throw new IOException(name() + " was changed during the import");
        }
        return LokiDocument.read(parser);
      }
    }
  }

  private static void readDatabase(JsonParser parser, Visitor visitor) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("it is not a LokiJS database");
    }
    boolean found = false;
    while (next(parser) != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (next(parser) == JsonToken.START_ARRAY && name.equals("collections")) {
        found = true;
        while (next(parser) == JsonToken.START_OBJECT) {
          readCollection(parser, visitor);
        }
      } else {
        parser.skipChildren();
      }
    }
    if (!found) {
      throw new IOException("it has no collections");
    }
  }

  /** Reads a collection. LokiJS writes the name of a collection before its documents. */
  private static void readCollection(JsonParser parser, Visitor visitor) throws IOException {
    String collection = "";
    while (next(parser) != JsonToken.END_OBJECT) {
      String member = parser.currentName();
      JsonToken value = next(parser);
      if (member.equals("name")) {
        collection = parser.getText();
      } else if (member.equals("data")
          && value == JsonToken.START_ARRAY
          && visitor.wants(collection)) {
        while (next(parser) == JsonToken.START_OBJECT) {
          long at = parser.currentTokenLocation().getByteOffset();
          visitor.visit(collection, LokiDocument.read(parser), at);
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private static JsonToken next(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new IOException("it is truncated");
    }
    return token;
  }
}
