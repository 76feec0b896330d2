package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a query string, decoded, in order. */
public final class Query {
  public static final Query EMPTY = new Query(List.of());

  /** A query string that cannot be decoded; it has no parameters. */
  public static final Query UNREADABLE = new Query(List.of());

  /** One parameter. */
  public record Parameter(String name, String value) {}

  private final List<Parameter> parameters;

  private Query(List<Parameter> parameters) {
    this.parameters = parameters;
  }

  /** Parses the text after the question mark. Throws 400 if it cannot be decoded. */
  public static Query parse(String raw) {
    Query query = tryParse(raw);
    if (query == UNREADABLE) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return query;
  }

  /**
   * Parses the text after the question mark. Returns {@link #UNREADABLE} if it cannot be decoded.
   */
  public static Query tryParse(String raw) {
    if (raw.isEmpty()) {
      return EMPTY;
    }
    List<Parameter> parameters = new ArrayList<>();
    int start = 0;
    while (start <= raw.length()) {
      int end = raw.indexOf('&', start);
      if (end < 0) {
        end = raw.length();
      }
      if (end > start) {
        Parameter parameter = parameter(raw.substring(start, end));
        if (parameter == null) {
          return UNREADABLE;
        }
        parameters.add(parameter);
      }
      start = end + 1;
    }
    return new Query(Collections.unmodifiableList(parameters));
  }

  /** Returns the first value of a parameter; null if it is absent. */
  public @Nullable String first(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name.equals(name)) {
        return parameter.value;
      }
    }
    return null;
  }

  /** Like {@link #first}, but ignores the case of the name. */
  public @Nullable String firstIgnoringCase(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name.equalsIgnoreCase(name)) {
        return parameter.value;
      }
    }
    return null;
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  private static @Nullable Parameter parameter(String text) {
    int equals = text.indexOf('=');
    String name = decode(equals < 0 ? text : text.substring(0, equals));
    String value = equals < 0 ? "" : decode(text.substring(equals + 1));
    return name == null || value == null ? null : new Parameter(name, value);
  }

  /** Decodes a name or value. In a query a plus sign is a space. */
  private static @Nullable String decode(String text) {
    return PercentEncoding.decode(text.replace('+', ' '));
  }
}
