package io.lazuli.server.blob.tag;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.tag.TagExpression.Comparison;
import io.lazuli.server.error.ServiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Parses conditions on tags. There are two grammars: the {@code where} of a search (blob-features
 * 1.5), and {@code x-ms-if-tags} (blob-features 1.6), which also has {@code OR} and {@code <>} but
 * no {@code @container}. Mutable, used once.
 */
public final class TagExpressionParser {
  /** The key that stands for the name of the container. */
  static final String CONTAINER = "@container";

  private static final int DEPTH_MAX = 32;

  private final String text;
  private final boolean search;
  private final Function<String, ServiceException> refusal;
  private int at;
  private int depth;

  private TagExpressionParser(
      String text, boolean search, Function<String, ServiceException> refusal) {
    this.text = text;
    this.search = search;
    this.refusal = refusal;
  }

  /**
   * Parses the value of {@code x-ms-if-tags}.
   *
   * @param refusal makes the exception to throw, from a description of the fault
   */
  public static TagExpression condition(String text, Function<String, ServiceException> refusal) {
    return new TagExpressionParser(text, false, refusal).parse();
  }

  /**
   * Parses the expression of a search.
   *
   * @param refusal makes the exception to throw, from a description of the fault
   */
  public static TagQuery search(String text, Function<String, ServiceException> refusal) {
    TagExpression expression = new TagExpressionParser(text, true, refusal).parse();
    List<Comparison> comparisons = new ArrayList<>();
    flatten(expression, comparisons);
    return TagQuery.require(comparisons, refusal);
  }

  private static void flatten(TagExpression expression, List<Comparison> into) {
    if (expression instanceof Comparison comparison) {
      into.add(comparison);
    } else if (expression instanceof TagExpression.All all) {
      all.parts().forEach(part -> flatten(part, into));
    } else {
      throw new IllegalStateException("a search has no alternatives");
    }
  }

  private TagExpression parse() {
    TagExpression parsed = alternatives();
    skipSpace();
    if (at < text.length()) {
      throw unexpected();
    }
    return parsed;
  }

  private TagExpression alternatives() {
    List<TagExpression> parts = new ArrayList<>(List.of(conjunction()));
    while (!search && takeWord("OR")) {
      parts.add(conjunction());
    }
    return parts.size() == 1 ? parts.get(0) : new TagExpression.Any(parts);
  }

  private TagExpression conjunction() {
    List<TagExpression> parts = new ArrayList<>(List.of(factor()));
    while (takeWord("AND")) {
      parts.add(factor());
    }
    return parts.size() == 1 ? parts.get(0) : new TagExpression.All(parts);
  }

  private TagExpression factor() {
    skipSpace();
    if (!isAt('(')) {
      return comparison();
    }
    if (++depth > DEPTH_MAX) {
      throw unexpected();
    }
    at++;
    TagExpression inside = alternatives();
    skipSpace();
    if (!isAt(')')) {
      throw unexpected();
    }
    at++;
    depth--;
    return inside;
  }

  private Comparison comparison() {
    int start = at;
    String key = key();
    skipSpace();
    TagOperator operator = TagOperator.at(text, at);
    if (operator == null) {
      throw at < text.length() ? unexpected() : fault(start, "expected an operator");
    }
    boolean allowed =
        key.equals(CONTAINER)
            ? operator == TagOperator.EQUAL
            : !search || operator != TagOperator.NOT_EQUAL;
    if (!allowed) {
      throw unexpected();
    }
    at += operator.text().length();
    skipSpace();
    int valueStart = at;
    if (!isAt('\'')) {
      throw unexpected();
    }
    String value = quoted('\'');
    boolean fits =
        key.equals(CONTAINER)
            || (value.length() <= BlobLimits.TAG_VALUE_LENGTH_MAX && BlobTags.isAllowed(value));
    if (!fits) {
      throw fault(valueStart, "the value of the tag is invalid");
    }
    return new Comparison(key, operator, value);
  }

  private String key() {
    int start = at;
    if (isAt('@')) {
      at++;
      String parameter = "@" + bare();
      if (!search || !parameter.equals(CONTAINER)) {
        throw fault(start, "unsupported parameter '" + parameter + "'");
      }
      return parameter;
    }
    String key = isAt('"') ? quoted('"') : bare();
    boolean fits = key.length() <= BlobLimits.TAG_KEY_LENGTH_MAX && BlobTags.isAllowed(key);
    if (key.isEmpty() && at == start) {
      throw unexpected();
    } else if (key.isEmpty() || !fits) {
      throw fault(start, "the name of the tag is invalid");
    }
    return key;
  }

  /** Reads letters, digits and underscores; empty if there are none. */
  private String bare() {
    int start = at;
    while (at < text.length() && isWord(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted(char quote) {
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw fault(at, "missing " + quote);
    }
    String inside = text.substring(at + 1, end);
    at = end + 1;
    return inside;
  }

  /** Skips a word, in any letter case. Returns false if another one follows. */
  private boolean takeWord(String word) {
    skipSpace();
    int end = at + word.length();
    boolean follows =
        text.regionMatches(true, at, word, 0, word.length())
            && (end == text.length() || !isWord(text.charAt(end)));
    at = follows ? end : at;
    return follows;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean isAt(char expected) {
    return at < text.length() && text.charAt(at) == expected;
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  private ServiceException unexpected() {
    if (at >= text.length()) {
      return fault(at, "unexpected end of the expression");
    }
    int start = at;
    String word = bare();
    return fault(start, "unexpected '" + (word.isEmpty() ? text.charAt(start) : word) + "'");
  }

  /** Makes the exception about a fault. Positions in messages begin with 1. */
  private ServiceException fault(int position, String what) {
    return refusal.apply(
        String.format(
            Locale.ROOT,
            "Error parsing query at or near character position %d: %s",
            position + 1,
            what));
  }
}
