package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.RawConnection.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listings of blobs, and the names in them (blob-rest 3.1 and 13). */
class BlobListWireTest extends BlobWire {
  @Test
  void aBlobIsListedWithEveryElement() {
    put(blob, "hello world", "x-ms-meta-number: 1");
    Answer list = server.owner("GET", list("&include=metadata"), "");
    assertThat(list.header("Content-Type")).isEqualTo("application/xml");
    assertThat(list.body())
        .matches(
            "\\Q"
                + HEAD
                + "\\E<EnumerationResults ServiceEndpoint=\"http://localhost/devstoreaccount1/\""
                + " ContainerName=\""
                + name
                + "\"><Blobs><Blob><Name>a/b.txt</Name><Properties>"
                + "<Creation-Time>[^<]+ GMT</Creation-Time><Last-Modified>[^<]+ GMT</Last-Modified>"
                + "<Etag>0x[0-9A-F]+</Etag>\\Q<Content-Length>11</Content-Length>"
                + "<Content-Type>application/octet-stream</Content-Type><Content-Encoding />"
                + "<Content-Language /><Content-CRC64 /><Content-MD5>"
                + HELLO_MD5
                + "</Content-MD5><Cache-Control /><Content-Disposition />"
                + "<BlobType>BlockBlob</BlobType><AccessTier>Hot</AccessTier>"
                + "<AccessTierInferred>true</AccessTierInferred><LeaseStatus>unlocked</LeaseStatus>"
                + "<LeaseState>available</LeaseState><ServerEncrypted>true</ServerEncrypted>"
                + "</Properties><Metadata><number>1</number></Metadata><OrMetadata /></Blob></Blobs>"
                + "<NextMarker /></EnumerationResults>\\E");
  }

  @ParameterizedTest
  @CsvSource({
    "&delimiter=/,a.txt b/ z",
    "&delimiter=%2F&prefix=b/,b/1 b/2 b/c/",
    "&prefix=b,b/1 b/2 b/c/3",
    "&delimiter=,a.txt b/1 b/2 b/c/3 z",
    "&prefix=none,''",
  })
  void listingsGroupByDelimiter(String query, String expected) {
    for (String each : List.of("a.txt", "b/1", "b/2", "b/c/3", "z")) {
      put(container + "/" + each, "x");
    }
    assertThat(names(server.owner("GET", list(query), ""))).isEqualTo(expected);
  }

  @Test
  void aPageGoesOnBehindItsGroup() {
    for (String each : List.of("a.txt", "b/1", "b/2", "z")) {
      put(container + "/" + each, "x");
    }
    Answer first = server.owner("GET", list("&delimiter=/&maxresults=2"), "");
    assertThat(names(first)).isEqualTo("a.txt b/");
    assertThat(first.body())
        .contains("<MaxResults>2</MaxResults><Delimiter>/</Delimiter>", "<BlobPrefix><Name>b/<");
    Answer next =
        server.owner("GET", list("&delimiter=/&maxresults=2&marker=" + marker(first)), "");
    assertThat(names(next)).isEqualTo("z");
    assertThat(next.body()).contains("<NextMarker />");
    assertRefused(server.owner("GET", list("&marker=x"), ""), 400, "OutOfRangeInput");
  }

  @Test
  void theListingShowsIncludedParts() {
    put(blob, "x", "x-ms-tags: k=v");
    Answer taken = server.owner("PUT", blob + "?comp=snapshot", "");
    server.owner("PUT", container + "/waiting?comp=block&blockid=MDAx", "x");
    Answer list =
        server.owner(
            "GET", list("&include=snapshots,tags&include=uncommittedblobs%2Ccopy,versions"), "");
    assertThat(names(list)).isEqualTo("a/b.txt a/b.txt waiting");
    assertThat(list.body())
        .contains("<Name>a/b.txt</Name><Snapshot>" + taken.header("x-ms-snapshot") + "</Snapshot>")
        .contains("<TagCount>1</TagCount>")
        .contains("<Tags><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tags>")
        .contains(
            "<Name>waiting</Name><Properties><Content-Length>0</Content-Length>"
                + "<BlobType>BlockBlob</BlobType>")
        .doesNotContain("<Metadata>");
    String snapshot = list.body().split("</Blob>", -1)[0];
    assertThat(snapshot).contains("<Snapshot>").doesNotContain("LeaseState");
    assertRefused(
        server.owner("GET", list("&include=snapshots&delimiter=/"), ""),
        400,
        "InvalidQueryParameterValue");
  }

  @ParameterizedTest
  @CsvSource({
    "/dir%2Fa%20b%2B%C3%BC.txt,/dir/a%20b+%C3%BC.txt,dir/a b+ü.txt",
    "/../x/./y//z,/..%2Fx/.%2Fy%2F%2Fz,../x/./y//z",
    "/a%23%3F%25.txt.,/%61%23%3F%25.txt.,a#?%.txt.",
    "/dir/,/dir%2F,dir/",
    "/%26%3C%3E,/%26%3C%3E,&amp;&lt;&gt;",
  })
  void slashesAreTheSameEscapedOrNot(String written, String read, String listed) {
    put(container + written, "x");
    assertThat(server.owner("GET", container + read, "").body()).isEqualTo("x");
    assertThat(names(server.owner("GET", list(""), ""))).isEqualTo(listed);
  }

  @Test
  void namesThatXmlCannotCarryAreListedEscaped() {
    put(container + "/a%EF%BF%BE", "x");
    assertThat(server.owner("GET", list(""), "").body())
        .contains("<Name Encoded=\"true\">a%EF%BF%BE</Name>");
  }

  private static String names(Answer list) {
    List<String> names = new ArrayList<>();
    Matcher matcher = Pattern.compile("<Name>([^<]*)</Name>").matcher(list.body());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return String.join(" ", names);
  }
}
