package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.server.table.query.Operator;
import io.lazuli.server.table.query.RecordPredicate;
import io.lazuli.server.table.query.TableNamePredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of {@code $filter} (table-rest 7.2 and 7.3). Time and stack depth are
 * proportional to the length of the text, whatever it contains.
 *
 * <p>A parenthesis may hold an operand or a condition, and only the text after it shows which.
 * Therefore one function reads both into a {@link Term}, and the caller then checks that the term
 * fits.
 */
public final class ODataFilterParser {
  static final int COMPARISONS_MAX = 1_000;
  static final int DEPTH_MAX = 200;

  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "eq", Operator.EQ,
          "ne", Operator.NE,
          "gt", Operator.GT,
          "ge", Operator.GE,
          "lt", Operator.LT,
          "le", Operator.LE);

  /** A parsed operand or condition. */
  private sealed interface Term {}

  private record Literal(EdmValue value) implements Term {}

  private record Name(String name) implements Term {}

  private record Condition(Filter filter) implements Term {}

  private final FilterLexer lexer;
  private final boolean ofTables;
  private int comparisons;

  private ODataFilterParser(String text, boolean ofTables) {
    this.lexer = new FilterLexer(text);
    this.ofTables = ofTables;
  }

  /** Parses the filter of a query for entities; a blank text matches all entities. */
  public static Filter parse(String text) {
    return new ODataFilterParser(text, false).filter();
  }

  /** Parses a filter and describes what is wrong with it, instead of throwing. */
  public static FilterCheck check(String text) {
    ODataFilterParser parser = new ODataFilterParser(text, false);
    try {
      return FilterCheck.right(parser.filter());
    } catch (ServiceException e) {
      return FilterCheck.wrong(text, e, parser.lexer.start(), parser.lexer.end());
    }
  }

  /** Parses the filter of a query for tables, which have only the property {@code TableName}. */
  public static Filter parseForTables(String text) {
    return new ODataFilterParser(text, true).filter();
  }

  private Filter filter() {
    lexer.advance();
    if (lexer.kind() == FilterLexer.Kind.END) {
      return Filter.ALL;
    }
    Term term = or(0);
    if (lexer.kind() != FilterLexer.Kind.END) {
      throw lexer.syntaxError();
    }
    return condition(term);
  }

  private Term or(int depth) {
    Term first = and(depth);
    if (!lexer.name().equals("or")) {
      return first;
    }
    List<Filter> operands = new ArrayList<>();
    while (lexer.name().equals("or")) {
      lexer.advance();
      join(operands, first, and(depth), "Or");
    }
    return new Condition(new Or(operands));
  }

  private Term and(int depth) {
    Term first = unary(depth);
    if (!lexer.name().equals("and")) {
      return first;
    }
    List<Filter> operands = new ArrayList<>();
    while (lexer.name().equals("and")) {
      lexer.advance();
      join(operands, first, unary(depth), "And");
    }
    return new Condition(new And(operands));
  }

  /** Adds the next operand; if the list is empty, adds the first operand before it. */
  private void join(List<Filter> operands, Term first, Term next, String kind) {
    EdmType leftType = typeOfCondition(first);
    EdmType nextType = typeOfCondition(next);
    if (leftType != EdmType.BOOLEAN || nextType != EdmType.BOOLEAN) {
      throw incompatible(leftType, nextType, kind);
    }
    if (operands.isEmpty()) {
      operands.add(condition(first));
    }
    operands.add(condition(next));
  }

  private Term unary(int depth) {
    if (!lexer.name().equals("not")) {
      return comparison(depth);
    }
    requireDepth(depth + 1);
    lexer.advance();
    return new Condition(new Not(condition(unary(depth + 1))));
  }

  private Term comparison(int depth) {
    Term left = primary(depth);
    Operator operator = OPERATORS.get(lexer.name());
    if (operator == null) {
      return left;
    }
    lexer.advance();
    return new Condition(compare(left, operator, primary(depth)));
  }

  private Term primary(int depth) {
    Term term =
        switch (lexer.kind()) {
          case OPEN -> parenthesis(depth + 1);
          case LITERAL -> literal();
          case NAME -> name();
          case MINUS -> throw negation();
          case CLOSE, END -> throw lexer.syntaxError();
        };
    switch (lexer.name()) {
      case "add", "sub", "mul", "div", "mod" -> throw CommonErrors.NOT_IMPLEMENTED.exception();
      default -> {
        return term;
      }
    }
  }

  private Term parenthesis(int depth) {
    requireDepth(depth);
    lexer.advance();
    Term term = or(depth);
    if (lexer.kind() != FilterLexer.Kind.CLOSE) {
      throw lexer.syntaxError();
    }
    lexer.advance();
    return term;
  }

  private Term literal() {
    Literal term = new Literal(lexer.literal());
    lexer.advance();
    return term;
  }

  /**
   * Returns the error for a minus sign that is not part of a number: 501 before an operand, because
   * arithmetic is not implemented, and a syntax error before anything else.
   */
  private ServiceException negation() {
    lexer.advance();
    return switch (lexer.kind()) {
      case OPEN, LITERAL, NAME -> CommonErrors.NOT_IMPLEMENTED.exception();
      case MINUS, CLOSE, END -> lexer.syntaxError();
    };
  }

  private Term name() {
    String name = lexer.name();
    if (name.equals("null")) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    lexer.advance();
    if (lexer.kind() == FilterLexer.Kind.OPEN) {
      throw isKeyword(name) ? lexer.syntaxError() : CommonErrors.NOT_IMPLEMENTED.exception();
    }
    if (ofTables && !name.equals(TableNamePredicate.TABLE_NAME)) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return new Name(name);
  }

  private static boolean isKeyword(String name) {
    return name.equals("and") || name.equals("or") || isOperator(name);
  }

  static boolean isOperator(String name) {
    return OPERATORS.containsKey(name);
  }

  private Filter compare(Term left, Operator operator, Term right) {
    EdmType leftType = type(left);
    EdmType rightType = type(right);
    if (leftType != null && rightType != null && !compare(leftType, rightType)) {
      throw incompatible(leftType, rightType, operator.kind());
    }
    if (left instanceof Name name && right instanceof Literal literal) {
      return counted(new Comparison(name.name, operator, literal.value));
    } else if (left instanceof Literal literal && right instanceof Name name) {
      return counted(new Comparison(name.name, operator.mirrored(), literal.value));
    } else if (left instanceof Literal first && right instanceof Literal second) {
      return counted(new Constant(holds(first.value, operator, second.value)));
    }
    throw TableErrors.INVALID_INPUT.exception();
  }

  /**
   * Compares two constants. The wider of their types decides, because there is no property whose
   * type could.
   */
  private static boolean holds(EdmValue left, Operator operator, EdmValue right) {
    return rank(left.type()) >= rank(right.type())
        ? RecordPredicate.holds(left, operator, right)
        : RecordPredicate.holds(right, operator.mirrored(), left);
  }

  private static boolean compare(EdmType left, EdmType right) {
    return left == right || (rank(left) > 0 && rank(right) > 0);
  }

  private static int rank(EdmType type) {
    return switch (type) {
      case INT32 -> 1;
      case INT64 -> 2;
      case DOUBLE -> 3;
      case STRING, BOOLEAN, DATE_TIME, GUID, BINARY -> 0;
    };
  }

  /** Returns the type of a term; null if it depends on the entity. */
  private @Nullable EdmType type(Term term) {
    if (term instanceof Literal literal) {
      return literal.value.type();
    } else if (term instanceof Name name) {
      return ofTables ? EdmType.STRING : SystemProperties.type(name.name);
    }
    return EdmType.BOOLEAN;
  }

  /** Returns the type of a term in the position of a condition; a property counts as Boolean. */
  private EdmType typeOfCondition(Term term) {
    EdmType type = type(term);
    return type == null ? EdmType.BOOLEAN : type;
  }

  private Filter condition(Term term) {
    if (typeOfCondition(term) != EdmType.BOOLEAN) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    if (term instanceof Condition condition) {
      return condition.filter;
    } else if (term instanceof Name name) {
      return counted(new BooleanProperty(name.name));
    }
    return counted(new Constant(((BooleanValue) ((Literal) term).value).value()));
  }

  private Filter counted(Filter leaf) {
    comparisons++;
    if (comparisons > COMPARISONS_MAX) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return leaf;
  }

  private static void requireDepth(int depth) {
    if (depth > DEPTH_MAX) {
      throw TableErrors.INVALID_INPUT.exception();
    }
  }

  private static ServiceException incompatible(EdmType left, EdmType right, String kind) {
    return TableErrors.INCOMPATIBLE_TYPES
        .exception()
        .with("left", left.edmName())
        .with("right", right.edmName())
        .with("kind", kind);
  }
}
