package io.lazuli.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
  private static final Instant TIME = Instant.parse("2024-01-05T10:30:07Z");

  @Test
  void writtenDatesAreReadBack() {
    Fuzz.forAll(
        200,
        Values.longs(0, 253402300799L),
        second -> {
          Instant time = Instant.ofEpochSecond(second);
          assertThat(HttpDate.parse(HttpDate.format(time))).isEqualTo(time);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fri, 05 Jan 2024 10:30:07 GMT",
        "Fri, 5 Jan 2024 10:30:07 GMT",
        "Friday, 05-Jan-24 10:30:07 GMT"
      })
  void allFormsAreRead(String text) {
    assertThat(HttpDate.parse(text)).isEqualTo(TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ", ",
        ",  GMT",
        "Fri, 05 Jan 2024 10:30:07",
        "Fri, 05 Jan 2024 10:30:07 UTC",
        "Fri, 05 Jan 2024 10:30 GMT",
        "Fri, 32 Jan 2024 10:30:07 GMT",
        "Fri, 05 Foo 2024 10:30:07 GMT",
        "Fri, 05 Jan 2024 25:30:07 GMT",
        "Fri, 05 Jan 2024 10:x0:07 GMT",
        "Fri, 05 Jan 12024 10:30:07 GMT",
        "Fri, x5 Jan 2024 10:30:07 GMT",
        "2024-01-05T10:30:07Z"
      })
  void othersAreNot(String text) {
    assertThat(HttpDate.parse(text)).isNull();
  }

  @Test
  void noTextIsTooStrange() {
    Fuzz.forAll(
        500,
        Values.texts(255),
        text -> assertThat(HttpDate.parse("Fri, " + text + " GMT")).isNull());
  }
}
