package io.lazuli.server.table.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads entities from JSON. An annotation may come before or after its value, so all members are
 * collected before any is interpreted (table-rest 4.4).
 */
public final class EntityParser {
  private static final String ANNOTATION = "@odata.type";

  /**
   * The maximum number of members in a body, and of annotations. An entity has far fewer, even with
   * null values.
   */
  private static final int MEMBERS_MAX = 1_000;

  /** A factory with limits that bound the work for one body. A body has at most 4 MiB. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxNumberLength(2_000)
                  .maxNameLength(70_000)
                  .maxStringLength(8 << 20)
                  .build())
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private EntityParser() {}

  /** Reads an entity; throws 400 for any other document. */
  public static EntityBody parse(byte[] body) {
    Map<String, JsonScalar> members = new LinkedHashMap<>();
    Map<String, String> annotations = new LinkedHashMap<>();
    try (JsonParser parser = parser(body)) {
      collect(parser, members, annotations);
    } catch (IOException e) {
      throw TableErrors.INVALID_BODY.exception();
    }
    return understand(members, annotations);
  }

  /** Returns the table name in the body of Create Table. */
  static String tableName(byte[] body) {
    Map<String, JsonScalar> members = new LinkedHashMap<>();
    try (JsonParser parser = parser(body)) {
      collect(parser, members, new LinkedHashMap<>());
    } catch (IOException e) {
      throw TableErrors.INVALID_BODY.exception();
    }
    JsonScalar name = members.get("TableName");
    if (name == null || name.kind() == JsonScalar.Kind.NULL) {
      throw TableErrors.PROPERTIES_NEED_VALUE.exception();
    }
    return keyText(name, null);
  }

  /**
   * Opens a parser. Throws if the body is not valid UTF-8: Jackson accepts overlong forms, raw
   * surrogates and values beyond Unicode.
   */
  private static JsonParser parser(byte[] body) throws IOException {
    int at = 0;
    while (at < body.length && body[at] >= 0) {
      at++;
    }
    if (at < body.length) {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body, at, body.length - at));
    }
    return JSON.createParser(body);
  }

  private static void collect(
      JsonParser parser, Map<String, JsonScalar> members, Map<String, String> annotations)
      throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw TableErrors.INVALID_BODY.exception();
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.startsWith("odata.") || name.equals("Timestamp")) {
        parser.skipChildren();
      } else if (name.endsWith(ANNOTATION)) {
        annotate(name, parser, annotations);
      } else if (members.put(name, scalar(parser)) != null) {
        throw TableErrors.DUPLICATE_PROPERTIES.exception();
      }
      if (members.size() > MEMBERS_MAX || annotations.size() > MEMBERS_MAX) {
        throw TableErrors.TOO_MANY_PROPERTIES.exception();
      }
    }
    if (parser.nextToken() != null) {
      throw TableErrors.INVALID_BODY.exception();
    }
  }

  private static void annotate(String name, JsonParser parser, Map<String, String> annotations)
      throws IOException {
    String property = name.substring(0, name.length() - ANNOTATION.length());
    if (property.equals("Timestamp")) {
      parser.skipChildren();
      return;
    }
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw TableErrors.INVALID_BODY.exception();
    }
    if (annotations.put(property, parser.getText()) != null) {
      throw TableErrors.DUPLICATE_PROPERTIES.exception();
    }
  }

  private static JsonScalar scalar(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_NULL -> JsonScalar.NULL;
      case VALUE_TRUE -> new JsonScalar(JsonScalar.Kind.BOOLEAN, "true");
      case VALUE_FALSE -> new JsonScalar(JsonScalar.Kind.BOOLEAN, "false");
      case VALUE_STRING -> new JsonScalar(JsonScalar.Kind.STRING, parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new JsonScalar(JsonScalar.Kind.NUMBER, parser.getText());
      default -> throw TableErrors.INVALID_BODY.exception();
    };
  }

  private static EntityBody understand(
      Map<String, JsonScalar> members, Map<String, String> annotations) {
    String partitionKey = null;
    String rowKey = null;
    List<Property> properties = new ArrayList<>(members.size());
    for (Map.Entry<String, JsonScalar> member : members.entrySet()) {
      String name = member.getKey();
      JsonScalar value = member.getValue();
      if (value.kind() == JsonScalar.Kind.NULL) {
        continue;
      }
      if (name.equals("PartitionKey")) {
        partitionKey = keyText(value, annotations.get(name));
      } else if (name.equals("RowKey")) {
        rowKey = keyText(value, annotations.get(name));
      } else {
        properties.add(property(name, value, annotations.get(name)));
      }
    }
    return new EntityBody(partitionKey, rowKey, properties);
  }

  private static Property property(String name, JsonScalar value, @Nullable String annotation) {
    return new Property(name, EdmReader.read(name, value, annotation));
  }

  private static String keyText(JsonScalar value, @Nullable String annotation) {
    boolean typed = annotation == null || annotation.equals(EdmType.STRING.edmName());
    if (value.kind() != JsonScalar.Kind.STRING || !typed) {
      throw TableErrors.INVALID_BODY.exception();
    }
    return value.text();
  }
}
