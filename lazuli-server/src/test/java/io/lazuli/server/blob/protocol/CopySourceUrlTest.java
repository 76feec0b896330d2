package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopySourceUrlTest {
  @ParameterizedTest
  @CsvSource({
    "http://h/c/b, http://h/c/b",
    "http://h/c/b?, http://h/c/b?",
    "http://h/c/a%20b?snapshot=2%3A0, http://h/c/a%20b?snapshot=2%3A0",
    "http://h/c/b?sv=1&sig=secret%3D&se=2%3A, http://h/c/b?sv=1&sig=&se=2%3A",
    "http://h/c/b?sig=a&sig=b=c, http://h/c/b?sig=&sig=",
    "http://h/c/b?%73ig=secret, http://h/c/b?%73ig=",
    "http://h/c/b?sig&sign=1&x=sig, http://h/c/b?sig&sign=1&x=sig",
  })
  void aUrlIsShownAsItWasSentButForTheSignature(String sent, String shown) {
    assertThat(CopySourceUrl.withoutSignature(sent)).isEqualTo(shown);
  }
}
