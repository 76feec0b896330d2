package io.lazuli.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.benchmarks.scenario.Scale;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void everyOptionIsRead() {
    Options options =
        Options.parse(
            List.of(
                "--full",
                "--only=get,scan",
                "--rounds",
                "7",
                "--jar=x.jar",
                "--before=y.jar",
                "--folder",
                "data",
                "--out",
                "report.md"));
    assertThat(options.scale()).isEqualTo(Scale.whole().withRounds(7));
    assertThat(options.only()).containsExactlyInAnyOrder("get", "scan");
    assertThat(options.jar()).isEqualTo(Path.of("x.jar"));
    assertThat(options.before()).hasValue(Path.of("y.jar"));
    assertThat(options.folder()).isEqualTo(Path.of("data"));
    assertThat(options.out()).hasValue(Path.of("report.md"));
  }

  @Test
  void withoutOptionsEverythingIsMeasured() {
    Options options = Options.parse(List.of());
    assertThat(options.scale()).isEqualTo(Scale.standard());
    assertThat(options.only()).contains("start", "get", "insert", "memory");
    assertThat(options.out()).isEmpty();
  }

  @Test
  void invalidOptionsAreRejected() {
    refuses("--fast", "unknown option --fast");
    refuses("--only", "--only needs a value");
    refuses("--only=get,got", "unknown scenario got");
    refuses("--rounds=0", "--rounds needs a number above 0");
    refuses("--rounds=few", "--rounds needs a number, not few");
  }

  private static void refuses(String argument, String message) {
    assertThatThrownBy(() -> Options.parse(List.of(argument)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
