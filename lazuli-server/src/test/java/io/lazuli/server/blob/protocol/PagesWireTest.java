package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Page blobs (blob-features 7). */
class PagesWireTest extends BlobWire {
  private static final String PAGE_BLOB = "x-ms-blob-type: PageBlob";
  private static final String UPDATE = "x-ms-page-write: update";
  private static final String CLEAR = "x-ms-page-write: clear";
  private static final String A = "a".repeat(512);
  private static final String B = "b".repeat(512);
  private static final String ZEROS = "\0".repeat(512);

  private Answer create(long length, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add(PAGE_BLOB);
    headers.add("x-ms-blob-content-length: " + length);
    return server.owner("PUT", blob, "", headers.toArray(String[]::new));
  }

  private Answer page(String content, String range, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add(content.isEmpty() ? CLEAR : UPDATE);
    headers.add("x-ms-range: bytes=" + range);
    return server.owner("PUT", blob + "?comp=page", content, headers.toArray(String[]::new));
  }

  private Answer ranges(String query, String... headers) {
    return server.owner("GET", blob + "?comp=pagelist" + query, "", headers);
  }

  private String snapshot() {
    Answer taken = server.owner("PUT", blob + "?comp=snapshot", "");
    assertThat(taken.status()).isEqualTo(201);
    return String.valueOf(taken.header("x-ms-snapshot"));
  }

  @Test
  void pagesAreWrittenClearedAndRead() {
    Answer created = create(2_048, "x-ms-blob-sequence-number: 7");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(created.header("x-ms-content-crc64")).isNull();
    assertThat(created.header("Content-MD5")).isNull();
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(ZEROS.repeat(4));
    Answer put = page(A + B, "512-1535");
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.header("ETag")).isNotEqualTo(created.header("ETag"));
    assertThat(put.header("x-ms-blob-sequence-number")).isEqualTo("7");
    assertThat(put.header("x-ms-content-crc64")).isNotNull();
    assertThat(put.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer cleared = page("", "1024-1535");
    assertThat(cleared.status()).isEqualTo(201);
    assertThat(cleared.header("x-ms-blob-sequence-number")).isEqualTo("7");
    assertThat(cleared.header("x-ms-content-crc64")).isNull();
    Answer read = server.owner("GET", blob, "");
    assertThat(read.body()).isEqualTo(ZEROS + A + ZEROS + ZEROS);
    assertThat(read.header("x-ms-blob-type")).isEqualTo("PageBlob");
    assertThat(read.header("x-ms-blob-sequence-number")).isEqualTo("7");
    assertThat(read.header("ETag")).isEqualTo(cleared.header("ETag"));
    assertThat(read.header("x-ms-access-tier")).isNull();
    Answer part = server.owner("GET", blob, "", "x-ms-range: bytes=510-513");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("\0\0aa");
    assertRefused(server.owner("GET", blob + "?comp=blocklist", ""), 409, "InvalidBlobType");
    assertThat(server.owner("GET", container + "?restype=container&comp=list", "").body())
        .contains(
            "<Content-Disposition />"
                + "<x-ms-blob-sequence-number>7</x-ms-blob-sequence-number>"
                + "<BlobType>PageBlob</BlobType><LeaseStatus>");
  }

  @Test
  void rangesAndDifferencesAreListed() {
    create(4_096);
    assertThat(ranges("").body()).isEqualTo(HEAD + "<PageList />");
    page(B + B, "0-1023");
    String snapshot = snapshot();
    page(A, "0-511");
    page("", "512-1023");
    page(A, "2048-2559");
    Answer listed = ranges("");
    assertThat(listed.status()).isEqualTo(200);
    assertThat(listed.header("x-ms-blob-content-length")).isEqualTo("4096");
    assertThat(listed.body())
        .isEqualTo(
            HEAD
                + "<PageList><PageRange><Start>0</Start><End>511</End></PageRange>"
                + "<PageRange><Start>2048</Start><End>2559</End></PageRange></PageList>");
    assertThat(ranges("&snapshot=" + snapshot).body())
        .contains("<PageRange><Start>0</Start><End>1023</End></PageRange></PageList>");
    assertThat(ranges("&prevsnapshot=" + snapshot).body())
        .isEqualTo(
            HEAD
                + "<PageList><PageRange><Start>0</Start><End>511</End></PageRange>"
                + "<ClearRange><Start>512</Start><End>1023</End></ClearRange>"
                + "<PageRange><Start>2048</Start><End>2559</End></PageRange></PageList>");
    assertThat(ranges("", "x-ms-range: bytes=600-2100").body())
        .isEqualTo(
            HEAD
                + "<PageList><PageRange><Start>2048</Start><End>2559</End></PageRange></PageList>");
    Answer first = ranges("&maxresults=1");
    assertThat(first.body()).contains("<Start>0</Start>").doesNotContain("<Start>2048</Start>");
    Answer second = ranges("&maxresults=1&marker=" + marker(first));
    assertThat(second.body()).contains("<Start>2048</Start>").endsWith("<NextMarker /></PageList>");
    assertRefused(ranges("", "x-ms-range: bytes=4096-5000"), 416, "InvalidRange");
    assertRefused(ranges("&marker=x"), 400, "OutOfRangeInput");
    assertRefused(
        ranges("&prevsnapshot=2020-01-01T00:00:00.0000000Z"), 409, "PreviousSnapshotNotFound");
    assertRefused(
        ranges("&snapshot=" + snapshot + "&prevsnapshot=2999-01-01T00:00:00.0000000Z"),
        400,
        "PreviousSnapshotCannotBeNewer");
    create(512);
    assertRefused(ranges("&prevsnapshot=" + snapshot), 409, "BlobOverwritten");
  }

  @ParameterizedTest
  @CsvSource({
    "511,InvalidHeaderValue",
    "8796093022720,InvalidHeaderValue",
    "-512,InvalidHeaderValue",
    "x,InvalidHeaderValue",
    "'',MissingRequiredHeader",
  })
  void lengthsAreChecked(String length, String code) {
    String header = "x-ms-blob-content-length: " + length;
    assertRefused(server.owner("PUT", blob, "", PAGE_BLOB, header), 400, code);
    create(512);
    if (!length.isEmpty()) {
      assertRefused(server.owner("PUT", blob + "?comp=properties", "", header), 400, code);
    }
  }

  @Test
  void creationIsChecked() {
    assertRefused(create(512, "x-ms-blob-sequence-number: -1"), 400, "InvalidHeaderValue");
    assertRefused(create(512, "x-ms-access-tier: Hot"), 400, "AccessTierNotSupportedForBlobType");
    assertRefused(
        server.owner("PUT", blob, "body", PAGE_BLOB, "x-ms-blob-content-length: 512"),
        400,
        "InvalidHeaderValue");
    assertThat(create(0).status()).isEqualTo(201);
    assertThat(server.owner("GET", blob, "").body()).isEmpty();
    assertRefused(create(512, "If-None-Match: *"), 409, "BlobAlreadyExists");
    assertRefused(put(blob, "x"), 409, "InvalidBlobType");
  }

  @ParameterizedTest
  @CsvSource({
    "1024-1535,416,InvalidPageRange",
    "512-1535,416,InvalidPageRange",
    "1-512,416,InvalidPageRange",
    "0-510,416,InvalidPageRange",
    "511-0,416,InvalidPageRange",
    "0-,416,InvalidPageRange",
    "nonsense,400,InvalidHeaderValue",
  })
  void rangesOfWritesAreChecked(String range, int status, String code) {
    create(1_024);
    assertRefused(page(A, range), status, code);
    assertRefused(page("", range), status, code);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(ZEROS.repeat(2));
  }

  @Test
  void writesAreChecked() {
    assertRefused(page(A, "0-511"), 404, "BlobNotFound");
    put(blob, "text");
    assertRefused(page(A, "0-511"), 409, "InvalidBlobType");
    assertRefused(page("", "0-511"), 409, "InvalidBlobType");
    assertRefused(ranges(""), 409, "InvalidBlobType");
    server.owner("DELETE", blob, "");
    create(1_024);
    assertRefused(page(A, "0-1023"), 416, "InvalidPageRange");
    assertRefused(
        server.owner("PUT", blob + "?comp=page", A, "x-ms-range: bytes=0-511"),
        400,
        "MissingRequiredHeader");
    assertRefused(
        server.owner("PUT", blob + "?comp=page", A, UPDATE), 400, "MissingRequiredHeader");
    assertRefused(page(A, "0-511", "Content-MD5: XrY7u+Ae7tCTyyK7j1rNww=="), 400, "Md5Mismatch");
    assertRefused(
        server.owner("PUT", blob + "?comp=block&blockid=MDAx", "x"), 409, "InvalidBlobType");
    assertRefused(server.owner("PUT", blob + "?comp=appendblock", "x"), 409, "InvalidBlobType");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(ZEROS.repeat(2));
  }

  @Test
  void sequenceNumbersChangeAndAreConditions() {
    create(512, "x-ms-blob-sequence-number: 5", "x-ms-blob-content-type: text/x");
    assertThat(number("max", "3")).isEqualTo("5");
    assertThat(number("max", "9")).isEqualTo("9");
    assertThat(number("update", "2")).isEqualTo("2");
    assertThat(number("increment", null)).isEqualTo("3");
    String code = "SequenceNumberConditionNotMet";
    assertRefused(page(A, "0-511", "x-ms-if-sequence-number-le: 2"), 412, code);
    assertRefused(page(A, "0-511", "x-ms-if-sequence-number-lt: 3"), 412, code);
    assertRefused(page("", "0-511", "x-ms-if-sequence-number-eq: 4"), 412, code);
    assertThat(
            page(
                    A,
                    "0-511",
                    "x-ms-if-sequence-number-le: 3",
                    "x-ms-if-sequence-number-lt: 4",
                    "x-ms-if-sequence-number-eq: 3")
                .status())
        .isEqualTo(201);
    assertThat(number("update", Long.toString(Long.MAX_VALUE)))
        .isEqualTo(Long.toString(Long.MAX_VALUE));
    assertRefused(change("increment", null), 409, "SequenceNumberIncrementTooLarge");
    assertRefused(change("increment", "1"), 400, "InvalidHeaderValue");
    assertRefused(change("update", null), 400, "InvalidHeaderValue");
    assertRefused(change("nonsense", "1"), 400, "InvalidHeaderValue");
    assertThat(server.owner("HEAD", blob, "").header("Content-Type")).isEqualTo("text/x");
    String other = container + "/other";
    put(other, "x");
    assertRefused(
        server.owner(
            "PUT", other + "?comp=properties", "", "x-ms-sequence-number-action: increment"),
        409,
        "InvalidBlobType");
  }

  private Answer change(String action, @Nullable String number) {
    String[] headers =
        number == null
            ? new String[] {"x-ms-sequence-number-action: " + action}
            : new String[] {
              "x-ms-sequence-number-action: " + action, "x-ms-blob-sequence-number: " + number
            };
    return server.owner("PUT", blob + "?comp=properties", "", headers);
  }

  private String number(String action, @Nullable String number) {
    Answer changed = change(action, number);
    assertThat(changed.status()).isEqualTo(200);
    return String.valueOf(changed.header("x-ms-blob-sequence-number"));
  }

  @Test
  void aShrunkenBlobGrowsWithZerosAndKeepsItsProperties() {
    create(1_024, "x-ms-blob-content-type: text/x");
    page(A + B, "0-1023");
    resize(512);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(A);
    resize(1_024);
    Answer read = server.owner("GET", blob, "");
    assertThat(read.body()).isEqualTo(A + ZEROS);
    assertThat(read.header("Content-Type")).isEqualTo("text/x");
    assertThat(ranges("").body()).contains("<Start>0</Start><End>511</End>");
  }

  private void resize(long length) {
    Answer resized =
        server.owner("PUT", blob + "?comp=properties", "", "x-ms-blob-content-length: " + length);
    assertThat(resized.status()).isEqualTo(200);
    assertThat(resized.header("x-ms-blob-sequence-number")).isEqualTo("0");
  }

  @Test
  void copiesKeepTypeSequenceNumberAndHoles() {
    create(1_536, "x-ms-blob-sequence-number: 4");
    page(B, "512-1023");
    String snapshot = snapshot();
    page(A, "0-511");
    String source =
        "x-ms-copy-source: " + "http://localhost/devstoreaccount1" + blob + "?snapshot=" + snapshot;
    String other = container + "/copy";
    assertThat(server.owner("PUT", other, "", source).status()).isEqualTo(202);
    Answer read = server.owner("GET", other, "");
    assertThat(read.body()).isEqualTo(ZEROS + B + ZEROS);
    assertThat(read.header("x-ms-blob-type")).isEqualTo("PageBlob");
    assertThat(read.header("x-ms-blob-sequence-number")).isEqualTo("4");
    assertThat(server.owner("GET", other + "?comp=pagelist", "").body())
        .contains("<PageList><PageRange><Start>512</Start><End>1023</End></PageRange></PageList>");
    Answer promoted = server.owner("PUT", blob, "", source);
    assertThat(promoted.status()).isEqualTo(202);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(ZEROS + B + ZEROS);
  }

  @Test
  void pagesComeFromAnotherBlob() {
    String text = container + "/text";
    put(text, "x".repeat(100) + A);
    create(1_024);
    String source = "x-ms-copy-source: " + "http://localhost/devstoreaccount1" + text;
    Answer put =
        server.owner(
            "PUT",
            blob + "?comp=page",
            "",
            UPDATE,
            source,
            "x-ms-source-range: bytes=100-611",
            "x-ms-range: bytes=512-1023");
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.header("x-ms-blob-sequence-number")).isEqualTo("0");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo(ZEROS + A);
    assertRefused(
        server.owner("PUT", blob + "?comp=page", "", UPDATE, source, "x-ms-range: bytes=512-1023"),
        400,
        "MissingRequiredHeader");
    assertRefused(
        server.owner(
            "PUT",
            blob + "?comp=page",
            "",
            UPDATE,
            source,
            "x-ms-source-range: bytes=0-1023",
            "x-ms-range: bytes=512-1023"),
        416,
        "InvalidPageRange");
  }
}
