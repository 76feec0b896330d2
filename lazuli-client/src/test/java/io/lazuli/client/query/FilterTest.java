package io.lazuli.client.query;

import static io.lazuli.client.query.Filter.not;
import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.entity.Encrypted;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.Name;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTest {
  record Employee(
      String partitionKey,
      String rowKey,
      int age,
      long salary,
      double rating,
      @Name("E_mail") String oddName,
      Optional<String> manager,
      @Encrypted String secret) {}

  private static final EntityCodec<Employee> EMPLOYEES = EntityCodec.of(Employee.class);

  @Test
  void theGuidesRangeIsWrittenAsInTheGuide() {
    Filter range = partitionKey().eq("Sales").and(rowKey().ge("B")).and(rowKey().lt("C"));
    assertThat(range.text())
        .isEqualTo("PartitionKey eq 'Sales' and RowKey ge 'B' and RowKey lt 'C'");
    assertThat(range).hasToString(range.text());
  }

  @Test
  void orInsideAndIsEnclosed() {
    Filter two = partitionKey().eq("Sales").and(rowKey().eq("121").or(rowKey().eq("322")));
    assertThat(two.text())
        .isEqualTo("PartitionKey eq 'Sales' and (RowKey eq '121' or RowKey eq '322')");
    assertThat(not(two).text()).isEqualTo("not (" + two.text() + ")");
  }

  @Test
  void everyTypeHasItsLiteral() {
    assertThat(property("A").eq("it's").text()).isEqualTo("A eq 'it''s'");
    assertThat(property("A").ne(true).text()).isEqualTo("A ne true");
    assertThat(property("A").gt(-5).text()).isEqualTo("A gt -5");
    assertThat(property("A").ge(5L).text()).isEqualTo("A ge 5L");
    assertThat(property("A").lt(2.0).text()).isEqualTo("A lt 2.0");
    assertThat(property("A").le(DayOfWeek.MONDAY).text()).isEqualTo("A le 'MONDAY'");
    assertThat(property("A").eq(new byte[] {0, (byte) 0xff}).text()).isEqualTo("A eq X'00ff'");
    assertThat(property("A").eq(new UUID(1, 2)).text())
        .isEqualTo("A eq guid'00000000-0000-0001-0000-000000000002'");
    String time = "A eq datetime'2012-08-22T01:12:22.1234567Z'";
    assertThat(property("A").eq(Instant.parse("2012-08-22T01:12:22.1234567Z")).text())
        .isEqualTo(time);
    assertThat(property("A").eq(OffsetDateTime.parse("2012-08-22T03:12:22.1234567+02:00")).text())
        .isEqualTo(time);
  }

  @Test
  void unsupportedLiteralsAreRejected() {
    for (Object value :
        new Object[] {Double.NaN, Double.POSITIVE_INFINITY, new BigDecimal(1), Optional.empty()}) {
      assertThatThrownBy(() -> property("A").eq(value))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "x eq 1 or y", "1st", "a'b", "a/b"})
  void aNameCannotBecomePartOfTheCondition(String name) {
    assertThatThrownBy(() -> property(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aReferenceToAnAccessorKnowsNameAndType() {
    assertThat(property(EMPLOYEES, Employee::age).gt(30).text()).isEqualTo("Age gt 30");
    assertThat(property(EMPLOYEES, Employee::salary).gt(30L).text()).isEqualTo("Salary gt 30L");
    assertThat(property(EMPLOYEES, Employee::manager).eq(Optional.of("x")).text())
        .isEqualTo("Manager eq 'x'");
    assertThatThrownBy(() -> property(EMPLOYEES, employee -> employee.age() + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("method reference");
  }

  @Test
  void memberNamesAreCheckedAndValuesConverted() {
    assertThat(property(EMPLOYEES, "salary").eq(7).text()).isEqualTo("Salary eq 7L");
    assertThat(property(EMPLOYEES, "rating").eq(7).text()).isEqualTo("Rating eq 7.0");
    assertThat(property(EMPLOYEES, "manager").eq("x").text()).isEqualTo("Manager eq 'x'");
    assertThatThrownBy(() -> property(EMPLOYEES, "salery"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("salary");
    assertThatThrownBy(() -> property(EMPLOYEES, "age").eq("30"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Age is of type Integer, not String");
    assertThatThrownBy(() -> property(EMPLOYEES, "age").startsWith("3"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> property(EMPLOYEES, "secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("encrypted");
  }

  @Test
  void aPrefixEndsAtTheNextTextThatDoesNotBeginWithIt() {
    assertThat(rowKey().startsWith("empid_").text())
        .isEqualTo("RowKey ge 'empid_' and RowKey lt 'empid`'");
    assertThat(TextRange.endOfPrefix("a\uD7FF")).isEqualTo("a\uD800\uDC00");
    assertThat(TextRange.endOfPrefix("a\uD83D\uDE00")).isEqualTo("a\uD83D\uDE01");
    assertThat(TextRange.endOfPrefix("a\uD83D\uDFFF")).isEqualTo("a\uD83E\uDC00");
    assertThat(TextRange.endOfPrefix("a\uDBFF\uDFFF")).isEqualTo("a\uE000");
    assertThat(TextRange.endOfPrefix("a\uFFFF\uFFFF")).isEqualTo("b");
    assertThat(TextRange.endOfPrefix("\uFFFF")).isNull();
    assertThat(rowKey().startsWith("").text()).isEqualTo("RowKey ge ''");
  }

  /** Java compares text by UTF-16 code units, like the service. */
  @Test
  void aPrefixRangeHasExactlyTheTextsWithThePrefix() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 100_000; round++) {
      String prefix = text(random, 1 + random.nextInt(3));
      String other = random.nextBoolean() ? prefix + text(random, 2) : text(random, 4);
      String end = TextRange.endOfPrefix(prefix);
      boolean inRange = other.compareTo(prefix) >= 0 && (end == null || other.compareTo(end) < 0);
      assertThat(inRange)
          .as("seed %d: %s, %s", seed, prefix, other)
          .isEqualTo(other.startsWith(prefix));
    }
  }

  /** Returns whole characters, most of them at the boundaries of the code space. */
  private static String text(Random random, int characters) {
    int[] edges = {'a', 'b', 0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x10FFFF};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < characters; i++) {
      text.appendCodePoint(edges[random.nextInt(edges.length)]);
    }
    return text.toString();
  }
}
