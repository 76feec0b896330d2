package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The answers to wrong requests and to operations that are not offered (blob-rest 1, 3.2 and 15).
 */
class BlobRefusalsWireTest extends BlobWire {
  @ParameterizedTest
  @CsvSource({
    "?comp=block,x,MissingRequiredQueryParameter",
    "?comp=block&blockid=%2A,x,InvalidQueryParameterValue",
    "?comp=block&blockid=MDAx,'',InvalidHeaderValue",
    "?comp=appendblock,'',InvalidHeaderValue",
    "?comp=blocklist,<BlockList><Other>MDAx</Other></BlockList>,InvalidXmlDocument",
    "?comp=blocklist,<BlockList><Latest>!</Latest></BlockList>,InvalidBlockId",
    "?comp=blocklist,<BlockList>,InvalidXmlDocument",
    "?comp=blocklist,<BlockList><Latest>MD<x />Ax</Latest></BlockList>,InvalidXmlDocument",
    "?comp=tags,<Tags><TagSet><Tag><Key>k</Key><Value>v<x /></Value></Tag></TagSet></Tags>,"
        + "InvalidXmlDocument",
    "'',x,MissingRequiredHeader",
    "?comp=tier,'',MissingRequiredHeader",
    "?comp=lease,'',MissingRequiredHeader",
    "?comp=nonsense,'',InvalidQueryParameterValue",
  })
  void theErrorNamesTheMistake(String query, String body, String code) {
    assertRefused(server.owner("PUT", blob + query, body), 400, code);
  }

  @ParameterizedTest
  @CsvSource({
    "/x/a%01,400,InvalidResourceName",
    "/Upper/a,400,InvalidResourceName",
    "/ab/a,400,OutOfRangeInput",
    "/missing/a,404,ContainerNotFound",
    "/alone,404,ContainerNotFound",
    "/%2Fx/a,400,InvalidUri",
  })
  void namesAreChecked(String path, int status, String code) {
    String full = path.replace("/x/", container + "/");
    assertRefused(server.owner("GET", full, ""), status, code);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT,?comp=incrementalcopy",
    "POST,?comp=query",
    "PUT,?comp=legalhold",
  })
  void anOperationThatIsNotOfferedIsRefusedByName(String method, String query) {
    assertRefused(server.owner(method, blob + query, ""), 501, "NotImplemented");
  }

  @Test
  void theAccountKeyGetsNoUserDelegationKey() {
    assertRefused(
        server.owner("POST", "?restype=service&comp=userdelegationkey", ""),
        403,
        "AuthenticationFailed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-ms-structured-body: XSM/1.0; properties=crc64",
        "x-ms-encryption-key: abc",
        "x-ms-encryption-key-sha256: abc",
        "x-ms-immutability-policy-until-date: Sun, 01 Mar 2026 12:00:00 GMT",
        "x-ms-legal-hold: true",
        "x-ms-encryption-scope: mine",
      })
  void headersThatChangeTheMeaningAreRefused(String header) {
    Answer refused = put(blob, "x", header);
    assertRefused(refused, 400, "UnsupportedHeader");
    assertThat(refused.body())
        .contains("<HeaderName>" + header.split(":", -1)[0] + "</HeaderName>");
    assertRefused(server.owner("HEAD", blob, ""), 404, "BlobNotFound");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-13-01", "2025-00-01", "2025-01-32", "2025-1-01", "latest"})
  void aVersionIsADate(String version) {
    Answer refused = server.owner("GET", list(""), "", "x-ms-version: " + version);
    assertRefused(refused, 400, "InvalidHeaderValue");
    assertThat(refused.body()).contains("<HeaderValue>" + version + "</HeaderValue>");
  }

  @Test
  void harmlessHeadersAreNotLookedAt() {
    assertThat(
            put(
                    blob,
                    "x",
                    "x-ms-legal-hold: false",
                    "x-ms-encryption-scope: $account-encryption-key",
                    "x-ms-upn: true")
                .status())
        .isEqualTo(201);
  }
}
