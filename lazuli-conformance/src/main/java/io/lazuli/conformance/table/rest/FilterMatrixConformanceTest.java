package io.lazuli.conformance.table.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operator between properties of every type and literals of every type. */
@Covers(Area.FILTERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterMatrixConformanceTest {

  private static final List<String> OPERATORS = List.of("eq", "ne", "lt", "le", "gt", "ge");
  private static final Map<String, String> MIRRORED =
      Map.of("eq", "eq", "ne", "ne", "lt", "gt", "le", "ge", "gt", "lt", "ge", "le");

  private final ScratchTable table = ScratchTable.create();

  /** A type with three values in ascending order, as JSON and as filter literals. */
  enum Type {
    STRING("Edm.String", "\"B\" \"b\" \"bB\"", "'B' 'b' 'bB'"),
    INT32("Edm.Int32", "-2 3 10", "-2 3 10"),
    INT64("Edm.Int64", "\"-2\" \"3\" \"10\"", "-2L 3L 10L"),
    DOUBLE("Edm.Double", "-2.0 3.0 10.0", "-2.0 3.0 1e1"),
    BOOLEAN("Edm.Boolean", "false true", "false true"),
    DATETIME(
        "Edm.DateTime",
        "\"2024-01-01T00:00:00.1234567Z\" \"2024-01-01T00:00:00.1234568Z\""
            + " \"2024-01-01T00:00:01Z\"",
        "datetime'2024-01-01T00:00:00.1234567Z' datetime'2024-01-01T02:00:00.1234568+02:00'"
            + " datetime'2024-01-01T00:00:01'"),
    GUID(
        "Edm.Guid",
        "\"0a000000-0000-0000-0000-000000000000\" \"a0000000-0000-0000-0000-000000000000\""
            + " \"a0000000-0000-0000-0000-000000000001\"",
        "guid'0A000000-0000-0000-0000-000000000000' guid'A0000000-0000-0000-0000-000000000000'"
            + " guid'a0000000-0000-0000-0000-000000000001'"),
    BINARY("Edm.Binary", "\"Cg==\" \"gA==\" \"gAA=\"", "X'0a' binary'80' X'8000'");

    private final String edm;
    private final String values;
    private final String literals;

    Type(String edm, String values, String literals) {
      this.edm = edm;
      this.values = values;
      this.literals = literals;
    }

    List<String> stored() {
      return List.of(values.split(" ", -1));
    }

    List<String> literals() {
      return List.of(literals.split(" ", -1));
    }

    /**
     * Returns true if a property of this type can be compared with a literal of the other type.
     * Numeric literals are widened to the type of the property; properties are never converted.
     */
    boolean understands(Type literal) {
      return this == literal
          || (this == INT64 && literal == INT32)
          || (this == DOUBLE && (literal == INT32 || literal == INT64));
    }
  }

  record Comparison(Type literal, int index, String operator) {

    /** Returns the row keys for which the comparison is true. A row key is the index of a value. */
    List<String> expected(Type property) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < property.stored().size(); i++) {
        int order = property.understands(literal) ? Integer.compare(i, index) : -1;
        boolean mismatch = !property.understands(literal);
        boolean holds =
            switch (operator) {
              case "eq" -> order == 0;
              case "ne" -> order != 0;
              case "lt" -> order < 0;
              case "le" -> order <= 0;
              case "gt" -> order > 0 && !mismatch;
              default -> order >= 0 && !mismatch;
            };
        if (holds) {
          rows.add(String.valueOf(i));
        }
      }
      return rows;
    }

    String text() {
      return literal.literals().get(index);
    }

    @Override
    public String toString() {
      return operator + " " + text();
    }
  }

  static List<Comparison> comparisons() {
    List<Comparison> all = new ArrayList<>();
    for (Type literal : Type.values()) {
      for (int index = 0; index < literal.literals().size(); index++) {
        for (String operator : OPERATORS) {
          all.add(new Comparison(literal, index, operator));
        }
      }
    }
    return all;
  }

  static List<Comparison> comparisonsWithTheMiddle() {
    return comparisons().stream().filter(comparison -> comparison.index() == 1).toList();
  }

  @BeforeAll
  void insertEveryValue() {
    for (Type type : Type.values()) {
      for (int i = 0; i < type.stored().size(); i++) {
        String property = "\"V@odata.type\":\"" + type.edm + "\",\"V\":" + type.stored().get(i);
        table.inserted(json(type, String.valueOf(i), "," + property));
      }
      table.inserted(json(type, "without", ""));
    }
  }

  private static String json(Type type, String rowKey, String more) {
    return "{\"PartitionKey\":\"" + type + "\",\"RowKey\":\"" + rowKey + "\"" + more + "}";
  }

  private Map<Type, List<String>> found(String condition) {
    Map<Type, List<String>> rows = new EnumMap<>(Type.class);
    for (Type property : Type.values()) {
      rows.put(
          property,
          table.rowsMatching("PartitionKey eq '" + property + "' and (" + condition + ")"));
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("comparisons")
  @Documented("table-rest 7.4, 15 queries")
  @Differs("Azurite 3.37.0 compares by JavaScript types")
  void aComparisonSelectsByTypeAndValue(Comparison comparison) {
    Map<Type, List<String>> expected = new EnumMap<>(Type.class);
    for (Type property : Type.values()) {
      expected.put(property, comparison.expected(property));
    }
    assertThat(found("V " + comparison)).isEqualTo(expected);
    String mirrored = comparison.text() + " " + MIRRORED.get(comparison.operator()) + " V";
    assertThat(found(mirrored)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("comparisonsWithTheMiddle")
  @Documented("table-rest 7.4: not is true for entities without the property")
  @Differs("Azurite 3.37.0 compares by JavaScript types")
  void notSelectsTheOthersAndThoseWithoutTheProperty(Comparison comparison) {
    Map<Type, List<String>> expected = new EnumMap<>(Type.class);
    for (Type property : Type.values()) {
      List<String> rows = new ArrayList<>(List.of("0", "1", "2"));
      rows.removeIf(row -> Integer.parseInt(row) >= property.stored().size());
      rows.removeAll(comparison.expected(property));
      rows.add("without");
      expected.put(property, rows);
    }
    assertThat(found("not (V " + comparison + ")")).isEqualTo(expected);
  }
}
