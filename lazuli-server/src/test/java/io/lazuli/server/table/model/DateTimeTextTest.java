package io.lazuli.server.table.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Ticks;
import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateTimeTextTest {
  private static final long LAST = 2_650_467_743_999_999_999L;

  @Test
  void textReadsBackToTheSameTime() {
    Fuzz.forAll(
        1_000,
        Values.longs(0, LAST),
        ticks -> assertThat(DateTimeText.parse(DateTimeText.format(ticks))).isEqualTo(ticks));
  }

  @Test
  void textAgreesWithTheCalendarOfJava() {
    Fuzz.forAll(
        1_000,
        Values.longs(0, LAST),
        ticks -> {
          Instant instant = Ticks.toInstant(ticks);
          assertThat(Instant.parse(DateTimeText.format(ticks))).isEqualTo(instant);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "2022-05-06T00:31:36.0741007Z, 2022-05-06T00:31:36.0741007Z",
    "2008-07-10T00:00:00, 2008-07-10T00:00:00Z",
    "2008-07-10, 2008-07-10T00:00:00Z",
    "2008-07-10T10:20, 2008-07-10T10:20:00Z",
    "2008-07-10T10:20:30.060625Z, 2008-07-10T10:20:30.060625Z",
    "2008-07-10T10:20:30.1234567899Z, ''",
    "2008-07-10T10:20:30.123456789Z, 2008-07-10T10:20:30.1234567Z",
    "2008-07-10T10:20:30+02:00, 2008-07-10T08:20:30Z",
    "2008-07-10T10:20:30-00:30, 2008-07-10T10:50:30Z",
    "1601-01-01T00:00:00Z, 1601-01-01T00:00:00Z",
    "9999-12-31T23:59:59.9999999Z, 9999-12-31T23:59:59.9999999Z",
    "2000-02-29T12:00:00Z, 2000-02-29T12:00:00Z",
  })
  void acceptedFormsAreWrittenInOneForm(String text, String written) {
    Long ticks = DateTimeText.parse(text);
    assertThat(ticks == null ? "" : DateTimeText.format(ticks)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "2008-13-01",
        "2008-02-30T00:00:00Z",
        "2008-07-10T25:00:00Z",
        "2008-07-10T10:20:30+2:00",
        "10000-01-01T00:00:00Z",
        "2008-07-10T10:20:30.Z",
        "2008-07-10 10:20:30",
        "9999-12-31T23:59:59-01:00"
      })
  void otherTextIsNoTime(String text) {
    assertThat(DateTimeText.parse(text)).isNull();
  }

  @Test
  void timesBefore1601AreBelowZero() {
    assertThat(DateTimeText.parse("1600-12-31T23:59:59.9999999Z")).isEqualTo(-1);
  }
}
