package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Find Blobs by Tags on the wire (blob-features 1.4 and 1.5). */
class FindBlobsWireTest extends BlobWire {
  private Answer find(String where, String more) {
    return server.owner(
        "GET", container + "?restype=container&comp=blobs&where=" + encoded(where) + more, "");
  }

  private static String names(Answer found) {
    return Pattern.compile("<Name>([^<]*)</Name>")
        .matcher(found.body())
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.joining(" "));
  }

  private static String encoded(String where) {
    return URLEncoder.encode(where, StandardCharsets.UTF_8);
  }

  @Test
  void theAnswerHasTheFormOfAzure() {
    put(blob, "x", "x-ms-tags: k=v%2B1&l=2");
    Answer found = find("\"k\"='v+1'", "&include=versions");
    assertThat(found.status()).isEqualTo(200);
    assertThat(found.header("Content-Type")).isEqualTo("application/xml");
    assertThat(found.body())
        .isEqualTo(
            HEAD
                + "<EnumerationResults ServiceEndpoint=\"http://localhost/devstoreaccount1/\">"
                + "<Where>\"k\"='v+1'</Where><Blobs><Blob><Name>a/b.txt</Name><ContainerName>"
                + name
                + "</ContainerName><Tags><TagSet><Tag><Key>k</Key><Value>v+1</Value></Tag>"
                + "</TagSet></Tags></Blob></Blobs><NextMarker /></EnumerationResults>");
    assertThat(
            server
                .owner(
                    "GET",
                    "?comp=blobs&where=" + encoded("@container='" + name + "' AND l='2'"),
                    "")
                .body())
        .contains("<Name>a/b.txt</Name>", "<Key>l</Key><Value>2</Value>");
  }

  @Test
  void pagesGoOn() {
    for (String each : new String[] {"p1", "p2", "p3"}) {
      put(container + "/" + each, "x", "x-ms-tags: k=1");
    }
    Answer first = find("k='1'", "&maxresults=2");
    assertThat(names(first)).isEqualTo("p1 p2");
    assertThat(names(find("k='1'", "&maxresults=2&marker=" + marker(first)))).isEqualTo("p3");
    for (String marker : new String[] {"x", "1!", "1!AAAA", "1!AAAAAAAAAAAAAAAAAAA", "1!%%%"}) {
      assertRefused(find("k='1'", "&marker=" + encoded(marker)), 400, "OutOfRangeInput");
    }
  }

  @Test
  void anExpressionThatCannotBeReadIsExplained() {
    Answer refused = find("k='1' OR k='2'", "");
    assertRefused(refused, 400, "InvalidQueryParameterValue");
    assertThat(refused.body())
        .contains("Error parsing query at or near character position 7: unexpected 'OR'")
        .contains("<QueryParameterName>where</QueryParameterName>")
        .contains("<QueryParameterValue>k='1' OR k='2'</QueryParameterValue>");
    assertRefused(find("k='1'", "&include=other"), 400, "InvalidQueryParameterValue");
    assertRefused(find("@container='x'", ""), 400, "InvalidQueryParameterValue");
    assertRefused(server.owner("GET", "?comp=blobs", ""), 400, "MissingRequiredQueryParameter");
    assertRefused(
        server.owner("GET", "/missing?restype=container&comp=blobs&where=k%3D'1'", ""),
        404,
        "ContainerNotFound");
  }
}
