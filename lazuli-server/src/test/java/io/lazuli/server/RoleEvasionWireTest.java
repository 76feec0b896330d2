package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import io.lazuli.server.account.Account;
import io.lazuli.server.auth.SasMaker;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.identity.TestTokens;
import io.lazuli.server.role.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways around roles and around no-shared-key that somebody may try. */
class RoleEvasionWireTest {
  private static final String BLOB = "x-ms-blob-type: BlockBlob";
  private static final String USER = "55555555-5555-4555-8555-555555555555";
  private static final String TENANT = "22222222-2222-4222-8222-222222222222";

  @TempDir private Path folder;

  @Test
  void aFieldOfDelegationDoesNotHideASignatureWithTheAccountKey() throws IOException {
    try (TokenServer server =
        TokenServer.start(folder, ServerConfig.builder().engine("memory").noSharedKey(true))) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("ss", "bqt");
      fields.put("srt", "sco");
      fields.put("sp", "rwl");
      fields.put("se", TokenServer.inAnHour());
      String sas = SasMaker.ofAccount(Account.development(), fields);
      for (String hidden : List.of("", "&skoid=", "&skoid=&sduoid=", "&SKOID=x", "&skoid=%20")) {
        for (String token : List.of("", server.token("anybody"))) {
          TokenServer.Answer answer =
              server.ask(
                  token.isEmpty() ? null : token,
                  "blob",
                  "PUT",
                  "/own?restype=container&" + sas + hidden,
                  "x-ms-meta-a: b");
          assertThat(answer.status()).as(hidden).isEqualTo(403);
        }
      }
    }
  }

  @Test
  void theScopeOfARoleIsAWholeName() throws IOException {
    try (TokenServer server = start()) {
      server.assign("pho", Role.BLOB_DATA_OWNER, "devstoreaccount1/blob/pho");
      server.assign("ord", Role.TABLE_DATA_CONTRIBUTOR, "devstoreaccount1/table/ord");
      server.assign("tas", Role.QUEUE_DATA_CONTRIBUTOR, "devstoreaccount1/queue/tas");
      server.awaitRoles();
      for (String path : List.of("/photos/a", "/pho%2Ftos/a", "/pho/../photos/a", "/photos%2Fa")) {
        assertThat(status(server, "pho", "blob", "GET", path)).as(path).isNotEqualTo(200);
      }
      assertThat(status(server, "pho", "blob", "GET", "/photos?restype=container&comp=list"))
          .isEqualTo(403);
      assertThat(status(server, "pho", "blob", "GET", "/?comp=list")).isEqualTo(403);
      assertThat(status(server, "pho", "blob", "GET", "/?comp=blobs&where=%22a%22%3D%27b%27"))
          .isEqualTo(403);
      assertThat(status(server, "ord", "table", "GET", "/orders()")).isEqualTo(403);
      assertThat(status(server, "ord", "table", "GET", "/Tables")).isEqualTo(403);
      assertThat(status(server, "tas", "queue", "GET", "/tasks/messages")).isEqualTo(403);
    }
  }

  @Test
  void aContainerIsRestoredByThoseWhoMayChangeTheDeletedOne() throws IOException {
    try (TokenServer server =
        TokenServer.start(
            folder, ServerConfig.builder().engine("memory").containerRetentionDays(7))) {
      server.assign("owner", Role.BLOB_DATA_OWNER, "devstoreaccount1");
      server.assign("own", Role.BLOB_DATA_CONTRIBUTOR, "devstoreaccount1/blob/own");
      server.awaitRoles();
      assertThat(status(server, "owner", "blob", "PUT", "/secret?restype=container"))
          .isEqualTo(201);
      assertThat(status(server, "owner", "blob", "DELETE", "/secret?restype=container"))
          .isEqualTo(202);
      String list =
          server.ask(server.token("owner"), "blob", "GET", "/?comp=list&include=deleted").body();
      Matcher version = Pattern.compile("<Version>([^<]+)</Version>").matcher(list);
      assertThat(version.find()).as(list).isTrue();
      String[] restore = {
        "x-ms-deleted-container-name: secret", "x-ms-deleted-container-version: " + version.group(1)
      };
      String target = "/own?restype=container&comp=undelete";
      assertThat(server.ask(server.token("own"), "blob", "PUT", target, restore).code())
          .isEqualTo("AuthorizationPermissionMismatch");
      assertThat(server.ask(server.token("owner"), "blob", "PUT", target, restore).status())
          .isEqualTo(201);
    }
  }

  @Test
  void aCopyReadsOnlyWhatTheCallerMayRead() throws IOException {
    try (TokenServer server = start()) {
      server.assign("own", Role.BLOB_DATA_CONTRIBUTOR, "devstoreaccount1/blob/own");
      server.awaitRoles();
      server.ask(server.token("owner"), "blob", "PUT", "/own?restype=container");
      String source = "x-ms-copy-source: " + server.url("blob", "/photos/a");
      for (String[] how :
          List.of(
              new String[] {source},
              new String[] {source, BLOB},
              new String[] {source, "x-ms-copy-source-authorization: Bearer x"},
              new String[] {
                source, "x-ms-copy-source-authorization: Bearer " + server.token("nobody")
              })) {
        assertThat(server.ask(server.token("own"), "blob", "PUT", "/own/b", how).status())
            .as(List.of(how).toString())
            .isIn(401, 403, 404);
      }
      assertThat(status(server, "own", "blob", "GET", "/own/b")).isEqualTo(404);
    }
  }

  @Test
  void everyPartOfABatchIsAuthorisedByItself() throws IOException {
    try (TokenServer server = start()) {
      String owner = server.token("owner");
      String nobody = server.token("nobody");
      assertThat(batch(server, owner, "")).contains("NoAuthenticationInformation");
      assertThat(batch(server, owner, "Authorization: Bearer " + nobody + "\r\n"))
          .contains("AuthorizationPermissionMismatch");
      assertThat(status(server, "owner", "blob", "GET", "/photos/a")).isEqualTo(200);
      assertThat(batch(server, nobody, "Authorization: Bearer " + owner + "\r\n"))
          .contains("HTTP/1.1 202");
      assertThat(status(server, "owner", "blob", "GET", "/photos/a")).isEqualTo(404);
    }
  }

  @Test
  void anIssuerDoesNotSpeakForTheUsersOfAnotherOne() throws IOException {
    try (TokenServer server = start()) {
      JWTClaimsSet claims =
          TestTokens.claims(Instant.now())
              .subject("owner")
              .claim("oid", USER)
              .claim("tid", TENANT)
              .build();
      JWTClaimsSet forged =
          new JWTClaimsSet.Builder(claims).issuer(TestTokens.OTHER_ISSUER).build();
      String honest = TestTokens.signed(claims);
      String other =
          TestTokens.signed(forged, JWSAlgorithm.RS256, TestTokens.OTHER_RSA, header -> header);
      String body = "\n<KeyInfo><Expiry>" + TokenServer.inAnHour() + "</Expiry></KeyInfo>";
      String target = "/?restype=service&comp=userdelegationkey";
      String one = server.ask(honest, "blob", "POST", target, body).body();
      String two = server.ask(other, "blob", "POST", target, body).body();
      assertThat(text(one, "SignedOid")).isEqualTo(text(two, "SignedOid")).isEqualTo(USER);
      assertThat(text(one, "SignedTid")).isNotEqualTo(text(two, "SignedTid"));
    }
  }

  @Test
  void onlyTheHeaderAuthorizationCarriesATokenAndOnlyOnce() throws IOException {
    try (TokenServer server = start()) {
      String owner = server.token("owner");
      for (String name : List.of("access_token", "token", "authorization", "Authorization")) {
        String target = "/photos/a?" + name + "=Bearer%20" + owner;
        assertThat(server.ask(null, "blob", "GET", target).status()).as(name).isEqualTo(401);
      }
      // The first of two headers counts, whatever the second one is.
      TokenServer.Answer twice =
          server.ask(
              server.token("nobody"), "blob", "GET", "/photos/a", "Authorization: Bearer " + owner);
      assertThat(twice.status()).isEqualTo(403);
      // A signature in the query adds nothing to a token.
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("ss", "b");
      fields.put("srt", "sco");
      fields.put("sp", "r");
      fields.put("se", TokenServer.inAnHour());
      String sas = SasMaker.ofAccount(Account.development(), fields);
      assertThat(status(server, "nobody", "blob", "GET", "/photos/a?" + sas)).isEqualTo(403);
    }
  }

  private TokenServer start() throws IOException {
    TokenServer server = TokenServer.start(folder, ServerConfig.builder().engine("memory"));
    server.assign("owner", Role.BLOB_DATA_OWNER, "devstoreaccount1");
    server.assign("owner", Role.QUEUE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.assign("owner", Role.TABLE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.awaitRoles();
    String owner = server.token("owner");
    server.ask(owner, "blob", "PUT", "/photos?restype=container");
    server.ask(owner, "blob", "PUT", "/photos/a", BLOB);
    server.ask(owner, "queue", "PUT", "/tasks");
    server.ask(owner, "table", "POST", "/Tables", "{\"TableName\":\"orders\"}");
    return server;
  }

  private static int status(
      TokenServer server, String subject, String service, String method, String target) {
    return server.ask(server.token(subject), service, method, target).status();
  }

  /** Deletes a blob in a batch of one part with its own credentials; returns the answer. */
  private static String batch(TokenServer server, String token, String credentials) {
    String part =
        "--x\r\nContent-Type: application/http\r\n\r\nDELETE /devstoreaccount1/photos/a HTTP/1.1\r\n"
            + "x-ms-version: 2025-01-05\r\n"
            + credentials
            + "\r\n--x--\r\n";
    TokenServer.Answer answer =
        server.ask(
            token,
            "blob",
            "POST",
            "/?comp=batch",
            "Content-Type: multipart/mixed; boundary=x",
            "\n" + part);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return answer.body();
  }

  private static String text(String xml, String name) {
    Matcher found = Pattern.compile("<" + name + ">([^<]*)</").matcher(xml);
    assertThat(found.find()).as(xml).isTrue();
    return found.group(1);
  }
}
