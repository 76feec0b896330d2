package io.lazuli.client.query;

import static io.lazuli.client.query.Filter.not;
import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Explanation.Kind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryTest {
  private static final Filter SALES = partitionKey().eq("Sales");
  private static final Filter IT = partitionKey().eq("IT");
  private static final Filter SMITH = property("LastName").eq("Smith");

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(Kind.POINT, SALES.and(rowKey().eq("2"))),
        Arguments.of(Kind.POINT, rowKey().eq("2").and(SMITH).and(SALES)),
        Arguments.of(Kind.POINT, SALES.and(rowKey().eq("2").or(rowKey().eq("2")))),
        Arguments.of(Kind.POINTS, SALES.and(rowKey().eq("121").or(rowKey().eq("322")))),
        Arguments.of(Kind.POINTS, SALES.and(rowKey().eq("1")).or(IT.and(rowKey().eq("1")))),
        Arguments.of(Kind.ROW_RANGE, SALES.and(rowKey().ge("S")).and(rowKey().lt("T"))),
        Arguments.of(Kind.ROW_RANGE, SALES.and(rowKey().startsWith("empid_"))),
        Arguments.of(Kind.ROW_RANGE, SALES.and(rowKey().eq("1").or(rowKey().gt("5")))),
        Arguments.of(Kind.PARTITION, SALES),
        Arguments.of(Kind.PARTITION, SALES.and(SMITH)),
        Arguments.of(Kind.PARTITION, SALES.or(IT)),
        Arguments.of(Kind.PARTITION, SALES.and(rowKey().ne("1"))),
        Arguments.of(Kind.PARTITION, SALES.and(rowKey().eq("1").or(SMITH))),
        Arguments.of(Kind.PARTITION, SALES.and(not(rowKey().eq("1")))),
        Arguments.of(Kind.TABLE, SMITH),
        Arguments.of(Kind.TABLE, rowKey().eq("1")),
        Arguments.of(Kind.TABLE, partitionKey().ge("S")),
        Arguments.of(Kind.TABLE, SALES.and(rowKey().eq("1")).or(SMITH)),
        Arguments.of(Kind.TABLE, not(SALES)),
        Arguments.of(Kind.NONE, SALES.and(IT)),
        Arguments.of(Kind.NONE, SALES.and(rowKey().eq("1")).and(rowKey().eq("2"))));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aQueryReportsItsKindBeforeItRuns(Kind kind, Filter filter) {
    Explanation explanation = Query.where(filter).explain();
    assertThat(explanation.kind()).as(filter.text()).isEqualTo(kind);
    assertThat(explanation.advice()).isNotBlank().doesNotContain("\n");
  }

  @Test
  void aQuerySaysWhatAzureWouldDo() {
    Explanation point = Query.where(SALES.and(rowKey().eq("2"))).explain();
    assertThat(point.onAzure()).isEqualTo(Kind.POINT);
    assertThat(point.azure()).isEqualTo("Azure looks up one entity.");
    Explanation points = Query.where(SALES.and(rowKey().eq("1").or(rowKey().eq("2")))).explain();
    assertThat(points.kind()).isEqualTo(Kind.POINTS);
    assertThat(points.onAzure()).isEqualTo(Kind.PARTITION);
    assertThat(points.azure())
        .startsWith("Azure reads the whole partition")
        .endsWith("it does not use keys that are joined by 'or' to search less.");
    assertThat(Query.where(SALES.or(IT)).explain().onAzure()).isEqualTo(Kind.TABLE);
    assertThat(Query.where(SMITH).explain().azure()).startsWith("Azure reads the whole table");
    assertThat(Query.where(SALES.and(IT)).explain().onAzure()).isEqualTo(Kind.NONE);
  }

  @Test
  void plansAreParsed() {
    assertThat(ServerPlan.parse("partition scan; read=412"))
        .isEqualTo(new ServerPlan("partition scan", 412));
    assertThat(ServerPlan.parse("seeks(2); read=2; more=1"))
        .isEqualTo(new ServerPlan("seeks(2)", 2));
    assertThat(ServerPlan.parse("something else")).isNull();
  }

  @Test
  void aQueryFromAKeyStaysInLaterPartitions() {
    assertThat(Query.from(new EntityKey("Sales", "7")).toString())
        .isEqualTo("PartitionKey ge 'Sales' and (PartitionKey gt 'Sales' or RowKey ge '7')");
  }

  @Test
  void theShortFormsHaveTheirKind() {
    assertThat(Query.all().explain().kind()).isEqualTo(Kind.TABLE);
    assertThat(Query.partition("Sales").explain().kind()).isEqualTo(Kind.PARTITION);
    assertThat(Query.prefix("Sales", "email_").explain().kind()).isEqualTo(Kind.ROW_RANGE);
    assertThat(Query.point(new EntityKey("Sales", "2")).explain().kind()).isEqualTo(Kind.POINT);
  }

  @Test
  void aSegmentIsNoLargerThanTheResultOrTheServiceAllows() {
    assertThat(Query.all().segmentSize()).isEmpty();
    assertThat(Query.all().top(10).segmentSize()).hasValue(10);
    assertThat(Query.all().top(10).segmentSize(5).segmentSize()).hasValue(5);
    assertThat(Query.all().top(5_000).segmentSize()).hasValue(1_000);
    assertThat(Query.all().segmentSize(5_000).segmentSize()).hasValue(1_000);
    assertThatThrownBy(() -> Query.all().top(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTokenSurvivesAsText() {
    Token token = Token.ofContinuation("1!8!U2FsZXM-;1!4!ünï");
    assertThat(token.text()).matches("[A-Za-z0-9_-]+");
    assertThat(Token.parse(token.text())).isEqualTo(token).hasSameHashCodeAs(token);
    assertThatThrownBy(() -> Token.parse("nonsense")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Token.parse("1***")).isInstanceOf(IllegalArgumentException.class);
  }
}
