package io.lazuli.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.benchmarks.load.LoadResult;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SeriesTest {
  @Test
  void medianIsTheMiddleOrTheMeanOfTheTwoMiddleValues() {
    assertThat(Series.median(5, 1, 3)).isEqualTo(3);
    assertThat(Series.median(4, 1, 3, 100)).isEqualTo(3.5);
  }

  @Test
  void ratioIsTakenRoundByRound() {
    Series ours = ofRates(10, 200, 30);
    Series theirs = ofRates(20, 400, 30);
    assertThat(ours.ratioTo(theirs, Sample::requestsPerSecond)).isEqualTo(0.5);
    assertThat(ours.median(Sample::requestsPerSecond)).isEqualTo(30);
  }

  @Test
  void spreadHasTheMiddleHalfOfTheRatios() {
    Spread spread =
        ofRates(1, 2, 3, 4, 5, 6, 7, 8)
            .ratiosTo(ofRates(1, 1, 1, 1, 1, 1, 1, 1), Sample::requestsPerSecond);
    assertThat(spread).isEqualTo(new Spread(4.5, 3, 6));
    assertThat(spread.middleHalf()).isEqualTo("3.00 - 6.00");
  }

  @Test
  void ratioOfSeriesWithDifferentRoundsIsRejected() {
    assertThatThrownBy(() -> ofRates(1, 2).ratioTo(ofRates(1), Sample::requestsPerSecond))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sampleDividesByTimeAndByCpu() {
    Histogram latency = new Histogram(1_000_000, 3);
    for (int micros = 1_000; micros <= 100_000; micros += 1_000) {
      latency.recordValue(micros);
    }
    Sample sample =
        Sample.of(
            new LoadResult(100, 0, "", 2_000_000_000L, 500_000_000L, 100_000_000L, latency), 50);
    assertThat(sample.requestsPerSecond()).isEqualTo(50);
    assertThat(sample.entitiesPerSecond()).isEqualTo(2_500);
    assertThat(sample.cpuMicros()).isEqualTo(5_000);
    assertThat(sample.entitiesPerCpuSecond()).isEqualTo(10_000);
    assertThat(sample.p50Millis()).isCloseTo(50, Offset.offset(0.1));
    assertThat(sample.p99Millis()).isCloseTo(99, Offset.offset(0.1));
  }

  private static Series ofRates(double... rates) {
    List<Sample> rounds =
        DoubleStream.of(rates)
            .mapToObj(rate -> new Sample(100, 1, 100 / rate, 1, 1, 1, 1))
            .toList();
    return new Series("rates", rounds);
  }
}
