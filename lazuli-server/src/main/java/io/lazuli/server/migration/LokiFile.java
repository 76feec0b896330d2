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
import org.jspecify.annotations.Nullable;

/**
 * A database of LokiJS as Azurite saves it: one JSON object with collections of documents. It is
 * read as a stream, one document at a time, as often as somebody wants other collections: these
 * files have hundreds of megabytes.
 */
final class LokiFile {
  /** A text is at most what Azurite takes as an entity or a message. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxStringLength(16 << 20)
                  .maxNameLength(70_000)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final Path path;

  LokiFile(Path path) {
    this.path = path;
  }

  boolean exists() {
    return Files.exists(path);
  }

  String name() {
    return String.valueOf(path.getFileName());
  }

  /** Takes what a file holds. */
  interface Visitor {
    /** Whether the documents of a collection are wanted. */
    boolean wants(String collection);

    void visit(String collection, LokiDocument document);
  }

  /**
   * Reads the file once.
   *
   * @return why it could not be read to its end; null if it could. What came before was visited
   */
  @Nullable String read(Visitor visitor) {
    try (InputStream in = Files.newInputStream(path);
        JsonParser parser = JSON.createParser(in)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return "it is no database of LokiJS";
      }
      readDatabase(parser, visitor);
      return null;
    } catch (JsonProcessingException e) {
      return e.getOriginalMessage() + " (byte " + e.getLocation().getByteOffset() + ")";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static void readDatabase(JsonParser parser, Visitor visitor) throws IOException {
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

  /** LokiJS writes the name of a collection in front of its documents. */
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
          visitor.visit(collection, LokiDocument.read(parser));
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private static JsonToken next(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new IOException("it ends in the middle");
    }
    return token;
  }
}
