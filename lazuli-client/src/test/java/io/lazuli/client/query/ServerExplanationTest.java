package io.lazuli.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.query.Explanation.Kind;
import io.lazuli.client.query.ServerExplanation.Basis;
import org.junit.jupiter.api.Test;

/** Texts that are not explanations, or are those of other versions. */
class ServerExplanationTest {
  @Test
  void theShortFormOfAPlanIsNotAnExplanation() {
    assertThat(ServerExplanation.parse("partition scan; read=7")).isNull();
    assertThat(ServerExplanation.parse("")).isNull();
  }

  @Test
  void whatIsMissingIsUnknown() {
    ServerExplanation little =
        ServerExplanation.parse(
            "{\"kind\":\"range\",\"azure\":{\"kind\":\"table scan\"},\"read\":{\"basis\":\"guess\"}}");
    assertThat(little).isNotNull();
    assertThat(little.kind()).isEqualTo(Kind.ROW_RANGE);
    assertThat(little.azure().kind()).isEqualTo(Kind.TABLE);
    assertThat(little.read().basis()).isEqualTo(Basis.UNKNOWN);
    assertThat(little.ranges()).isEmpty();
    assertThat(little.advice()).isNull();
    assertThat(little.plan()).isEqualTo(new ServerPlan("range", 0));
  }

  @Test
  void otherKindsAndBrokenTextsAreRefused() {
    assertThatThrownBy(() -> ServerExplanation.parse("{\"kind\":\"guess\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'guess'");
    assertThatThrownBy(() -> ServerExplanation.parse("{\"kind\":"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerExplanation.parse("{}"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
