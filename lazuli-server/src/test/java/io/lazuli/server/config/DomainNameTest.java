package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "storage.test", "a", "127.0.0.1.nip.io", "xn--a-b.example"})
  void aDomainIsKeptInLowerCase(String text) {
    assertThat(DomainName.parse(text)).isEqualTo(text);
    assertThat(DomainName.parse(text.toUpperCase(Locale.ROOT))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ".test",
        "test.",
        "a..b",
        "-a.test",
        "a-.test",
        "a_b.test",
        "*.test",
        "a b",
        "a/b",
        "a;b",
        "storage.test:80",
        "127.0.0.1",
        "::1",
        "[::1]",
        "http://storage.test",
        "störage.test",
      })
  void anotherTextIsRefused(String text) {
    assertThat(DomainName.parse(text)).isNull();
  }

  @Test
  void aLongDomainIsRefused() {
    assertThat(DomainName.parse("a".repeat(63))).isNotNull();
    assertThat(DomainName.parse("a".repeat(64))).isNull();
    assertThat(DomainName.parse("a.".repeat(99) + "a")).isNotNull();
    assertThat(DomainName.parse("a.".repeat(100) + "a")).isNull();
  }
}
