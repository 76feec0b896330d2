package io.lazuli.cluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of docs/scale.md. */
final class ScaleTest {
  private static final Duration WARM_UP = Duration.ofMillis(100);

  @ParameterizedTest
  @ValueSource(doubles = {0.6, 0.99, 1.2})
  void tenServersServeAnUnevenLoad(double exponent) {
    servesAndNamesWhatIsUsedMost(10, exponent);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {100, 1_000})
  void manyServersServeAnUnevenLoad(int servers) {
    servesAndNamesWhatIsUsedMost(servers, 0.6);
  }

  private static void servesAndNamesWhatIsUsedMost(int servers, double exponent) {
    double rate = 5_000.0 * servers;
    Duration window = Duration.ofMillis(servers > 100 ? 100 : 300);
    Result result = Run.open(Scale.scenario(servers, exponent), rate, WARM_UP, window);
    assertThat(result.refused()).isZero();
    assertThat(result.rate()).isBetween(0.95 * rate, 1.05 * rate);
    assertThat(result.p99Millis()).isLessThan(200);
    assertThat(result.busiest().utilisation()).isBetween(0.1, 1.01);
  }

  @Test
  void theServerOfTheHottestPartitionIsUsedMost() {
    Result result = Run.open(Scale.scenario(50, 1.2), 25_000, WARM_UP, Duration.ofMillis(500));
    Result.Resource busiest = result.busiest();
    assertThat(busiest.name()).isEqualTo("hottest partition");
    assertThat(busiest.utilisation()).isGreaterThan(5 * busiest.mean());
  }
}
