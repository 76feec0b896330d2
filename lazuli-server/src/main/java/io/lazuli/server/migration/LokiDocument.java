package io.lazuli.server.migration;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object, read completely. Values are texts, {@link Digits}, booleans, lists and documents;
 * nulls are left out. Numbers keep their notation.
 */
record LokiDocument(Map<String, Object> members) {
  /** A bound above the number of values of the largest blob, which has 50,000 blocks. */
  private static final int VALUES_MAX = 4_000_000;

  /** A number in the notation of the file. */
  record Digits(String text) {}

  /** Reads the object that begins at the parser's current token. */
  static LokiDocument read(JsonParser parser) throws IOException {
    return new Reader(parser).document();
  }

  static LokiDocument empty() {
    return new LokiDocument(Map.of());
  }

  /** Returns the text of that name; empty if there is none. */
  String text(String name) {
    return members.get(name) instanceof String text ? text : "";
  }

  @Nullable String findText(String name) {
    return members.get(name) instanceof String text ? text : null;
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  /** Returns the whole number of that name; -1 if there is none. */
  long number(String name) {
    return whole(members.get(name));
  }

  private static long whole(@Nullable Object value) {
    if (value instanceof Digits number) {
      try {
        return Long.parseLong(number.text());
      } catch (NumberFormatException e) {
        return -1;
      }
    }
    return -1;
  }

  /** Returns the document of that name; an empty document if there is none. */
  LokiDocument document(String name) {
    return members.get(name) instanceof LokiDocument document ? document : empty();
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  /** Returns the documents in the list of that name; none if there is no list. */
  List<LokiDocument> documents(String name) {
    List<LokiDocument> found = new ArrayList<>();
    if (members.get(name) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof LokiDocument document) {
          found.add(document);
        }
      }
    }
    return found;
  }

  /**
   * Returns the bytes of that name; null if there are none. Azurite's files have three notations
   * for them: an object with the indexes as names, a {@code Buffer} of Node, and a list.
   */
  byte @Nullable [] bytes(String name) {
    Object value = members.get(name);
    if (value instanceof LokiDocument buffer && buffer.text("type").equals("Buffer")) {
      return buffer.bytes("data");
    }
    if (value instanceof LokiDocument indexed) {
      byte[] bytes = new byte[indexed.members().size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) indexed.number(Integer.toString(i));
      }
      return bytes;
    }
    return value instanceof List<?> list ? bytes(list) : null;
  }

  private static byte[] bytes(List<?> list) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    list.forEach(each -> bytes.write((int) whole(each)));
    return bytes.toByteArray();
  }

  /** Returns the members that are texts, in order. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    members.forEach(
        (name, value) -> {
          if (value instanceof String text) {
            texts.put(name, text);
          }
        });
    return texts;
  }

  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (Map.Entry<String, Object> member : members.entrySet()) {
      out.writeFieldName(member.getKey());
      write(member.getValue(), out);
    }
    out.writeEndObject();
  }

  private static void write(Object value, JsonGenerator out) throws IOException {
    if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Digits number) {
      out.writeNumber(number.text());
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof LokiDocument document) {
      document.write(out);
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object each : list) {
        write(each, out);
      }
      out.writeEndArray();
    }
  }

  /** Reads one object. Mutable. */
  private static final class Reader {
    private final JsonParser parser;
    private int values;

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    LokiDocument document() throws IOException {
      Map<String, Object> members = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        Object value = value();
        if (value != null) {
          members.put(name, value);
        }
      }
      return new LokiDocument(members);
    }

    private @Nullable Object value() throws IOException {
      if (++values > VALUES_MAX) {
        throw new IOException("an object has more than " + VALUES_MAX + " values");
      }
      JsonToken token = parser.currentToken();
      if (token == null) {
        throw new IOException("the file is truncated");
      }
      return switch (token) {
        case START_OBJECT -> document();
        case START_ARRAY -> list();
        case VALUE_STRING -> parser.getText();
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getText());
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        default -> null;
      };
    }

    private List<Object> list() throws IOException {
      List<Object> list = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        Object value = value();
        if (value != null) {
          list.add(value);
        }
      }
      return list;
    }
  }
}
