package io.lazuli.server.table.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.Explainer.Question;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.protocol.FilterCheck;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.storage.LentRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations of queries: kind, ranges, figures, what Azure does, advice, and errors. */
class ExplainerTest {
  private static final TableSizes.Size LARGE = new TableSizes.Size(50_000, -1, 40);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "PartitionKey eq 'a' and RowKey eq 'b';point;azure.same;point.filter",
        "PartitionKey eq 'a' and (RowKey eq 'b' or RowKey eq 'c');seeks;azure.or.rows;seeks.few",
        "(PartitionKey eq 'a' and RowKey eq 'b') or (PartitionKey eq 'b' and RowKey eq"
            + " 'c');seeks;azure.or.partitions;seeks.few",
        "PartitionKey eq 'a' and RowKey ge 'b' and RowKey lt 'd';range;azure.same;range.ok",
        "PartitionKey eq 'a' and RowKey ge 'b';range;azure.same;range.open",
        "PartitionKey eq 'a' and RowKey lt 'b';range;azure.same;range.open",
        "PartitionKey eq 'a' and RowKey ge 'b' and RowKey lt 'b~';range;azure.same;range.prefix",
        "PartitionKey eq 'a' and ((RowKey gt 'a' and RowKey lt 'b') or RowKey gt"
            + " 'x');range;azure.ranges;",
        "(PartitionKey eq 'a' or PartitionKey eq 'b') and RowKey lt 'b';range;azure.or.partitions;",
        "PartitionKey eq 'a';partition scan;azure.same;partition.whole",
        "PartitionKey eq 'a' or PartitionKey eq 'b';partition"
            + " scan;azure.or.partitions;partition.whole",
        "PartitionKey eq 'a' and Name eq 'x';partition scan;azure.same;partition.list",
        "PartitionKey eq 'a' and Age ge 5;partition scan;azure.same;partition.range",
        "PartitionKey eq 'a' and Age ne 5;partition scan;azure.same;partition.other",
        "PartitionKey eq 'a' and EntityType eq 'order';partition scan;azure.same;partition.type",
        "\"\";table scan;azure.pages;table.nofilter",
        "PartitionKey ge 'a';table scan;azure.pages;table.key.range",
        "PartitionKey ne 'a';table scan;azure.pages;table.key.ne",
        "RowKey eq 'a';table scan;azure.pages;table.rowkey",
        "Name eq 'a';table scan;azure.pages;table.property",
        "Timestamp ge datetime'2026-01-01T00:00:00Z';table scan;azure.pages;table.date",
        "PartitionKey eq 'a' and PartitionKey eq 'b';none;azure.same;none.typo",
      })
  void everyKindHasItsAdvice(String filter, String kind, String azure, @Nullable String advice) {
    Explanation explained = explain(filter, null, LARGE);
    assertThat(explained.kind()).isEqualTo(kind);
    assertThat(explained.azure().key()).isEqualTo(azure);
    Explanation.Advice given = explained.advice();
    assertThat(given == null ? null : given.key()).isEqualTo(advice);
    assertThat(ExplanationJson.text(explained)).matches("[ -~]+");
  }

  @Test
  void rangesAreShownWithTheirEnds() {
    assertThat(explain("PartitionKey eq 'a'", null, null).ranges())
        .containsExactly(
            new Explanation.Range(
                new Explanation.Key("a", null), new Explanation.Key("a", null), true, true));
    assertThat(explain("PartitionKey eq 'a' and RowKey le 'c'", null, null).ranges())
        .containsExactly(
            new Explanation.Range(
                new Explanation.Key("a", null), new Explanation.Key("a", "c"), true, false));
    assertThat(explain("PartitionKey gt 'a' and PartitionKey lt 'c'", null, null).ranges())
        .containsExactly(
            new Explanation.Range(
                new Explanation.Key("a\0", null), new Explanation.Key("c", null), false, false));
    assertThat(explain("", null, null).ranges())
        .containsExactly(new Explanation.Range(null, null, false, false));
  }

  @Test
  void figuresSayWhereTheyComeFrom() {
    Explanation unknown = explain("PartitionKey eq 'a' and Age eq 1", null, null);
    assertThat(unknown.read().basis()).isEqualTo(Explanation.Basis.UNKNOWN);
    Explanation sized = explain("PartitionKey eq 'a' and Age eq 1", null, LARGE);
    assertThat(sized.read().n()).isEqualTo(50_000);
    assertThat(sized.basisText()).isEqualTo("Counted 40 seconds ago.");
    Look ended = look(10, 2, new Int32Value(1));
    ended.end();
    Explanation counted = explain("PartitionKey eq 'a' and Age eq 1", ended, null);
    assertThat(counted.read().n()).isEqualTo(10);
    assertThat(counted.returned().n()).isEqualTo(2);
    Explanation sampled =
        explain("PartitionKey eq 'a' and Age eq 1", look(10, 2, new Int32Value(1)), LARGE);
    assertThat(sampled.returned().n()).isEqualTo(10_000);
    assertThat(sampled.returned().basis()).isEqualTo(Explanation.Basis.SAMPLES);
    Explanation more =
        explain("PartitionKey eq 'a' and Age eq 1", look(10, 2, new Int32Value(1)), null);
    assertThat(more.readText()).startsWith("Reads more than 10.");
  }

  @Test
  void mistakesComeBeforeAdviceAboutCost() {
    Look ages = look(10, 0, new Int32Value(1));
    assertThat(key("PartitionKey eq 'a' and Age eq '1'", ages)).isEqualTo("type.mismatch");
    assertThat(key("PartitionKey eq 'a' and age eq 1", ages)).isEqualTo("unknown");
    assertThat(key("PartitionKey eq 'a' and Shoe eq 1", ages)).isEqualTo("unknown");
    Look names = new Look("Age", "jones");
    names.read(record(new StringValue("Jones")));
    assertThat(key("PartitionKey eq 'a' and Age eq 'jones'", names)).isEqualTo("case");
  }

  @Test
  void aLongPlanFitsIntoAHeader() {
    StringBuilder filter = new StringBuilder("PartitionKey eq 'a' and (RowKey eq ''");
    for (int i = 0; i < 300; i++) {
      filter.append(" or RowKey eq '").append("\u00e4".repeat(40)).append(i).append('\'');
    }
    Explanation explained = explain(filter + ")", null, null);
    assertThat(explained.azure().key()).isEqualTo("azure.refused");
    assertThat(explained.moreRanges()).isEqualTo(281);
    assertThat(ExplanationJson.text(explained).length())
        .isGreaterThan(ExplanationJson.HEADER_CHARS_MAX);
    assertThat(ExplanationJson.header(explained))
        .hasSizeLessThanOrEqualTo(ExplanationJson.HEADER_CHARS_MAX)
        .contains("\"moreRanges\":299");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "Age eq 5 Name eq;filter.end;9;13",
        "Age eq and 5;filter.meaning;7;10",
        "Age 5;filter.comparison;4;5",
        "(Age eq 5 and and Name eq 'x');filter.name;18;22",
        "Age eq );filter.value;7;8",
        "Age eq 5 and );filter.name;13;14",
        "PartitionKey eq 5;filter.meaning;16;17",
        "substringof('a',Name);filter.meaning;0;11",
        "Age eq 5 &;filter.end;9;10",
      })
  void errorsHaveAPlace(String filter, String key, int from, int to) {
    FilterCheck check = ODataFilterParser.check(filter);
    assertThat(check.filter()).isNull();
    FilterCheck.Problem problem = check.problem();
    assertThat(problem).isNotNull();
    assertThat(problem.key() + " " + problem.from() + " " + problem.to())
        .isEqualTo(key + " " + from + " " + to);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "Age eq 5 an;Age eq 5",
        "PartitionKey;\"\"",
        "PartitionKey e;\"\"",
        "PartitionKey eq;\"\"",
        "PartitionKey eq 'Sal;PartitionKey eq 'Sal'",
        "PartitionKey eq 'Sales' and;PartitionKey eq 'Sales'",
        "PartitionKey eq 'Sales' and RowKey ;PartitionKey eq 'Sales'",
        "(PartitionKey eq 'Sales' or RowKey eq 'x';(PartitionKey eq 'Sales' or RowKey eq 'x')",
        "(PartitionKey eq 'Sales' or ;(PartitionKey eq 'Sales')",
      })
  void anUnfinishedFilterIsExplainedSoFar(String filter, String soFar) {
    FilterCheck check = ODataFilterParser.check(filter);
    assertThat(check.isComplete()).isFalse();
    assertThat(check.soFar()).isEqualTo(soFar);
    assertThat(check.filter()).isEqualTo(ODataFilterParser.parse(soFar));
  }

  @Test
  void aFilterAsTextMeansTheSame() {
    String text =
        "PartitionKey eq 'O''Neil' and (Age eq 5 or Size eq 7L or D eq 1.5) and not (B)"
            + " and T ge datetime'2026-01-01T00:00:00.1234567Z'"
            + " and G eq guid'c9da6455-213d-42c9-9a79-3e9149a57833' and X eq X'0aff'";
    Filter filter = ODataFilterParser.parse(text);
    assertThat(ODataFilterParser.parse(FilterText.of(filter))).isEqualTo(filter);
  }

  private static @Nullable String key(String filter, Look look) {
    Explanation.Advice advice = explain(filter, look, null).advice();
    return advice == null ? null : advice.key();
  }

  static Explanation explain(String filter, @Nullable Look look, TableSizes.@Nullable Size size) {
    Filter parsed = ODataFilterParser.parse(filter);
    return Explainer.explain(
        new Question(
            "T", parsed, QueryPlanner.plan(parsed), false, false, false, look, false, null, size));
  }

  private static Look look(int read, int matched, EdmValue age) {
    Look look = new Look(null, null);
    for (int i = 0; i < read; i++) {
      look.read(record(age));
    }
    for (int i = 0; i < matched; i++) {
      look.match();
    }
    return look;
  }

  private static LentRecord record(EdmValue age) {
    byte[] value = EntityCodec.encode(List.of(new Property("Age", age)));
    LentRecord record = new LentRecord();
    byte[] key = Utf8.encodeKey("a");
    record.partition().lend(key, 0, key.length);
    record.row().lend(key, 0, key.length);
    record.value().lend(value, 0, value.length);
    return record;
  }

  /** Explains so much that every text of the file must have appeared. */
  @Test
  void everyTextCanBeReached() {
    Set<String> seen = new TreeSet<>();
    List<Explanation> all = new ArrayList<>();
    List<String> filters =
        List.of(
            "",
            "PartitionKey eq 'a' and RowKey eq 'b'",
            "PartitionKey eq 'a' and (RowKey eq 'b' or RowKey eq 'c')",
            "(PartitionKey eq 'a' and RowKey eq 'b') or (PartitionKey eq 'b' and RowKey eq 'c')",
            "PartitionKey eq 'a' and RowKey ge 'b' and RowKey lt 'd'",
            "PartitionKey eq 'a' and RowKey ge 'b' and RowKey lt 'b~'",
            "PartitionKey eq 'a' and RowKey ge 'b'",
            "PartitionKey eq 'a' and RowKey le 'b'",
            "PartitionKey eq 'a' and RowKey le 'b' and Age eq 5",
            "PartitionKey eq 'a' and ((RowKey gt 'a' and RowKey lt 'b') or RowKey gt 'x')",
            "PartitionKey eq 'a'",
            "PartitionKey eq 'a' or PartitionKey eq 'b'",
            "PartitionKey eq 'a' and Age eq 5",
            "PartitionKey eq 'a' and Age gt 5",
            "PartitionKey eq 'a' and Age ne 5",
            "PartitionKey eq 'a' and EntityType eq 'x'",
            "PartitionKey gt 'a'",
            "PartitionKey ne 'a'",
            "RowKey eq 'a'",
            "Age eq 5",
            "T ge datetime'2026-01-01T00:00:00Z'",
            "PartitionKey eq 'a' and PartitionKey eq 'b'",
            "PartitionKey eq 'a' and Age eq '5'",
            "PartitionKey eq 'a' and Agee eq 5",
            "PartitionKey eq 'a' and Shoe eq 5",
            "PartitionKey eq 'a' and (" + "RowKey eq '1' or ".repeat(15) + "RowKey eq '2')");
    StringBuilder many = new StringBuilder("PartitionKey eq 'a' and (RowKey eq ''");
    for (int i = 0; i < 101; i++) {
      many.append(" or RowKey eq '").append(i).append('\'');
    }
    List<String> asked = new ArrayList<>(filters);
    asked.add(many + ")");
    Look ended = look(10, 1, new Int32Value(1));
    ended.end();
    Look names = new Look("Age", "jones");
    names.read(record(new StringValue("Jones")));
    for (String filter : asked) {
      all.add(explain(filter, null, null));
      all.add(explain(filter, null, LARGE));
      all.add(explain(filter, null, new TableSizes.Size(5, 5, 0)));
      all.add(explain(filter, ended, null));
      all.add(explain(filter, look(10, 0, new Int32Value(1)), LARGE));
      all.add(explain(filter, Look.ofPage(10, 0, 10), LARGE));
      all.add(measured(filter, 10, 10, true, true, false));
      all.add(measured(filter, 10, 1, false, false, true));
    }
    all.add(explain("PartitionKey eq 'a' and Age eq 'jones'", names, null));
    List<String> texts = new ArrayList<>();
    for (Explanation each : all) {
      texts.add(each.headline());
      texts.add(each.line());
      texts.add(each.restText());
      texts.add(each.readText());
      texts.add(each.basisText());
      texts.add(each.azure().text());
      texts.add(String.valueOf(each.narrowed()));
      Explanation.Advice advice = each.advice();
      texts.add(advice == null ? "" : advice.text());
    }
    for (String wrong :
        List.of(
            "Age eq 5 x y",
            "Age 5",
            "Age eq )",
            "Age eq 5 and )",
            "PartitionKey eq 5",
            "A eq 'x",
            "(A")) {
      FilterCheck.Problem problem = ODataFilterParser.check(wrong).problem();
      texts.add(problem == null ? "" : problem.text());
    }
    texts.add(String.valueOf(ODataFilterParser.check("(Age eq 5").problem()));
    for (String key : ExplainTexts.keys()) {
      if (texts.stream().anyMatch(text -> appearsIn(key, text))) {
        seen.add(key);
      }
    }
    Set<String> missing = new TreeSet<>(ExplainTexts.keys());
    missing.removeAll(seen);
    assertThat(missing).isEmpty();
  }

  private static Explanation measured(
      String filter, long read, long matched, boolean byAddress, boolean narrowed, boolean has) {
    Filter parsed = ODataFilterParser.parse(filter);
    return Explainer.explain(
        new Question(
            "T",
            parsed,
            QueryPlanner.plan(parsed),
            byAddress,
            has,
            narrowed,
            Look.ofPage(read, matched, 100),
            true,
            1.5,
            null));
  }

  /** Returns whether a text was made from the sentence with this key. */
  private static boolean appearsIn(String key, String text) {
    String sentence = ExplainTexts.pattern(key);
    String[] parts = sentence.split("\\{[a-zA-Z]+}", -1);
    int at = 0;
    for (String part : parts) {
      at = text.indexOf(part, at);
      if (at < 0) {
        return false;
      }
      at += part.length();
    }
    return true;
  }
}
