package io.lazuli.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SectionTest {
  @Test
  void tableIsAlignedAndEndsWithItsAims() {
    Section section =
        new Section("Title", "what", "per s")
            .row("a", "1")
            .row("longer", "1,000")
            .remark("seen")
            .aim(Aim.START, 1.5);
    assertThat(section.markdown())
        .isEqualTo(
            """

            ## Title

            | what   | per s |
            |--------|-------|
            | a      |     1 |
            | longer | 1,000 |

            - seen
            - met:    seconds from the start of the process to the first response: at most 2.00, \
            measured 1.50
            """);
  }

  @Test
  void aimsHaveADirection() {
    assertThat(Aim.START.isMetBy(2)).isTrue();
    assertThat(Aim.START.isMetBy(2.01)).isFalse();
    assertThat(Aim.BATCH.isMetBy(3)).isTrue();
    assertThat(Aim.BATCH.isMetBy(2.99)).isFalse();
  }

  @Test
  void numbersHaveThreeSignificantDigits() {
    assertThat(Figures.number(0.256)).isEqualTo("0.26");
    assertThat(Figures.number(12.34)).isEqualTo("12.3");
    assertThat(Figures.number(1_234_567.8)).isEqualTo("1,234,568");
    assertThat(Figures.number(Double.NaN)).isEqualTo("-");
    assertThat(Figures.count(1_000_000)).isEqualTo("1,000,000");
  }
}
