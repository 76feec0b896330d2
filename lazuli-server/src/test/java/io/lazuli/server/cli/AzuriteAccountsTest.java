package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzuriteAccountsTest {
  /**
   * The right column is the output of Node's {@code Buffer.from(key, "base64").toString("base64")}.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "account1:key1|account1:key1",
        "account1:key1:key2;account2:key2;|account1:key1:key2;account2:key2",
        "' a1:c2VjcmV0 '|a1:c2VjcmV0",
        "a1:c2VjcmV0cw|a1:c2VjcmV0cw==",
        "a1:mykey|a1:myke",
        "a1:a-_b|a1:a+/b",
        "a1:se cr!et|a1:secreg==",
        "a1:key1:|a1:key1",
        "nonsense|nonsense",
        "a1:key1:key2:key3|a1:key1:key2:key3",
      })
  void keysAreReadAsNodeReadsThem(String given, String proper) {
    assertThat(AzuriteAccounts.proper(given)).isEqualTo(proper);
  }
}
