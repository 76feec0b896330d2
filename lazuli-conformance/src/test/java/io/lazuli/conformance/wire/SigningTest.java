package io.lazuli.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Signing.Signed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The test vectors of auth 10.1, table-rest 13 and queue-rest 3, which were verified with official
 * clients.
 */
class SigningTest {

  private static final String DATE = "Mon, 15 Jan 2024 10:30:00 GMT";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SHARED_KEY | POST | /devstoreaccount1/Tables | application/json |"
            + " zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=",
        "SHARED_KEY_LITE | POST | /devstoreaccount1/Tables | application/json |"
            + " cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=",
        "SHARED_KEY | GET | /mytable?comp=acl&timeout=30 | |"
            + " LWD6yrkO9lAvNjn//k2dGqukFZ7USjc3KS4uxKc2Wks=",
        "SHARED_KEY_LITE | GET | /mytable?comp=acl&timeout=30 | |"
            + " J/XO4QaIZ0zk24UQ8pt4OE1zgRBIfzJ/6iovAm3mk/E=",
        "SHARED_KEY_LITE | PATCH |"
            + " /devstoreaccount1/mytable(PartitionKey='O%27%27Neil%20%26%20Co',RowKey='r%C3%A9f')"
            + " | | jFZMScUqzJeTiCWGz4k4djwq7QUqJWW9A5wgfMVg3Go=",
        "SHARED_KEY | GET | /devstoreaccount1/?restype=service&comp=properties | |"
            + " FmUyq64oa6/Hy5OwHzJc566RZEDiTj3NA3vapH1tU5I=",
        "SHARED_KEY | POST | /devstoreaccount1/$batch | multipart/mixed; boundary=batch_1 |"
            + " KnzwTLipbjITVH4ucltwl/WpreR4Hs8zFXdSceGkTTg=",
        "SHARED_KEY_LITE | POST | /devstoreaccount1/Orders | application/json |"
            + " L/dyI3CfucqB21hvvlZlcH++/4ZXqvf6y7N4HyYrG9s=",
        "SHARED_KEY_LITE | DELETE | /devstoreaccount1/Tables('Orders') | |"
            + " lfJ7VADVFFz+phfqNkocHfPcMJmQAzLF5c6IbAxZ63k="
      })
  void signaturesAreThoseOfTheOfficialClients(
      Signing scheme, String verb, String target, String contentType, String signature) {
    Signed request =
        new Signed(
            StorageService.TABLE,
            verb,
            target,
            List.of(
                new Header("Content-Type", contentType == null ? "" : contentType),
                new Header("Date", DATE)));
    assertThat(scheme.signature(Account.DEVELOPMENT_NAME, Account.DEVELOPMENT_KEY, request))
        .isEqualTo(signature);
  }

  @ParameterizedTest
  @CsvSource({"SHARED_KEY, g91u+hMHcgyARMV+j241a0pAj/3AizxcO2aoJy0IXEU="})
  void queuesAreSignedWithAllTheirHeadersAndParameters(Signing scheme, String signature) {
    Signed request =
        new Signed(
            StorageService.QUEUE,
            "POST",
            "/devstoreaccount1/orders/messages?messagettl=3600&visibilitytimeout=5",
            List.of(
                new Header("x-ms-version", "2025-01-05"),
                new Header("Content-Length", "97"),
                new Header("Content-Type", "application/xml"),
                new Header("x-ms-date", "Sun, 01 Mar 2026 12:00:00 GMT")));
    assertThat(scheme.signature(Account.DEVELOPMENT_NAME, Account.DEVELOPMENT_KEY, request))
        .isEqualTo(signature);
  }

  /** The test vectors of blob-rest 7. */
  @Test
  void blobsAreSignedWithTheirConditionsAndRepeatedParameters() {
    Header date = new Header("x-ms-date", "Sun, 01 Mar 2026 12:00:00 GMT");
    Header version = new Header("x-ms-version", "2025-01-05");
    Signed put =
        new Signed(
            StorageService.BLOB,
            "PUT",
            "/devstoreaccount1/photos/cats/a%20b.txt",
            List.of(
                date,
                version,
                new Header("Content-Length", "5"),
                new Header("Content-Type", "application/octet-stream"),
                new Header("If-None-Match", "*"),
                new Header("x-ms-blob-type", "BlockBlob"),
                new Header("x-ms-meta-owner", "ann")));
    Signed list =
        new Signed(
            StorageService.BLOB,
            "GET",
            "/photos?restype=container&comp=list&include=metadata&include=copy&prefix=cats%2F",
            List.of(date, version));
    assertThat(List.of(signature(put), signature(list)))
        .containsExactly(
            "6/sa+T9qezBNcEuIo6uomSxYhdpe75Cw9eNK/b6+tI8=",
            "t3ErSeQmlVOgK9UDDm7oJNDvWlXcXt5eCGmR06L6g1g=");
  }

  private static String signature(Signed request) {
    return Signing.SHARED_KEY.signature(Account.DEVELOPMENT_NAME, Account.DEVELOPMENT_KEY, request);
  }
}
