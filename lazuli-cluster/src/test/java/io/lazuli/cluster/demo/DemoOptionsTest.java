package io.lazuli.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemoOptionsTest {
  @Test
  void withoutOptionsThereAreThreeOfEach() {
    assertThat(DemoOptions.parse())
        .isEqualTo(new DemoOptions(false, 3, false, 3, 0, "hbase", false));
  }

  @Test
  void everyOptionCanBeGivenInBothForms() {
    assertThat(
            DemoOptions.parse(
                "--region-servers=2",
                "--hdfs",
                "--servers",
                "1",
                "--first-port=20000",
                "--engine",
                "memory",
                "--filter"))
        .isEqualTo(new DemoOptions(false, 2, true, 1, 20000, "memory", true));
    assertThat(DemoOptions.parse("--help").help()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--servers=0", "--servers=17", "--servers=x", "--first-port", "--pets=1"})
  void invalidOptionsAreNamed(String word) {
    assertThatThrownBy(() -> DemoOptions.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(word.split("=", -1)[0] + " is ");
  }
}
