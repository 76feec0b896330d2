package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContinuationTokenTest {
  @Test
  void everyKeyComesBackAndTheTokenIsSafeInHeadersAndLists() {
    Fuzz.forAll(
        1_000,
        Values.either(
            new Values<>(List.of("~", "~~", "~~~", "???", ">>>"), ContinuationTokenTest::plainKey),
            Values.texts(12).where(ContinuationTokenTest::isWellFormed)),
        key -> {
          String token = ContinuationToken.encode(Utf8.encodeKey(key));
          assertThat(token).matches("1!\\d+![A-Za-z0-9_=-]*");
          assertThat(ContinuationToken.decode(token)).isEqualTo(key);
        });
  }

  /** Returns a key whose Base64 form contains the two characters that URLs encode differently. */
  private static String plainKey(Random random) {
    return random
        .ints(random.nextInt(13), 0, 6)
        .mapToObj(i -> "ab~>?x".substring(i, i + 1))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @CsvSource({
    "1!16!cGthZGNhMmUwZA--, pkadca2e0d",
    "1!8!U21pdGg-, Smith",
    "1!8!U21pdGg=, Smith",
    "1!7!U21pdGg, Smith",
    "Smith, Smith",
    "1!11!Y3VzdC0wNDI, cust-042"
  })
  void tokensOfTheLiveServiceAndRawKeysAreUnderstood(String token, String key) {
    assertThat(ContinuationToken.decode(token)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1!", "1!x!AAAA", "1!99!AAAA", "1!4!A A!", "1!2!_w", "1!1!A"})
  void brokenTokensAreRefused(String token) {
    assertThatThrownBy(() -> ContinuationToken.decode(token)).isInstanceOf(ServiceException.class);
  }

  private static boolean isWellFormed(String text) {
    return text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
  }
}
