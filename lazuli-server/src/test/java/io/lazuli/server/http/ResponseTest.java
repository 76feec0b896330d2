package io.lazuli.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseTest {
  @ParameterizedTest
  @CsvSource({
    "The specified blob does not exist.,The specified blob does not exist.",
    "'one\ntwo',one",
    "'one\r\nSet-Cookie: x',one",
    "'a\tb\u0000c\u007fd',a?b?c?d",
    "gr\u00fcn \ud83d\ude00,gr?n ??",
    "'',''"
  })
  void aReasonIsOneLineOfPrintableAscii(String text, String reason) {
    assertThat(Response.of(400).reason(text).build().reason()).isEqualTo(reason);
  }

  @Test
  void aReasonHasALimit() {
    String reason = Response.of(400).reason("x".repeat(10_000)).build().reason();
    assertThat(reason).hasSize(512);
  }

  @Test
  void aReasonIsKeptWhenHeadersAreAdded() {
    Response answer = Response.of(404).reason("gone").build();
    assertThat(answer.toBuilder().header("Date", "now").build().reason()).isEqualTo("gone");
    assertThat(Response.of(404).build().reason()).isNull();
  }
}
