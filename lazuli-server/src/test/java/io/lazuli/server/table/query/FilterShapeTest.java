package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.query.Filter.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FilterShapeTest {
  private static Comparison is(String property, Operator operator, String value) {
    return new Comparison(property, operator, new EdmValue.StringValue(value));
  }

  private static final Filter SALES =
      Filter.and(
          List.of(
              is("PartitionKey", Operator.EQ, "O'Neil"),
              Filter.or(
                  List.of(is("RowKey", Operator.GE, "a"), new Filter.BooleanProperty("Done"))),
              new Filter.Not(new Comparison("Age", Operator.GT, new EdmValue.Int64Value(7)))));

  @Test
  void literalsAreLeftOutOfAShape() {
    assertThat(new FilterShape(SALES).text())
        .isEqualTo("PartitionKey eq ? and (RowKey ge ? or Done) and not (Age gt ?)");
    assertThat(new FilterShape(SALES).example())
        .isEqualTo("PartitionKey eq 'O''Neil' and (RowKey ge 'a' or Done) and not (Age gt 7L)");
    assertThat(new FilterShape(Filter.ALL).text()).isEmpty();
  }

  @Test
  void allTypesHaveAForm() {
    List<EdmValue> values =
        List.of(
            new EdmValue.Int32Value(1),
            new EdmValue.DoubleValue(1.5),
            new EdmValue.BooleanValue(true),
            new EdmValue.DateTimeValue(0),
            new EdmValue.GuidValue(new UUID(1, 2)),
            new EdmValue.BinaryValue(new byte[] {1, 2}));
    List<String> texts = new ArrayList<>();
    for (EdmValue value : values) {
      texts.add(new FilterShape(new Comparison("p", Operator.EQ, value)).example());
    }
    assertThat(texts)
        .containsExactly(
            "p eq 1",
            "p eq 1.5",
            "p eq true",
            "p eq datetime'1601-01-01T00:00:00Z'",
            "p eq guid'00000000-0000-0001-0000-000000000002'",
            "p eq X'0102'");
  }

  @Test
  void longFiltersAreCut() {
    List<Filter> many = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      many.add(is("PartitionKey", Operator.EQ, "p" + i));
    }
    FilterShape shape = new FilterShape(Filter.or(many));
    assertThat(shape.text()).endsWith("…").hasSizeLessThan(600);
    assertThat(shape.partitions()).isEqualTo(900);
    assertThat(new FilterShape(is("A", Operator.EQ, "x")).partitions()).isZero();
  }

  @Test
  void theFirstPartitionIsFoundInOutermostConditions() {
    assertThat(FilterShape.firstPartition(SALES)).isEqualTo("O'Neil");
    assertThat(FilterShape.firstPartition(Filter.ALL)).isEmpty();
    assertThat(FilterShape.firstPartition(is("RowKey", Operator.EQ, "x"))).isEmpty();
    assertThat(FilterShape.firstPartition(is("PartitionKey", Operator.LT, "x"))).isEmpty();
    assertThat(FilterShape.firstPartition(is("PartitionKey", Operator.GE, "x"))).isEqualTo("x");
    Filter either =
        Filter.or(
            List.of(is("PartitionKey", Operator.EQ, "a"), is("PartitionKey", Operator.EQ, "b")));
    assertThat(FilterShape.firstPartition(either)).isEmpty();
  }
}
