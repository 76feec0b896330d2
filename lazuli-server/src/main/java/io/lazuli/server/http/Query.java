package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a query string, decoded, in order. */
public final class Query {
  public static final Query EMPTY = new Query(List.of());

  /** One parameter. */
  public record Parameter(String name, String value) {}

  private final List<Parameter> parameters;

  private Query(List<Parameter> parameters) {
    this.parameters = parameters;
  }

  /** Parses what stands behind the question mark; text that does not decode is a 400. */
  public static Query parse(String raw) {
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
        parameters.add(parameter(raw.substring(start, end)));
      }
      start = end + 1;
    }
    return new Query(List.copyOf(parameters));
  }

  /** The first value of a parameter; null if it is not there. */
  public @Nullable String first(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name.equals(name)) {
        return parameter.value;
      }
    }
    return null;
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  private static Parameter parameter(String text) {
    int equals = text.indexOf('=');
    return equals < 0
        ? new Parameter(decode(text), "")
        : new Parameter(decode(text.substring(0, equals)), decode(text.substring(equals + 1)));
  }

  /** In a query a plus sign is a space. */
  private static String decode(String text) {
    String decoded = PercentEncoding.decode(text.replace('+', ' '));
    if (decoded == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return decoded;
  }
}
