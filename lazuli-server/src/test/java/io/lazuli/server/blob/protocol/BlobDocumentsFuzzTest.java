package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Mutations;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.fuzz.Fuzz;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Damaged block lists, tags, policies, properties and batches. A refused document changes nothing,
 * and an accepted one reads back equal.
 */
class BlobDocumentsFuzzTest extends BlobFuzz {
  private static final Pattern INNER_STATUS = Pattern.compile("(?m)^HTTP/1.1 (\\d{3}) ");
  private static final List<Integer> INNER_STATUSES =
      List.of(200, 202, 400, 401, 403, 404, 405, 409, 412, 501);

  private static final Mutations BLOCK_LISTS =
      new Mutations(
          List.of(
              "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><Latest>QUFB</Latest>"
                  + "<Uncommitted>QUFD</Uncommitted><Committed>QUFC</Committed></BlockList>",
              "<BlockList><Latest>QUFB</Latest><Latest>QUFB</Latest></BlockList>",
              "<BlockList />"),
          "<Latest>QUFE</Latest>",
          "<Committed>",
          "QUFD",
          "<![CDATA[QUFB]]>",
          "<!-- -->",
          "<!DOCTYPE a [<!ENTITY b \"c\">]>",
          "&lt;",
          "&#81;");
  private static final Mutations TAGS =
      new Mutations(
          List.of(
              "<Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag><Tag><Key>b c</Key>"
                  + "<Value>x+-./:=_</Value></Tag></TagSet></Tags>",
              "<Tags><TagSet /></Tags>"),
          "<Tag><Key>k</Key><Value /></Tag>",
          "<TagSet>",
          "é",
          "&amp;");
  private static final Mutations POLICIES =
      new Mutations(
          List.of(
              "<SignedIdentifiers><SignedIdentifier><Id>p</Id><AccessPolicy><Start>2024-01-01"
                  + "</Start><Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>rwdl"
                  + "</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>",
              "<SignedIdentifiers />"),
          "<SignedIdentifier><Id>q</Id></SignedIdentifier>",
          "<AccessPolicy />",
          "racwdxyltmeopi");
  private static final Mutations PROPERTIES =
      new Mutations(
          List.of(
              "<StorageServiceProperties><Logging><Version>1.0</Version><Delete>true</Delete>"
                  + "<Read>false</Read><Write>true</Write><RetentionPolicy><Enabled>true</Enabled>"
                  + "<Days>7</Days></RetentionPolicy></Logging><DeleteRetentionPolicy><Enabled>false"
                  + "</Enabled></DeleteRetentionPolicy><StaticWebsite><Enabled>false</Enabled>"
                  + "</StaticWebsite><DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"
                  + "</StorageServiceProperties>",
              "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>http://a.example"
                  + "</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods><AllowedHeaders>x-ms-*"
                  + "</AllowedHeaders><ExposedHeaders>*</ExposedHeaders><MaxAgeInSeconds>5"
                  + "</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>"),
          "<Cors />",
          "<Days>366</Days>",
          "<Enabled>true</Enabled>",
          "<DefaultServiceVersion>");

  @Test
  void blockLists() {
    int[] accepted = new int[1];
    Fuzz.run(
        350,
        BLOCK_LISTS::next,
        body -> {
          created("/fuzzed/b?comp=block&blockid=QUFB", "one");
          created("/fuzzed/b?comp=block&blockid=QUFC", "two");
          created(
              "/fuzzed/b?comp=blocklist",
              "<BlockList><Latest>QUFB</Latest><Latest>QUFC</Latest></BlockList>");
          created("/fuzzed/b?comp=block&blockid=QUFD", "three");
          String before = got("/fuzzed/b?comp=blocklist&blocklisttype=all");
          Answer answer = server.ownerOfBytes("PUT", "/fuzzed/b?comp=blocklist", body);
          if (isAccepted(answer)) {
            accepted[0]++;
            assertThat(got("/fuzzed/b")).isEqualTo(ofBlocks(body.replaceAll("<!--.*?-->", "")));
          } else {
            assertThat(got("/fuzzed/b")).isEqualTo("onetwo");
            assertThat(got("/fuzzed/b?comp=blocklist&blocklisttype=all")).isEqualTo(before);
          }
        });
    assertThat(accepted[0] > 0 || Integer.getInteger("fuzz.rounds") != null).isTrue();
  }

  /** Returns the content of the committed blocks; each must be in the request. */
  private String ofBlocks(String asked) {
    StringBuilder content = new StringBuilder();
    Matcher names = LISTED_NAME.matcher(got("/fuzzed/b?comp=blocklist"));
    while (names.find()) {
      String id = names.group(1);
      assertThat(asked.contains(id) || asked.contains("&#")).as(id).isTrue();
      content.append(
          switch (id) {
            case "QUFB" -> "one";
            case "QUFC" -> "two";
            case "QUFD" -> "three";
            default -> throw new AssertionError("there is no block " + id);
          });
    }
    return content.toString();
  }

  @Test
  void documentsThatAreKept() {
    String tags = "/fuzzed/keep?comp=tags";
    String policies = "/fuzzed?restype=container&comp=acl";
    String properties = "/?comp=properties&restype=service";
    Fuzz.run(400, TAGS::next, body -> assertKept(tags, body));
    Fuzz.run(400, POLICIES::next, body -> assertKept(policies, body));
    Fuzz.run(400, PROPERTIES::next, body -> assertKept(properties, body));
    assertThat(got("/fuzzed/keep")).isEqualTo(CONTENT);
  }

  /**
   * Checks that an accepted document is returned in a form that, sent again, is returned unchanged.
   */
  private void assertKept(String path, String body) {
    String before = got(path);
    if (isAccepted(server.ownerOfBytes("PUT", path, body))) {
      String kept = got(path);
      assertThat(isAccepted(server.owner("PUT", path, kept))).as(kept).isTrue();
      assertThat(got(path)).isEqualTo(kept);
    } else {
      assertThat(got(path)).isEqualTo(before);
    }
  }

  @Test
  void batches() {
    String token = WireServer.accountToken("b", "sco", "rwdlacup");
    Mutations mutations =
        new Mutations(
            List.of(batch(part("DELETE", "/fuzzed/a", token), part("DELETE", "/fuzzed/b", token))),
            "--batch_1\r\n",
            "--batch_1--",
            "Content-ID: 1\r\n",
            "PUT /devstoreaccount1/fuzzed/a?comp=tier",
            "GET ",
            " HTTP/1.1",
            "Content-Length: 5\r\n",
            "x-ms-access-tier: Hot\r\n");
    Fuzz.run(
        300,
        mutations::next,
        body -> {
          created("/fuzzed/a", "a", BLOCK_BLOB);
          created("/fuzzed/b", "b", BLOCK_BLOB);
          String type = "Content-Type: multipart/mixed; boundary=batch_1";
          Answer answer = server.ownerOfBytes("POST", "/?comp=batch", body, type);
          if (isAccepted(answer)) {
            assertThat(answer.status()).isEqualTo(202);
            assertParts(answer.body());
          } else {
            assertThat(got("/fuzzed/a") + got("/fuzzed/b")).isEqualTo("ab");
          }
        });
    assertThat(got("/fuzzed/keep")).isEqualTo(CONTENT);
  }

  private static void assertParts(String body) {
    Matcher status = INNER_STATUS.matcher(body);
    assertThat(status.find()).as(body).isTrue();
    do {
      assertThat(Integer.parseInt(status.group(1))).as(body).isIn(INNER_STATUSES);
    } while (status.find());
  }

  private static String part(String method, String path, String token) {
    return "--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
        + "Content-ID: 0\r\n\r\n"
        + method
        + " /devstoreaccount1"
        + path
        + "?"
        + token
        + " HTTP/1.1\r\nx-ms-version: 2025-01-05\r\nContent-Length: 0\r\n\r\n";
  }

  private static String batch(String... parts) {
    return String.join("", parts) + "--batch_1--\r\n";
  }
}
