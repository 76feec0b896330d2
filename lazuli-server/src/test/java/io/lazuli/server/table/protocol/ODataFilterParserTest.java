package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.server.table.query.Operator;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of table-rest 7.2 and the errors of table-rest 7.3. */
class ODataFilterParserTest {
  private static final Filter A = new BooleanProperty("a");
  private static final Filter B = new BooleanProperty("b");
  private static final Filter C = new BooleanProperty("c");
  private static final String INVALID = "One of the request inputs is not valid.";

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " \t\r\n "})
  void aBlankFilterMatchesAll(String text) {
    assertThat(parse(text)).isEqualTo(Filter.ALL);
  }

  @ParameterizedTest
  @CsvSource({"eq,EQ", "ne,NE", "gt,GT", "ge,GE", "lt,LT", "le,LE"})
  void allOperatorsAreRead(String keyword, Operator operator) {
    Filter filter = new Comparison("Age", operator, new Int32Value(5));
    assertThat(parse("Age " + keyword + " 5")).isEqualTo(filter);
  }

  @ParameterizedTest
  @CsvSource({"eq,EQ", "ne,NE", "gt,LT", "ge,LE", "lt,GT", "le,GE"})
  void aConstantOnTheLeftMirrorsTheOperator(String keyword, Operator operator) {
    Filter filter = new Comparison("Age", operator, new Int32Value(5));
    assertThat(parse("5 " + keyword + " Age")).isEqualTo(filter);
  }

  @Test
  void andBindsTighterThanOrAndNotTighterThanAnd() {
    assertThat(parse("a or b and c")).isEqualTo(or(A, and(B, C)));
    assertThat(parse("a and b or c")).isEqualTo(or(and(A, B), C));
    assertThat(parse("(a or b) and c")).isEqualTo(and(or(A, B), C));
    assertThat(parse("not a and b")).isEqualTo(and(new Not(A), B));
    assertThat(parse("not (a and b)")).isEqualTo(new Not(and(A, B)));
    assertThat(parse("not not a")).isEqualTo(new Not(new Not(A)));
    assertThat(parse("a and b and c")).isEqualTo(and(A, B, C));
  }

  @Test
  void notCoversAComparisonWithoutParentheses() {
    assertThat(parse("not A eq 1")).isEqualTo(new Not(compare("A", new Int32Value(1))));
    assertThat(parse("not (A eq 1)")).isEqualTo(parse("not A eq 1"));
  }

  @Test
  void blanksNextToParenthesesAreOptional() {
    Filter filter = and(compare("PartitionKey", text("a")), compare("RowKey", text("b")));
    assertThat(parse("(PartitionKey eq 'a')and(RowKey eq 'b')")).isEqualTo(filter);
    assertThat(parse("  ( PartitionKey\teq   'a' ) and ( RowKey eq 'b' )  ")).isEqualTo(filter);
    assertThat(parse("not(a)")).isEqualTo(new Not(A));
  }

  @Test
  void operandsMayStandInParentheses() {
    assertThat(parse("(A) eq ((1))")).isEqualTo(compare("A", new Int32Value(1)));
    assertThat(parse("((A eq 1))")).isEqualTo(compare("A", new Int32Value(1)));
    assertThat(parse("(a) and (b)")).isEqualTo(and(A, B));
  }

  @Test
  void namesMayHoldAnyLetters() {
    assertThat(parse("Größe_2 eq 1")).isEqualTo(compare("Größe_2", new Int32Value(1)));
    assertThat(parse("_x eq 1")).isEqualTo(compare("_x", new Int32Value(1)));
    assertThat(parse("数 eq 1")).isEqualTo(compare("数", new Int32Value(1)));
    assertThat(parse("Eq eq 1")).isEqualTo(compare("Eq", new Int32Value(1)));
  }

  @Test
  void stringsDoubleTheirQuotes() {
    assertLiteral("''", text(""));
    assertLiteral("'O''Neil'", text("O'Neil"));
    assertLiteral("''''", text("'"));
    assertLiteral("'a\\n and (b'", text("a\\n and (b"));
    assertLiteral("'日本😀'", text("日本😀"));
  }

  @Test
  void integersTakeTheSmallestTypeThatHoldsThem() {
    assertLiteral("0", new Int32Value(0));
    assertLiteral("-5", new Int32Value(-5));
    assertLiteral("2147483647", new Int32Value(Integer.MAX_VALUE));
    assertLiteral("-2147483648", new Int32Value(Integer.MIN_VALUE));
    assertLiteral("2147483648", new Int64Value(2_147_483_648L));
    assertLiteral("123L", new Int64Value(123));
    assertLiteral("-123l", new Int64Value(-123));
    assertLiteral("-9223372036854775808L", new Int64Value(Long.MIN_VALUE));
  }

  @Test
  void doublesHaveAPointAnExponentOrASuffix() {
    assertLiteral("1.5", new DoubleValue(1.5));
    assertLiteral("-0.25", new DoubleValue(-0.25));
    assertLiteral("1e5", new DoubleValue(1e5));
    assertLiteral("1.5E-3", new DoubleValue(1.5e-3));
    assertLiteral("1.5e+3", new DoubleValue(1.5e3));
    assertLiteral("3d", new DoubleValue(3));
    assertLiteral("3.5D", new DoubleValue(3.5));
    assertLiteral("-0.0", new DoubleValue(-0.0));
    assertLiteral("NaN", new DoubleValue(Double.NaN));
    assertLiteral("Infinity", new DoubleValue(Double.POSITIVE_INFINITY));
    assertLiteral("INF", new DoubleValue(Double.POSITIVE_INFINITY));
    assertLiteral("-Infinity", new DoubleValue(Double.NEGATIVE_INFINITY));
    assertLiteral("-INF", new DoubleValue(Double.NEGATIVE_INFINITY));
  }

  @Test
  void booleansAreLowerCase() {
    assertLiteral("true", new BooleanValue(true));
    assertLiteral("false", new BooleanValue(false));
    assertThat(parse("True")).isEqualTo(new BooleanProperty("True"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "2008-07-10T00:00:00Z,2008-07-10T00:00:00Z",
        "2008-07-10T00:00:00,2008-07-10T00:00:00Z",
        "2008-07-10T02:00:00+02:00,2008-07-10T00:00:00Z",
        "2008-07-09T22:30:00-01:30,2008-07-10T00:00:00Z",
        "2008-07-10T00:00:00.123456789Z,2008-07-10T00:00:00.1234567Z",
        "2008-07-10,2008-07-10T00:00:00Z"
      })
  void dateTimesHaveAFractionAndAZoneOrNone(String written, String meant) {
    long ticks = DateTimeText.parse(meant);
    assertLiteral("datetime'" + written + "'", new DateTimeValue(ticks));
  }

  /** .NET clients compare with their lowest date. */
  @Test
  void aDateBeforeTheFirstStorableOneIsBelowAll() {
    Filter filter = parse("Timestamp ge datetime'0001-01-01T00:00:00Z'");
    DateTimeValue literal = (DateTimeValue) ((Comparison) filter).literal();
    assertThat(literal.ticks()).isNegative();
  }

  @Test
  void guidsAndBinariesAreReadInAnyCase() {
    UUID guid = UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34");
    assertLiteral("guid'a455c695-df98-5678-aaaa-81d3367e5a34'", new GuidValue(guid));
    assertLiteral("guid'A455C695-DF98-5678-AAAA-81D3367E5A34'", new GuidValue(guid));
    assertLiteral("X'0A1f'", new BinaryValue(new byte[] {10, 31}));
    assertLiteral("binary'0a1F'", new BinaryValue(new byte[] {10, 31}));
    assertLiteral("X''", new BinaryValue(new byte[0]));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "1 eq 1,true", "1 eq 2,false", "1 eq 1L,true", "2L gt 1.5,true", "1.5 lt 2,true",
        "'a' lt 'b',true", "'b' le 'a',false", "true,true", "NaN eq NaN,false", "1 ne 1.0,false",
        "true gt false,true", "X'00' eq X'00',true"
      })
  void twoConstantsAreEvaluated(String text, boolean value) {
    assertThat(parse(text)).isEqualTo(new Constant(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "startswith(Name,'a')",
        "substringof('a', Name)",
        "length(Name) eq 3",
        "A eq tolower('X')",
        "startswith (Name,'a') and A eq 1",
        "A add 1 eq 2",
        "A eq 1 sub 2",
        "(A) mod 2 eq 1",
        "-A eq 1",
        "A eq -(1)"
      })
  void functionsAndArithmeticAreNotImplemented(String text) {
    ServiceException failure = failure(text);
    assertThat(failure.error().code()).isEqualTo("NotImplemented");
    assertThat(failure.error().status()).isEqualTo(501);
    assertThat(failure.text())
        .isEqualTo("The requested operation is not implemented on the specified resource.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "P eq null",
        "null eq P",
        "null",
        "A eq B",
        "PartitionKey eq RowKey",
        "'text'",
        "5",
        "PartitionKey",
        "Timestamp",
        "not 'x'",
        "not RowKey",
        "(A eq 1) eq true",
        "A eq (b eq 1)"
      })
  void aMeaninglessFilterIsInvalidInput(String text) {
    assertInvalid(failure(text), INVALID);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "aaa bbb ccc,7",
        "A eq,4",
        "A eq 1 and,10",
        "(A eq 1,7",
        "A eq 1),7",
        "A EQ 1,4",
        "A eq 1 AND B eq 2,10",
        "A eq 1 eq 1,9",
        "A Eq,4",
        "(),2",
        "A eq 'abc,9",
        "A # 1,3",
        "A = 1,3",
        "A/B eq 1,2",
        "1A eq 2,2",
        "A eq 1.,7",
        "A eq .5,6",
        "A eq 5m,7",
        "A eq 1e,7",
        "A eq 99999999999999999999,25",
        "A eq 9223372036854775808L,25",
        "A eq 1.5L,9",
        "A eq datetime'x',16",
        "A eq guid'1',12",
        "A eq X'0',9",
        "A eq X'0G',10",
        "A eq datetime'2008-13-01T00:00:00Z',35",
        "and (A eq 1),5",
        "NOT A eq 1,5",
        "A eq 1 B,8",
        "'a' 'b',7"
      })
  void syntaxErrorsTellWhereTheOffendingTokenEnds(String text, int position) {
    assertInvalid(failure(text), "Syntax error at position " + position + " in '" + text + "'.");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "PartitionKey eq 5,Edm.String,Edm.Int32,Equal",
        "5 ne RowKey,Edm.Int32,Edm.String,NotEqual",
        "RowKey gt 5L,Edm.String,Edm.Int64,GreaterThan",
        "RowKey ge 5.0,Edm.String,Edm.Double,GreaterThanOrEqual",
        "Timestamp lt 'x',Edm.DateTime,Edm.String,LessThan",
        "Timestamp le true,Edm.DateTime,Edm.Boolean,LessThanOrEqual",
        "RowKey eq guid'a455c695-df98-5678-aaaa-81d3367e5a34',Edm.String,Edm.Guid,Equal",
        "RowKey eq X'00',Edm.String,Edm.Binary,Equal",
        "'x' and true,Edm.String,Edm.Boolean,And",
        "A eq 1 and 'x',Edm.Boolean,Edm.String,And",
        "RowKey or A eq 1,Edm.String,Edm.Boolean,Or",
        "A eq 1 and B eq 2 and 5,Edm.Boolean,Edm.Int32,And",
        "1 eq 'x',Edm.Int32,Edm.String,Equal",
        "(A eq 1) eq 'x',Edm.Boolean,Edm.String,Equal"
      })
  void typesThatClashVisiblyAreNamed(String text, String left, String right, String kind) {
    assertInvalid(
        failure(text),
        "A binary operator with incompatible types was detected. Found operand types '%s' and '%s'"
                .formatted(left, right)
            + " for operator kind '%s'.".formatted(kind));
  }

  @Test
  void anyTypeMayBeComparedWithAnOrdinaryProperty() {
    assertThat(parse("timestamp eq 'x' and partitionKey eq 5")).isInstanceOf(And.class);
  }

  @Test
  void filtersOnTablesKnowOnlyTheirName() {
    assertThat(ODataFilterParser.parseForTables("TableName ge 'a'"))
        .isEqualTo(new Comparison("TableName", Operator.GE, text("a")));
    for (String filter : List.of("Name eq 'a'", "PartitionKey eq 'a'", "TableName")) {
      assertInvalid(failureForTables(filter), INVALID);
    }
    assertThat(failureForTables("TableName eq 5").text()).contains("'Edm.String' and 'Edm.Int32'");
    assertThat(parse("TableName eq 5")).isEqualTo(compare("TableName", new Int32Value(5)));
  }

  @Test
  void aThousandComparisonsAreAllowedAndNoMore() {
    assertThat(parse("a" + " and a".repeat(999))).isInstanceOf(And.class);
    assertInvalid(failure("a" + " and a".repeat(1_000)), INVALID);
    assertInvalid(failure("1 eq 1" + " or 1 eq 1".repeat(1_000)), INVALID);
  }

  @Test
  void nestingIsAllowedUpToTwoHundred() {
    assertThat(parse("(".repeat(200) + "a" + ")".repeat(200))).isEqualTo(A);
    assertInvalid(failure("(".repeat(201) + "a" + ")".repeat(201)), INVALID);
    assertThat(parse("not ".repeat(200) + "a")).isInstanceOf(Not.class);
    assertInvalid(failure("not ".repeat(201) + "a"), INVALID);
  }

  @Test
  void textsOfTheGreatestLengthAreReadQuickly() {
    int length = 128 * 1024;
    List<String> bombs =
        List.of(
            "(".repeat(length),
            "not ".repeat(length / 4),
            "a and ".repeat(length / 6),
            "a eq '" + "''".repeat(length / 2),
            "a eq " + "9".repeat(length),
            "a eq 0." + "9".repeat(length),
            "a eq 1e" + "9".repeat(length),
            "a".repeat(length),
            " ".repeat(length) + "a eq",
            "a eq X'" + "0".repeat(length) + "'",
            "a eq datetime'" + "9".repeat(length) + "'",
            "a eq guid'" + "a".repeat(length) + "'",
            "-".repeat(length));
    for (String bomb : bombs) {
      assertTimeoutPreemptively(Duration.ofSeconds(30), () -> filterOrFailure(bomb));
    }
  }

  private static Object filterOrFailure(String text) {
    try {
      return parse(text);
    } catch (ServiceException e) {
      return e;
    }
  }

  private static void assertInvalid(ServiceException failure, String message) {
    assertThat(failure.error().code()).isEqualTo("InvalidInput");
    assertThat(failure.error().status()).isEqualTo(400);
    assertThat(failure.text()).isEqualTo(message);
  }

  private static void assertLiteral(String text, EdmValue value) {
    assertThat(parse("P eq " + text)).isEqualTo(compare("P", value));
  }

  private static ServiceException failure(String text) {
    return catchThrowableOfType(ServiceException.class, () -> parse(text));
  }

  private static ServiceException failureForTables(String text) {
    return catchThrowableOfType(
        ServiceException.class, () -> ODataFilterParser.parseForTables(text));
  }

  private static Filter parse(String text) {
    return ODataFilterParser.parse(text);
  }

  private static EdmValue text(String value) {
    return new StringValue(value);
  }

  private static Filter compare(String name, EdmValue value) {
    return new Comparison(name, Operator.EQ, value);
  }

  private static Filter and(Filter... operands) {
    return new And(List.of(operands));
  }

  private static Filter or(Filter... operands) {
    return new Or(List.of(operands));
  }
}
