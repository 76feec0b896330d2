package io.lazuli.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
  private static final Instant TIME = Instant.parse("2024-01-05T10:30:07Z");

  @Property(tries = 200)
  void whatIsWrittenIsReadBack(@ForAll @LongRange(min = 0, max = 253402300799L) long second) {
    Instant time = Instant.ofEpochSecond(second);
    assertThat(HttpDate.parse(HttpDate.format(time))).isEqualTo(time);
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

  @Property(tries = 500)
  void noTextIsTooStrange(@ForAll String text) {
    assertThat(HttpDate.parse("Fri, " + text + " GMT")).isNull();
  }
}
