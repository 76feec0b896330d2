package io.lazuli.server.blob.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.CommonErrors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  /** The table of blob-rest 10.2: the header, the size, then Content-Range or the other result. */
  @ParameterizedTest
  @CsvSource({
    "bytes=0-4, 11, bytes 0-4/11",
    "bytes=6-99, 11, bytes 6-10/11",
    "bytes=6-, 11, bytes 6-10/11",
    "bytes=0-10, 11, bytes 0-10/11",
    "bytes=0-, 11, bytes 0-10/11",
    "bytes=10-10, 11, bytes 10-10/11",
    "' bytes=1-2 ', 11, bytes 1-2/11",
    "bytes=11-, 11, 416 bytes */11",
    "bytes=11-20, 11, 416 bytes */11",
    "bytes=0-4194303, 0, 416 bytes */0",
    "bytes=0-, 0, 416 bytes */0",
    "bytes=99999999999999999999-, 11, 416 bytes */11",
    "bytes=3-99999999999999999999, 11, bytes 3-10/11",
  })
  void rangesOfABlob(String header, long size, String answer) {
    ByteRange asked = ByteRange.parse(header);
    assertThat(asked).isNotNull();
    ByteRange part = asked.within(size);
    assertThat(
            part == null
                ? "416 " + ByteRange.unsatisfiedContentRange(size)
                : part.contentRange(size))
        .isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=0--1",
        "bytes=5-2",
        "bytes=-5",
        "bytes=0-1,3-4",
        "items=0-1",
        "bytes 0-1",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=1",
        "bytes=+1-2",
        "bytes=0x1-2",
        ""
      })
  void anUnknownFormIsNotARange(String header) {
    assertThat(ByteRange.parse(header)).isNull();
  }

  @Test
  void theHeaderOfTheServiceWinsAlsoIfItIsNotUnderstood() {
    assertThat(ByteRange.parse("bytes=1-2", "bytes=3-4")).isEqualTo(new ByteRange(1, 2));
    assertThat(ByteRange.parse("bytes=0--1", "bytes=3-4")).isNull();
    assertThat(ByteRange.parse(null, "bytes=3-4")).isEqualTo(new ByteRange(3, 4));
    assertThat(ByteRange.parse(null, null)).isNull();
  }

  @Test
  void aChecksumNeedsARangeOfAtMostFourMebibytes() {
    ByteRange fits = new ByteRange(10, 10 + (4 << 20) - 1);
    ByteRange tooLarge = new ByteRange(10, 10 + (4 << 20));
    assertThat(checksumAnswer(true, false, fits)).isEqualTo("ok");
    assertThat(checksumAnswer(false, true, fits)).isEqualTo("ok");
    assertThat(checksumAnswer(true, false, tooLarge)).isEqualTo("InvalidHeaderValue");
    assertThat(checksumAnswer(false, true, null)).isEqualTo("InvalidHeaderValue");
    assertThat(checksumAnswer(false, false, null)).isEqualTo("ok");
    assertThat(checksumAnswer(false, false, tooLarge)).isEqualTo("ok");
    assertThat(checksumAnswer(true, true, fits)).isEqualTo("BothCrc64AndMd5RangeHeaderPresent");
  }

  private static String checksumAnswer(boolean md5, boolean crc64, @Nullable ByteRange range) {
    var refusal = ByteRange.checksumRefusal(md5, crc64, range, CommonErrors.INVALID_HEADER_VALUE);
    return refusal == null ? "ok" : refusal.code();
  }
}
