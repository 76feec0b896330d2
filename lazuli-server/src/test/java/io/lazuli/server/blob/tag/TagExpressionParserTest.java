package io.lazuli.server.blob.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagExpressionParserTest {
  private static final Map<String, String> TAGS =
      Map.of("a", "1", "b c", "x", "date", "2026-01-15", "empty", "");

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a='1', true",
        "\"a\" = '1', true",
        "a='2', false",
        "a<>'2', true",
        "a<>'1', false",
        "missing<>'1', false",
        "missing='', false",
        "empty='', true",
        "A='1', false",
        "a>'0', true",
        "a>'1', false",
        "a>='1', true",
        "a<'10', true",
        "a<='1', true",
        "a<'1', false",
        "a='1' AND \"b c\"='x', true",
        "a='1' and \"b c\"='y', false",
        "a='2' OR \"b c\"='x', true",
        "a='2' or a='3', false",
        "a='1' OR a='2' AND a='3', true",
        "(a='1' OR a='2') AND a='3', false",
        "((a='1')), true",
        "date >= '2026-01' AND date < '2026-02', true",
        "  a  =  '1'  , true",
      })
  void aConditionHoldsOrNot(String text, boolean holds) {
    assertThat(TagExpressionParser.condition(text, TagExpressionParserTest::refusal).matches(TAGS))
        .isEqualTo(holds);
    boolean withoutTags =
        TagExpressionParser.condition(text, TagExpressionParserTest::refusal).matches(Map.of());
    assertThat(withoutTags).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a",
        "a=",
        "a=1",
        "='1'",
        "a=='1'",
        "a='1",
        "\"a='1'",
        "a='1' AND",
        "a='1' b='2'",
        "(a='1'",
        "a='1')",
        "\"\"='1'",
        "a-b='1'",
        "\"a*\"='1'",
        "a='*'",
        "NOT a='1'",
        "@container='x'",
        "a='1' AND OR b='1'",
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> TagExpressionParser.condition(text, TagExpressionParserTest::refusal))
        .isInstanceOf(ServiceException.class);
    if (!text.contains("@")) {
      assertThatThrownBy(() -> TagExpressionParser.search(text, TagExpressionParserTest::refusal))
          .isInstanceOf(ServiceException.class);
    }
  }

  @Test
  void parenthesesAreNotNestedWithoutBound() {
    String deep = "(".repeat(100_000) + "a='1'" + ")".repeat(100_000);
    assertThatThrownBy(() -> TagExpressionParser.condition(deep, TagExpressionParserTest::refusal))
        .isInstanceOf(ServiceException.class);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a='1' OR b='2', 7, unexpected 'OR'",
        "a<>'1', 2, unexpected '<'",
        "word, 1, expected an operator",
        "@other='1', 1, unsupported parameter '@other'",
        "a='1' AND @container>'x', 21, unexpected '>'",
        "a=1, 3, unexpected '1'",
      })
  void aRefusalSaysWhere(String text, int position, String what) {
    assertThat(reason(text))
        .isEqualTo("Error parsing query at or near character position " + position + ": " + what);
  }

  @Test
  void aSearchHasOneRangeForEachKey() {
    TagQuery query =
        TagExpressionParser.search(
            "@container='logs' AND a='1' AND d>='2' AND d<'3' AND e<='4'",
            TagExpressionParserTest::refusal);
    assertThat(query.container()).isEqualTo("logs");
    assertThat(query.ranges())
        .containsExactly(
            Map.entry("a", new TagRange("1", true, "1", true)),
            Map.entry("d", new TagRange("2", true, "3", false)),
            Map.entry("e", new TagRange(null, true, "4", true)));
    assertThat(query.matches(Map.of("a", "1", "d", "2", "e", "4"))).isTrue();
    assertThat(query.matches(Map.of("a", "1", "d", "3", "e", "4"))).isFalse();
    assertThat(query.matches(Map.of("a", "1", "d", "2"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a='1' AND a='1'",
        "a>'1' AND a>='2'",
        "a<'1' AND a<='2'",
        "a='1' AND a<'2'",
        "a>'1' AND a<'3' AND a<'4'",
        "@container='x' AND @container='y'",
      })
  void twoConditionsOnAKeyAreARange(String text) {
    assertThat(reason(text)).startsWith("Error parsing query: can't have multiple conditions");
  }

  @Test
  void aSearchHasAtMostTenKeys() {
    assertThat(TagExpressionParser.search(keys(10), TagExpressionParserTest::refusal).ranges())
        .hasSize(10);
    assertThat(reason(keys(11)))
        .isEqualTo("Error parsing query: there can be at most 10 unique tags in a query");
  }

  private static String keys(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "k" + i + "='v'")
        .collect(Collectors.joining(" AND "));
  }

  private static String reason(String text) {
    try {
      TagExpressionParser.search(text, TagExpressionParserTest::refusal);
    } catch (ServiceException e) {
      return e.details().get("Reason");
    }
    throw new AssertionError("not refused: " + text);
  }

  private static ServiceException refusal(String reason) {
    return CommonErrors.INVALID_HEADER_VALUE.exception().with("Reason", reason);
  }
}
