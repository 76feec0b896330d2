package io.lazuli.server.blob.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ETagConditionTest {
  private static final long TICKS = 0x8DA6529DB030ECAL;

  @Test
  void aTagIsUpperCaseHexadecimalAndQuotedInHeaders() {
    assertThat(BlobETag.text(TICKS)).isEqualTo("0x8DA6529DB030ECA");
    assertThat(BlobETag.quoted(TICKS)).isEqualTo("\"0x8DA6529DB030ECA\"");
  }

  @Test
  void noHeaderIsNoCondition() {
    assertThat(ETagCondition.parse("If-Match", null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"0x8DA6529DB030ECA\"",
        "0x8DA6529DB030ECA",
        " \"0x8DA6529DB030ECA\" ",
        "W/\"0x8DA6529DB030ECA\"",
        "*",
        "\"*\"",
        "\"0x1\", \"0x8DA6529DB030ECA\"",
        "0x1,0x8DA6529DB030ECA",
        "\"a,b\",0x8DA6529DB030ECA",
        "\"0x1\", *"
      })
  void tagsComeWithQuotesWithoutAndInLists(String header) {
    assertThat(parse(header).names(TICKS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x8DA6529DB030ECB", "\"\\\"", "\"a,0x8DA6529DB030ECA\"", "nonsense"})
  void otherTextsNameAnotherResource(String header) {
    assertThat(parse(header).names(TICKS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"*|false", "0x1|false", "0x1,0x2|true", "'\"a,b\"'|false", "0x1, 0x1|true"})
  void listsAreTold(String header, boolean list) {
    assertThat(parse(header).isList()).isEqualTo(list);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\"\"", "0x1,", ",0x1"})
  void aHeaderWithoutATagIsRefusedBecauseIgnoringItWouldOverwrite(String header) {
    assertThatThrownBy(() -> parse(header))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> {
              assertThat(e.error()).isEqualTo(CommonErrors.INVALID_HEADER_VALUE);
              assertThat(e.details()).containsEntry("HeaderName", "If-Match");
            });
  }

  private static ETagCondition parse(String header) {
    ETagCondition condition = ETagCondition.parse("If-Match", header);
    assertThat(condition).isNotNull();
    return condition;
  }
}
