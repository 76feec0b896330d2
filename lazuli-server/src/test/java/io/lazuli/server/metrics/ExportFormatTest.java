package io.lazuli.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExportFormatTest {
  @Test
  void prometheusGetsTheFormatThatItPrefers() {
    String prometheus =
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
            + "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    assertThat(ExportFormat.of(prometheus)).isEqualTo(ExportFormat.OPEN_METRICS);
    assertThat(ExportFormat.of("text/plain;version=0.0.4, application/openmetrics-text;q=0.5"))
        .isEqualTo(ExportFormat.PROMETHEUS);
  }

  @Test
  void everybodyElseGetsTheFormatOfPrometheus() {
    for (String accept :
        new String[] {null, "", "*/*", "text/html", "application/openmetrics-text;q=0", ";q=,,"}) {
      assertThat(ExportFormat.of(accept)).describedAs(accept).isEqualTo(ExportFormat.PROMETHEUS);
    }
  }
}
