package io.lazuli.server.table.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ETagTest {
  private static final String TAG = "W/\"datetime'2022-05-06T00%3A34%3A41.820498Z'\"";

  @Test
  void onlyTheColonsAreEncoded() {
    Long ticks = DateTimeText.parse("2022-05-06T00:34:41.820498Z");
    assertThat(ETag.text(ticks)).isEqualTo(TAG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TAG,
        "W/\"datetime'2022-05-06T00%3A34%3A41.820498Z'",
        "W/\"datetime'2022-05-06T00%3a34%3a41.820498Z'\"",
        "W/\"datetime'2022-05-06T00:34:41.8204980Z'\""
      })
  void variantsOfATagAreTheSameTag(String text) {
    assertThat(ETag.parse(text)).isEqualTo(ETag.parse(TAG)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "\"x\"",
        "0x1234",
        "W/x",
        "W/datetime'2022-05-06T00%3A34%3A41.820498Z'",
        "\"datetime'2022-05-06T00%3A34%3A41.820498Z'\"",
        "datetime'2022-05-06T00%3A34%3A41.820498Z'"
      })
  void aTagThatIsNotWeakIsRefusedWithItsText(String text) {
    assertThatThrownBy(() -> IfMatch.parse(text))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> {
              assertThat(e.error()).isEqualTo(TableErrors.INVALID_ETAG);
              assertThat(e.text()).contains("'" + text + "'");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "W/\"wrong\"",
        "W/\"wrong",
        "W/\"\"",
        "W/\"",
        "W/\"datetime''\"",
        "W/\"datetime'",
        "W/\"datetime'yesterday'\"",
        "W/\"datetime'2022-05-06T00%3A34%3A41.820498Z'\"x",
        "W/\"datetime'2022-05-06T00%3A34%3A41.820498Z'x"
      })
  void aWeakTagOfAnotherFormFitsNoEntity(String text) {
    IfMatch condition = IfMatch.parse(text);
    assertThat(condition.present()).isTrue();
    assertThat(condition.accepts(17)).isFalse();
    assertThat(condition.accepts(0)).isFalse();
  }

  @Test
  void aTagBeforeTheFirstTimestampFitsNoEntity() {
    assertThat(IfMatch.parse("W/\"datetime'1600-12-31T23:59:59.9999999Z'\"").accepts(17)).isFalse();
  }

  @Test
  void aStarAcceptsEveryEntityAndNoHeaderAsksForNone() {
    assertThat(IfMatch.parse("*").accepts(17)).isTrue();
    assertThat(IfMatch.parse("*").present()).isTrue();
    assertThat(IfMatch.parse(null).present()).isFalse();
    assertThat(IfMatch.parse(TAG).accepts(17)).isFalse();
  }
}
