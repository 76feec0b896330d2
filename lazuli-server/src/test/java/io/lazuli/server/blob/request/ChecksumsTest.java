package io.lazuli.server.blob.request;

import static io.lazuli.server.blob.model.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumsTest {
  private static final String MD5 = "XrY7u+Ae7tCTyyK7j1rNww==";
  private static final String CRC64 = "vo7q9sPVKY0=";
  private static final Checksums HELLO = digest("hello world");

  @ParameterizedTest
  @CsvSource({
    "'', AAAAAAAAAAA=",
    "hello world, vo7q9sPVKY0=",
    "default, 6RYQPwaVsyQ=",
    "123456789, iJh5CoYUi64="
  })
  void crc64HasTheValuesOfTheService(String text, String crc64) {
    assertThat(digest(text).crc64()).isEqualTo(crc64);
  }

  @Test
  void theAnswerHasTheMd5OnlyIfItWasGiven() {
    assertThat(ExpectedChecksums.NONE.answered(HELLO)).isEqualTo(new Checksums(null, CRC64));
    assertThat(ExpectedChecksums.parse(null, CRC64).answered(HELLO))
        .isEqualTo(new Checksums(null, CRC64));
    ExpectedChecksums md5 = ExpectedChecksums.parse(MD5, null);
    assertThat(md5.answered(HELLO)).isEqualTo(new Checksums(MD5, null));
    assertThat(md5.answeringBoth(true).answered(HELLO)).isEqualTo(HELLO);
    assertThat(ExpectedChecksums.NONE.answeringBoth(true).answered(HELLO))
        .isEqualTo(new Checksums(null, CRC64));
  }

  @Test
  void theCheckValueOfTheAlgorithmIsMet() {
    Crc64 crc = new Crc64();
    crc.update("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9);
    assertThat(crc.getValue()).isEqualTo(0xAE8B14860A799888L);
    crc.reset();
    assertThat(crc.text()).isEqualTo("AAAAAAAAAAA=");
  }

  /**
   * Compares the sliced computation with one bit by bit, for pieces of every length from every
   * offset.
   */
  @Test
  void pieceByPieceIsTheSameAsBitByBit() {
    byte[] bytes = new byte[4_000];
    new Random(64).nextBytes(bytes);
    Crc64 crc = new Crc64();
    long slow = -1;
    int at = 0;
    for (int length = 0; at + length <= bytes.length; length++) {
      crc.update(bytes, at, length);
      slow = bitByBit(slow, bytes, at, length);
      assertThat(crc.getValue()).isEqualTo(~slow);
      at += length;
    }
    crc.update(bytes[0]);
    assertThat(crc.getValue()).isEqualTo(~bitByBit(slow, bytes, 0, 1));
  }

  /** The input is long enough to be processed as two pieces side by side, several times. */
  @Test
  void longPiecesAreTheSameAsBitByBit() {
    byte[] bytes = new byte[100_000];
    new Random(65).nextBytes(bytes);
    Crc64 crc = new Crc64();
    long slow = -1;
    int at = 0;
    for (int length : new int[] {8_191, 8_192, 8_193, 16_384, 20_000, 24_583, 3}) {
      crc.update(bytes, at, length);
      slow = bitByBit(slow, bytes, at, length);
      assertThat(crc.getValue()).isEqualTo(~slow);
      at += length;
    }
  }

  @Test
  void bothChecksumsAreTakenInOnePass() {
    assertThat(HELLO).isEqualTo(new Checksums(MD5, CRC64));
    assertThat(digest("").md5()).isEqualTo("1B2M2Y8AsgTpgAmY7PhCfg==");
  }

  @Test
  void onlyTheChecksumThatIsComparedOrAnsweredIsTaken() {
    String text = "hello world";
    assertThat(digest(BodyDigest.answering(ExpectedChecksums.parse(MD5, null)), text))
        .isEqualTo(new Checksums(MD5, null));
    assertThat(
            digest(
                BodyDigest.answering(ExpectedChecksums.parse(MD5, null).answeringBoth(true)), text))
        .isEqualTo(HELLO);
    assertThat(digest(BodyDigest.answering(ExpectedChecksums.parse(null, CRC64)), text))
        .isEqualTo(new Checksums(null, CRC64));
    assertThat(digest(BodyDigest.answering(ExpectedChecksums.parse(null, null)), text))
        .isEqualTo(new Checksums(null, CRC64));
  }

  @Test
  void aBodyWithTheExpectedChecksumPasses() {
    assertThat(ExpectedChecksums.parse(MD5, null).refusal(HELLO)).isNull();
    assertThat(ExpectedChecksums.parse(null, CRC64).refusal(HELLO)).isNull();
    assertThat(ExpectedChecksums.parse(null, null).refusal(HELLO)).isNull();
  }

  @Test
  void aBodyWithAnotherChecksumIsRefusedWithBoth() {
    assertThat(details(ExpectedChecksums.parse("1B2M2Y8AsgTpgAmY7PhCfg==", null).refusal(HELLO)))
        .isEqualTo(
            Map.of("UserSpecifiedMd5", "1B2M2Y8AsgTpgAmY7PhCfg==", "ServerCalculatedMd5", MD5));
    assertThat(details(ExpectedChecksums.parse(null, "AAAAAAAAAAA=").refusal(HELLO)))
        .isEqualTo(Map.of("UserSpecifiedCrc", "AAAAAAAAAAA=", "ServerCalculatedCrc", CRC64));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "AAAAAAAAAAA=", "XrY7u+Ae7tCTyyK7j1rNww", "XrY7u-Ae7tCTyyK7j1rNww=="})
  void textThatIsNoMd5IsRefused(String text) {
    refused(BlobErrors.INVALID_MD5, () -> ExpectedChecksums.parse(text, null));
    refused(BlobErrors.INVALID_MD5, () -> ExpectedChecksums.requireMd5(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "AAAAAAAAAAA", MD5})
  void textThatIsNoCrc64IsRefused(String text) {
    assertThat(
            refused(CommonErrors.INVALID_HEADER_VALUE, () -> ExpectedChecksums.parse(null, text)))
        .containsEntry("HeaderName", "x-ms-content-crc64");
  }

  @Test
  void onlyOneOfBothMayBeSent() {
    refused(BlobErrors.BOTH_CHECKSUMS, () -> ExpectedChecksums.parse(MD5, CRC64));
  }

  private static Map<String, String> details(@Nullable ServiceException refusal) {
    assertThat(refusal).isNotNull();
    return refusal.details();
  }

  private static Checksums digest(String text) {
    return digest(BodyDigest.both(), text);
  }

  private static Checksums digest(BodyDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(bytes, 0, bytes.length / 2);
    digest.update(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
    return digest.finish();
  }

  private static long bitByBit(long start, byte[] bytes, int offset, int length) {
    long crc = start;
    for (int i = offset; i < offset + length; i++) {
      crc ^= bytes[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0x9A6C9329AC4BC9B5L;
      }
    }
    return crc;
  }
}
