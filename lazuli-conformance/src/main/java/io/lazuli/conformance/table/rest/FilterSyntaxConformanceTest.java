package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of filters: which filters are valid, what they mean, and which are refused. */
@Covers(Area.FILTERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterSyntaxConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @BeforeAll
  void insertFourEntities() {
    table.inserted(entity("1", "\"A\":1,\"B\":true,\"S\":\"x\",\"D\":1500.0"));
    table.inserted(entity("2", "\"A\":2,\"B\":false,\"S\":\"O'Neil\",\"D\":0.25"));
    table.inserted(entity("3", "\"A\":3,\"B\":\"true\",\"S\":\"\",\"D\":-1.5"));
    table.inserted(entity("4", "\"é\":4,\"a\":1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "A eq 1|1",
        "(A eq 1)|1",
        "((A eq 1))|1",
        "  A   eq  1  |1",
        "A\teq\t1|1",
        "(A eq 1)and(S eq 'x')|1",
        "(A eq 1)or(A eq 2)|1 2",
        "A eq 1 or A eq 2 and S eq 'x'|1",
        "(A eq 1 or A eq 2) and S eq 'x'|1",
        "A eq 2 and S eq 'x' or A eq 1|1",
        "A eq 1 or A eq 2 or A eq 3|1 2 3",
        "not (A eq 1)|2 3 4",
        "not(A eq 1)|2 3 4",
        "not not (A eq 1)|1",
        "not A eq 1|2 3 4",
        "not (A eq 1) and A eq 2|2",
        "not (A ge 2 or S eq 'x')|4",
        "A|",
        "B|1",
        "not B|2 3 4",
        "(B)|1",
        "B and A eq 1|1",
        "B eq true|1",
        "true|1 2 3 4",
        "false|",
        "true and A eq 1|1",
        "1 eq 1|1 2 3 4",
        "1 eq A|1",
        "'O''Neil' eq S|2",
        "2 lt A|3",
        "S eq 'O''Neil'|2",
        "S eq ''|3",
        "S gt ''|1 2",
        "é eq 4|4",
        "a eq 1|4"
      })
  @Documented("table-rest 7.2")
  @Differs("Azurite 3.37.0 reads literals on the left as names")
  void aFilterIsReadByItsGrammar(@Nullable String filter, @Nullable String rows) {
    expectRows(filter, rows);
  }

  private void expectRows(@Nullable String filter, @Nullable String rows) {
    assertThat(String.join(" ", table.rowsMatching(filter == null ? "" : filter)))
        .isEqualTo(rows == null ? "" : rows);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "A ne 1|2 3",
        "Missing ne 1|",
        "Missing eq 1|",
        "not (Missing eq 1)|1 2 3 4",
        "D eq 1.5e3|1",
        "D eq 1500d|1",
        "D eq 1500.0D|1",
        "D eq 1500|1",
        "D gt 1e3|1",
        "D eq 2.5E-1|2",
        "D lt -0.25|3",
        "A eq 2147483648|",
        "RowKey eq '2'|2",
        "PartitionKey eq 'p' and RowKey gt '2'|3 4",
        "RowKey ge '2' and RowKey le '3'|2 3",
        "PartitionKey eq 'p' and (RowKey eq '1' or RowKey eq '3')|1 3",
        "PartitionKey gt 'p'|",
        "PartitionKey ne 'q' and RowKey ne '1'|2 3 4",
        "RowKey eq '1' and RowKey eq '2'|",
        "Timestamp gt datetime'2020-01-01T00:00:00Z'|1 2 3 4",
        "Timestamp lt datetime'2020-01-01T00:00:00Z'|",
        "(A) eq (1)|1",
        "|1 2 3 4"
      })
  @Documented("table-rest 7.2, 7.4")
  @Differs("Azurite 3.37.0 reads exponents as names")
  void aFilterSelects(@Nullable String filter, @Nullable String rows) {
    expectRows(filter, rows);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A eq",
        "eq 1",
        "A eq 1 and",
        "and A eq 1",
        "(A eq 1",
        "A eq 1)",
        "()",
        "not",
        "A EQ 1",
        "A eq 1 Or A eq 2",
        "A eq 1 AND A eq 2",
        "A == 1",
        "A = 1",
        "A eq 1 A eq 2",
        "A eq 'x",
        "A eq \"x\"",
        "A eq 1 2",
        "A eq True",
        "A eq null",
        "A ne null",
        "null eq A",
        "A eq datetime'x'",
        "A eq datetime'2024-13-01T00:00:00Z'",
        "A eq guid'1'",
        "A eq guid'c9da6455-213d-42c9-9a79-3e9149a5783'",
        "A eq X'0'",
        "A eq X'zz'",
        "A eq binary'123'",
        "A eq B",
        "A eq 1L2",
        "A eq 99999999999999999999",
        "A eq 1.2.3",
        "A-B eq 1",
        "'a' 'b'",
        "A eq 1;",
        "A eq ?",
        "A.B eq 1 or",
        "1A eq 1"
      })
  @Documented("table-rest 7.2, 7.3")
  @Differs("Azurite 3.37.0 accepts null, Or, EQ and more")
  void aFilterThatIsNoneIsInvalidInput(String filter) {
    expect(table.filter(filter).send()).error(400, "InvalidInput");
  }

  @Test
  @Documented("table-rest 7.4: by instant, 100 ns")
  void aTimestampIsComparedToTheTick() {
    String stamp = table.stored("p", "2").path("Timestamp").asText();
    assertThat(table.rowsMatching("Timestamp eq datetime'" + stamp + "'")).containsExactly("2");
    assertThat(table.rowsMatching("Timestamp gt datetime'" + stamp + "'"))
        .containsExactly("3", "4");
    assertThat(table.rowsMatching("Timestamp le datetime'" + stamp + "'"))
        .containsExactly("1", "2");
  }

  @Test
  @Documented("table-rest 7.3")
  void aSyntaxErrorNamesItsPosition() {
    expect(table.filter("aaa bbb ccc").send())
        .error(400, "InvalidInput", "Syntax error at position 7 in 'aaa bbb ccc'.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A eq datetime'x'",
        "A eq datetime'2024-13-01T00:00:00Z'",
        "A eq guid'1'",
        "A eq X'0'",
        "A eq X'zz'"
      })
  @Documented("table-rest 7.3: the message for a bad literal is a syntax error")
  void aBadLiteralIsASyntaxError(String filter) {
    WireAnswer answer = table.filter(filter).send();
    expect(answer)
        .error(400, "InvalidInput")
        .header(
            "Content-Type", "application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
    assertThat(answer.errorMessage()).matches("Syntax error at position \\d+ in '.*'\\.");
  }

  @Test
  @Documented("table-rest 7.2")
  void nullIsNoLiteral() {
    expect(table.filter("S eq null").send())
        .error(400, "InvalidInput", "One of the request inputs is not valid.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PartitionKey eq 5 | Edm.String | Edm.Int32 | Equal",
        "RowKey ne true | Edm.String | Edm.Boolean | NotEqual",
        "RowKey gt 5L | Edm.String | Edm.Int64 | GreaterThan",
        "RowKey ge 5.0 | Edm.String | Edm.Double | GreaterThanOrEqual",
        "Timestamp lt '2024' | Edm.DateTime | Edm.String | LessThan",
        "Timestamp le 5 | Edm.DateTime | Edm.Int32 | LessThanOrEqual",
        "PartitionKey and A eq 1 | Edm.String | Edm.Boolean | And",
        "A eq 1 or RowKey | Edm.Boolean | Edm.String | Or"
      })
  @Documented("table-rest 7.3")
  void aClashOfTypesThatNeedsNoDataIsRefused(
      String filter, String left, String right, String kind) {
    expect(table.filter(filter).send())
        .error(
            400,
            "InvalidInput",
            "A binary operator with incompatible types was detected. Found operand types '"
                + left
                + "' and '"
                + right
                + "' for operator kind '"
                + kind
                + "'.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "startswith(S,'x')",
        "substringof('x',S)",
        "length(S) eq 1",
        "A eq 1 and endswith(S,'x')",
        "A add 1 eq 2",
        "year(Timestamp) eq 2024",
        "A eq -A"
      })
  @Documented("table-rest 7.2")
  void functionsAndArithmeticAreNotImplemented(String filter) {
    expect(table.filter(filter).send())
        .error(
            501,
            "NotImplemented",
            "The requested operation is not implemented on the specified resource.");
  }

  @ParameterizedTest
  @CsvSource({"eq, ", "ne, 0 nan", "lt, ", "le, ", "gt, ", "ge, "})
  @Documented("table-rest 7.4: NaN is uncertain, do IEEE: all but ne false")
  void notANumberComparesAsInIeee(String operator, @Nullable String rows) {
    ScratchTable doubles = ScratchTable.create();
    doubles.inserted(entity("0", "\"V\":0.0"));
    doubles.inserted(entity("nan", "\"V@odata.type\":\"Edm.Double\",\"V\":\"NaN\""));
    assertThat(String.join(" ", doubles.rowsMatching("V " + operator + " NaN")))
        .isEqualTo(rows == null ? "" : rows);
    assertThat(doubles.rowsMatching("V " + operator + " 1.0").contains("nan"))
        .isEqualTo(operator.equals("ne"));
  }

  @Test
  @Documented("table-rest 7.4: Guids in the order of their text")
  void guidsAreOrderedAsPrinted() {
    ScratchTable guids = ScratchTable.create();
    String[] ascending = {
      "00000000-0000-0000-0000-0000000000ff",
      "00000000-0000-0000-0100-000000000000",
      "00000000-0000-00ff-0000-000000000000",
      "00000000-00ff-0000-0000-000000000000",
      "000000ff-0000-0000-0000-000000000000",
      "80000000-0000-0000-0000-000000000000"
    };
    for (int i = 0; i < ascending.length; i++) {
      guids.inserted(
          entity("" + i, "\"V@odata.type\":\"Edm.Guid\",\"V\":\"" + ascending[i] + "\""));
    }
    for (int i = 0; i < ascending.length; i++) {
      assertThat(guids.rowsMatching("V le guid'" + ascending[i] + "'")).hasSize(i + 1);
      assertThat(guids.rowsMatching("V gt guid'" + ascending[i] + "'"))
          .hasSize(ascending.length - i - 1);
    }
  }

  @Test
  @Documented("table-rest 7.3: do")
  void thousandComparisonsAreServedAndMoreRefused() {
    assertThat(table.rowsMatching(comparisons(999) + " or A eq 1")).containsExactly("1");
    expect(table.filter(comparisons(1001)).send()).error(400, "InvalidInput");
  }

  private static String comparisons(int count) {
    return IntStream.range(0, count).mapToObj(i -> "N eq " + i).collect(Collectors.joining(" or "));
  }

  @Test
  @Documented("table-rest 7.3: do")
  void deepNestingIsBounded() {
    String deep = "(".repeat(100) + "A eq 1" + ")".repeat(100);
    assertThat(table.rowsMatching(deep)).containsExactly("1");
    String deeper = "(".repeat(5_000) + "A eq 1" + ")".repeat(5_000);
    expect(table.filter(deeper).send()).error(400, "InvalidInput");
    expect(table.filter("not ".repeat(5_000) + "B").send()).error(400, "InvalidInput");
  }

  @Test
  @Documented("docs/architecture.md, Queries: a filter is never expanded to disjunctive form")
  void aProductOfAlternativesStaysCheap() {
    String filter =
        IntStream.range(0, 60)
            .mapToObj(i -> "(RowKey eq '%d' or RowKey gt '%d' or N eq %d)".formatted(i, i, i))
            .collect(Collectors.joining(" and "));
    Assertions.assertTimeout(
        Duration.ofSeconds(30), () -> assertThat(table.rowsMatching(filter)).isEmpty());
  }

  @Test
  @Documented("table-rest 6.8: do")
  void aFilterOnOneEntityDecidesWhetherItIsFound() {
    String path = table.path("p", "1");
    expect(table.wire().get(path + "?$filter=A%20eq%201").send()).status(200);
    expect(table.wire().get(path + "?$filter=A%20eq%202").send()).error(404, "ResourceNotFound");
  }
}
