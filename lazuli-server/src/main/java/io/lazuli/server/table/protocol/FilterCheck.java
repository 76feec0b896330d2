package io.lazuli.server.table.protocol;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.explain.ExplainTexts;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.query.Filter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter that somebody types: right, unfinished, or wrong at a place. An unfinished filter lacks
 * only its end; the part that is there can be explained.
 *
 * @param filter the filter, or the part of an unfinished one that is complete; null if it is wrong
 * @param soFar the text of that part; null if the filter is right or wrong
 * @param problem the first problem; null if the filter is right
 */
public record FilterCheck(
    @Nullable Filter filter, @Nullable String soFar, @Nullable Problem problem) {
  /** How many shorter texts are tried. */
  private static final int TRIES_MAX = 16;

  /**
   * A problem in a filter.
   *
   * @param key the key of the text
   * @param from the first character of the place
   * @param to the first character after it
   */
  public record Problem(String key, String text, int from, int to) {}

  private record Token(FilterLexer.Kind kind, String name, int start, int end) {
    boolean isOperator() {
      return ODataFilterParser.isOperator(name);
    }

    boolean isJunction() {
      return name.equals("and") || name.equals("or");
    }
  }

  /** Returns whether the filter can be run. */
  public boolean isComplete() {
    return problem == null;
  }

  static FilterCheck right(Filter filter) {
    return new FilterCheck(filter, null, null);
  }

  /**
   * Describes a filter that the parser refused.
   *
   * @param start where the token begins at which the parser stopped
   * @param end where it ends
   */
  static FilterCheck wrong(String text, ServiceException refusal, int start, int end) {
    ServiceError error = refusal.error();
    List<Token> tokens = tokensBefore(text, start);
    Token last = tokens.isEmpty() ? null : tokens.get(tokens.size() - 1);
    boolean syntax = error.equals(TableErrors.FILTER_SYNTAX);
    boolean open = isOpenQuote(text, start);
    int length = text.stripTrailing().length();
    boolean after = start >= length;
    boolean typing = last != null && last.kind == FilterLexer.Kind.NAME && after;
    boolean endMissing =
        end >= length
            && (typing || syntax || error.equals(TableErrors.INVALID_INPUT))
            && (open || after || isWord(text, start));
    Problem problem =
        syntax || last == null
            ? syntaxProblem(text, tokens, last, start, end, open)
            : new Problem(
                "filter.meaning",
                ExplainTexts.of("filter.meaning", "why", refusal.text()),
                last.start,
                last.end);
    if (!endMissing) {
      return new FilterCheck(null, null, problem);
    }
    return soFar(text, Math.min(start, text.length()), tokens, open, problem);
  }

  private static boolean isWord(String text, int start) {
    return start < text.length() && Character.isLetter(text.charAt(start));
  }

  private static boolean isOpenQuote(String text, int start) {
    int quote = text.indexOf('\'', start);
    if (quote < 0 || !text.substring(start, quote).matches("\\w*")) {
      return false;
    }
    long quotes = text.substring(quote).chars().filter(c -> c == '\'').count();
    return quotes % 2 == 1;
  }

  private static Problem syntaxProblem(
      String text, List<Token> tokens, @Nullable Token last, int start, int end, boolean open) {
    int from = Math.min(start, Math.max(0, text.length() - 1));
    int to = Math.max(from + 1, end);
    if (open) {
      return problem("filter.quote", "", start, text.length());
    }
    if (last == null || last.isJunction() || last.name.equals("not") || isOpen(last)) {
      return problem("filter.name", "", from, to);
    }
    if (last.isOperator()) {
      return problem("filter.value", last.name, from, to);
    }
    boolean afterOperator = tokens.size() > 1 && tokens.get(tokens.size() - 2).isOperator();
    if (last.kind == FilterLexer.Kind.NAME && !afterOperator) {
      return problem("filter.comparison", last.name, from, to);
    }
    return start >= text.stripTrailing().length() && depth(tokens) > 0
        ? problem("filter.paren", "", from, to)
        : problem("filter.end", "", from, to);
  }

  private static boolean isOpen(Token token) {
    return token.kind == FilterLexer.Kind.OPEN;
  }

  private static Problem problem(String key, String subject, int from, int to) {
    return new Problem(key, ExplainTexts.of(key, "p", subject, "op", subject), from, to);
  }

  /** Finds the longest part from the start that is a filter. */
  private static FilterCheck soFar(
      String text, int start, List<Token> tokens, boolean open, Problem problem) {
    List<String> parts = new ArrayList<>();
    if (open) {
      parts.add(closed(text + "'", depth(tokens)));
    }
    parts.add(closed(text, depth(tokens)));
    parts.add(closed(text.substring(0, start).strip(), depth(tokens)));
    for (int i = tokens.size() - 1; i >= 0 && parts.size() < TRIES_MAX; i--) {
      if (tokens.get(i).isJunction()) {
        String part = text.substring(0, tokens.get(i).start).strip();
        parts.add(closed(part, depth(tokens.subList(0, i))));
      }
    }
    for (String part : parts) {
      try {
        return new FilterCheck(ODataFilterParser.parse(part), part, problem);
      } catch (ServiceException e) {
        // A shorter part follows.
      }
    }
    return new FilterCheck(Filter.ALL, "", problem);
  }

  private static String closed(String text, int depth) {
    return text + ")".repeat(Math.max(0, depth));
  }

  private static int depth(List<Token> tokens) {
    int depth = 0;
    for (Token token : tokens) {
      depth += isOpen(token) ? 1 : token.kind == FilterLexer.Kind.CLOSE ? -1 : 0;
    }
    return depth;
  }

  private static List<Token> tokensBefore(String text, int end) {
    List<Token> tokens = new ArrayList<>();
    FilterLexer lexer = new FilterLexer(text);
    try {
      lexer.advance();
      while (lexer.kind() != FilterLexer.Kind.END && lexer.start() < end) {
        tokens.add(new Token(lexer.kind(), lexer.name(), lexer.start(), lexer.end()));
        lexer.advance();
      }
    } catch (ServiceException e) {
      // The text after this place has no tokens.
      return tokens;
    }
    return tokens;
  }
}
