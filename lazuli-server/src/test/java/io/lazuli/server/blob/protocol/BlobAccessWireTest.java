package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The permissions of account keys, signatures of every kind, policies and anonymous callers
 * (blob-rest 7).
 */
class BlobAccessWireTest {
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  private static WireServer server;
  private static int made;

  private String name;
  private String container;
  private String blob;

  @BeforeAll
  static void start() {
    server = WireServer.ofBlobs();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void makeBlob() {
    name = "access-" + ++made;
    container = "/" + name + "?restype=container";
    blob = "/" + name + "/a b.txt".replace(" ", "%20");
    server.owner("PUT", container, "");
    server.owner("PUT", blob, "content", BLOCK_BLOB);
    server.owner("PUT", "/" + name + "/log", "", "x-ms-blob-type: AppendBlob");
  }

  private String ofContainer(String permissions) {
    return WireServer.blobToken(name, "sr", "c", "sp", permissions);
  }

  private String ofBlob(String permissions) {
    return WireServer.blobToken(name + "/a b.txt", "sr", "b", "sp", permissions);
  }

  /**
   * The requests in the order of the table in blob-rest 7, each with the letters that permit it.
   */
  private Map<String, String> letters() {
    Map<String, String> letters = new LinkedHashMap<>();
    letters.put("GET " + blob, "r");
    letters.put("HEAD " + blob, "r");
    letters.put("GET " + blob + "?comp=metadata", "r");
    letters.put("GET " + blob + "?comp=blocklist", "r");
    letters.put("GET " + container + "&comp=list", "l");
    letters.put("PUT /" + name + "/new", "cw");
    letters.put("PUT " + blob + "?comp=block&blockid=MDAx", "w");
    letters.put("PUT /" + name + "/staged?comp=block&blockid=MDAx", "cw");
    letters.put("PUT " + blob + "?comp=metadata", "w");
    letters.put("PUT " + blob + "?comp=properties", "w");
    letters.put("PUT " + blob + "?comp=tier", "w");
    letters.put("PUT /" + name + "/log?comp=appendblock", "aw");
    letters.put("PUT " + blob + "?comp=snapshot", "cw");
    letters.put("GET " + blob + "?comp=tags", "t");
    letters.put("DELETE /" + name + "/new", "d");
    return letters;
  }

  private Answer ask(String token, String line) {
    String[] parts = line.split(" ", 2);
    boolean brings = parts[1].contains("comp=block&") || parts[1].contains("appendblock");
    return server.holder(
        token,
        parts[0],
        parts[1],
        brings ? "x" : "",
        BLOCK_BLOB,
        "x-ms-access-tier: Hot",
        "x-ms-version: 2025-01-05");
  }

  @Test
  void eachLetterOfAContainersSignatureOpensItsOperationsAndNoOther() {
    letters()
        .forEach(
            (line, opening) -> {
              for (char letter : "rlcwadt".toCharArray()) {
                Answer answer = ask(ofContainer(String.valueOf(letter)), line);
                boolean open = opening.indexOf(letter) >= 0;
                assertThat(answer.status() < 300)
                    .as(line + " with " + letter + ": " + answer.header("x-ms-error-code"))
                    .isEqualTo(open);
                if (!open) {
                  assertThat(answer.status()).isEqualTo(403);
                  assertThat(answer.header("x-ms-error-code"))
                      .isEqualTo("AuthorizationPermissionMismatch");
                }
                if (line.endsWith("/new") && line.startsWith("PUT")) {
                  server.owner("DELETE", "/" + name + "/new", "");
                }
                if (line.startsWith("DELETE")) {
                  server.owner("PUT", "/" + name + "/new", "x", BLOCK_BLOB);
                }
              }
              if (line.startsWith("GET " + blob + "?comp=tags")) {
                server.owner("PUT", "/" + name + "/new", "x", BLOCK_BLOB);
              }
            });
  }

  @Test
  void createPermissionDoesNotOverwrite() {
    String create = ofContainer("c");
    assertThat(server.holder(create, "PUT", "/" + name + "/fresh", "x", BLOCK_BLOB).status())
        .isEqualTo(201);
    Answer refused = server.holder(create, "PUT", blob, "x", BLOCK_BLOB);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("UnauthorizedBlobOverwrite");
    Answer list = server.holder(create, "PUT", blob + "?comp=blocklist", "<BlockList/>");
    assertThat(list.status()).isEqualTo(403);
    assertThat(list.header("x-ms-error-code")).isEqualTo("UnauthorizedBlobOverwrite");
    assertThat(server.holder(ofContainer("w"), "PUT", blob, "y", BLOCK_BLOB).status())
        .isEqualTo(201);
  }

  @Test
  void aBlobsSignatureOpensNothingElse() {
    String token = ofBlob("racwdlt");
    assertThat(server.holder(token, "GET", blob, "").body()).isEqualTo("content");
    for (String other : new String[] {"/" + name + "/log", container + "&comp=list"}) {
      Answer refused = server.holder(token, "GET", other, "");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.header("x-ms-error-code")).isEqualTo("AuthenticationFailed");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,?comp=list",
    "GET,?restype=service&comp=properties",
    "PUT,{c}",
    "DELETE,{c}",
    "GET,{c}",
    "GET,{c}&comp=acl",
    "PUT,{c}&comp=acl",
    "PUT,{c}&comp=metadata",
  })
  void noContainersSignatureOpensWhatIsTheAccounts(String method, String path) {
    Answer refused =
        server.holder(ofContainer("racwdxlt"), method, path.replace("{c}", container), "");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("x-ms-error-code"))
        .isEqualTo(path.startsWith("?") ? "AuthenticationFailed" : "AuthorizationFailure");
  }

  @Test
  void aSnapshotsSignatureOpensThatSnapshotOnly() {
    String first = server.owner("PUT", blob + "?comp=snapshot", "").header("x-ms-snapshot");
    server.owner("PUT", blob, "changed", BLOCK_BLOB);
    String second = server.owner("PUT", blob + "?comp=snapshot", "").header("x-ms-snapshot");
    String token =
        WireServer.blobToken(name + "/a b.txt", "sr", "bs", "sp", "r", "snapshot", first);
    assertThat(server.holder(token, "GET", blob, "").body()).isEqualTo("content");
    String bare = token.replaceAll("&snapshot=[^&]*", "");
    for (String query :
        new String[] {
          "?x=",
          "?snapshot=" + second,
          "?Snapshot=" + second + "&snapshot=" + encoded(first),
          "?Snapshot=&snapshot=" + encoded(first),
          "?snapshot=" + encoded(first) + "&snapshot=" + second,
        }) {
      assertThat(server.holder(bare, "GET", blob + query, "").status()).isEqualTo(403);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void aSignatureSaysHowAnswersLook() {
    String token =
        WireServer.blobToken(
            name,
            "sr",
            "c",
            "sp",
            "r",
            "rscc",
            "no-cache",
            "rscd",
            "attachment; filename=x",
            "rsce",
            "gzip",
            "rscl",
            "fr",
            "rsct",
            "text/html");
    for (String method : new String[] {"GET", "HEAD"}) {
      Answer read = server.holder(token, method, blob, "");
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("Cache-Control")).isEqualTo("no-cache");
      assertThat(read.header("Content-Disposition")).isEqualTo("attachment; filename=x");
      assertThat(read.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(read.header("Content-Language")).isEqualTo("fr");
      assertThat(read.header("Content-Type")).isEqualTo("text/html");
    }
    Answer forged = server.holder(token.replace("html", "plain"), "GET", blob, "");
    assertThat(forged.status()).isEqualTo(403);
    Answer owners = server.owner("GET", blob + "?rsct=text/html", "");
    assertThat(owners.header("Content-Type")).isEqualTo("application/octet-stream");
  }

  @Test
  void aPolicyOpensAndClosesWhatItsSignaturesDo() {
    String token = WireServer.blobToken(name, "sr", "c", "si", "readers");
    assertThat(server.holder(token, "GET", blob, "").status()).isEqualTo(403);
    server.owner("PUT", container + "&comp=acl", policies());
    assertThat(server.holder(token, "GET", blob, "").status()).isEqualTo(200);
    assertThat(server.holder(token, "DELETE", blob, "").status()).isEqualTo(403);
    String ofBlob = WireServer.blobToken(name + "/a b.txt", "sr", "b", "si", "readers");
    assertThat(server.holder(ofBlob, "GET", blob, "").status()).isEqualTo(200);
    server.owner("PUT", container + "&comp=acl", "");
    assertThat(server.holder(token, "GET", blob, "").status()).isEqualTo(403);
  }

  private static String policies() {
    return "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy>"
        + "<Expiry>2034-01-01</Expiry><Permission>r</Permission></AccessPolicy>"
        + "</SignedIdentifier></SignedIdentifiers>";
  }

  @ParameterizedTest
  @CsvSource({
    "GET,?comp=list,s,l",
    "GET,?restype=service&comp=properties,s,r",
    "GET,{c},c,r",
    "PUT,{c}&comp=metadata,c,w",
    "GET,{c}&comp=list,c,l",
    "GET,{b},o,r",
    "PUT,{b}?comp=metadata,o,w",
    "PUT,{b}?comp=snapshot,o,c",
    "DELETE,{b},o,d",
    "PUT,{c}&comp=lease,c,d",
  })
  void anAccountsSignatureNeedsTypeAndLetter(
      String method, String path, String type, String letter) {
    String full = path.replace("{c}", container).replace("{b}", blob);
    String[] breaks = {"x-ms-lease-action: break"};
    Answer granted =
        server.holder(WireServer.accountToken("b", type, letter), method, full, "", breaks);
    assertThat(granted.status() < 300 || "LeaseNotPresentWithLeaseOperation".equals(code(granted)))
        .isTrue();
    String others = "sco".replace(type, "");
    assertThat(
            code(
                server.holder(
                    WireServer.accountToken("b", others, letter), method, full, "", breaks)))
        .isEqualTo("AuthorizationResourceTypeMismatch");
    assertThat(
            code(server.holder(WireServer.accountToken("b", type, "p"), method, full, "", breaks)))
        .isEqualTo("AuthorizationPermissionMismatch");
    assertThat(
            code(
                server.holder(
                    WireServer.accountToken("q", type, letter), method, full, "", breaks)))
        .isEqualTo("AuthorizationServiceMismatch");
  }

  private static String code(Answer answer) {
    return answer.header("x-ms-error-code");
  }

  @Test
  void aCallerWithoutCredentialsIsChallenged() {
    for (String path : new String[] {blob, container, "?comp=list", "/none/none"}) {
      Answer refused = server.anybody("GET", path, "", "x-ms-version: 2025-01-05");
      assertThat(refused.status()).isEqualTo(401);
      assertThat(code(refused)).isEqualTo("NoAuthenticationInformation");
      assertThat(refused.header("WWW-Authenticate")).startsWith("Bearer");
      Answer older = server.anybody("GET", path, "", "x-ms-version: 2018-03-28");
      assertThat(older.status()).isEqualTo(404);
      assertThat(code(older)).isEqualTo("ResourceNotFound");
    }
  }

  @Test
  void anybodyReadsWhatTheOwnerOpened() {
    String acl = container + "&comp=acl";
    server.owner("PUT", acl, "", "x-ms-blob-public-access: blob");
    assertThat(server.anybody("GET", blob, "").body()).isEqualTo("content");
    assertThat(server.anybody("HEAD", blob, "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", blob + "?comp=blocklist", "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", blob + "?comp=blocklist&blocklisttype=committed", "").status())
        .isEqualTo(200);
    assertThat(server.anybody("GET", blob + "?comp=blocklist&blocklisttype=all", "").status())
        .isEqualTo(401);
    assertThat(server.anybody("GET", blob + "?comp=tags", "").status()).isEqualTo(401);
    assertThat(server.anybody("GET", container + "&comp=list", "").status()).isEqualTo(401);
    assertThat(server.anybody("GET", container, "").status()).isEqualTo(401);
    server.owner("PUT", acl, "", "x-ms-blob-public-access: container");
    assertThat(server.anybody("GET", container + "&comp=list", "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", container, "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", acl, "").status()).isEqualTo(401);
    assertThat(server.anybody("PUT", blob, "x", BLOCK_BLOB).status()).isEqualTo(401);
    assertThat(server.anybody("DELETE", blob, "").status()).isEqualTo(401);
    server.owner("PUT", acl, "");
    assertThat(server.anybody("GET", blob, "").status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tags", "metadata,tags", "TAGS", "metadata&include=tags"})
  void tagsAreListedOnlyWithTheirPermission(String include) {
    server.owner("PUT", "/" + name + "/tagged", "x", BLOCK_BLOB, "x-ms-tags: secret=1");
    String list = container + "&comp=list&include=" + include;
    assertMismatch(server.holder(ofContainer("l"), "GET", list, ""));
    assertMismatch(server.holder(ofContainer("rt"), "GET", list, ""));
    assertMismatch(server.holder(WireServer.accountToken("b", "c", "l"), "GET", list, ""));
    for (String token : List.of(ofContainer("lt"), WireServer.accountToken("b", "c", "lt"))) {
      assertThat(server.holder(token, "GET", list, "").body()).contains("<Key>secret</Key>");
    }
    server.owner("PUT", container + "&comp=acl", "", "x-ms-blob-public-access: container");
    assertThat(server.anybody("GET", container + "&comp=list", "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", list, "").status()).isEqualTo(401);
  }

  private static void assertMismatch(Answer refused) {
    assertThat(code(refused)).isEqualTo("AuthorizationPermissionMismatch");
    assertThat(refused.status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "BlockBlob,,x,201",
    "AppendBlob,,'',201",
    ",?comp=blocklist,<BlockList/>,201",
    "BlockBlob,copy,'',201",
    ",copy,'',202",
  })
  void aBlobIsWrittenWithTagsOnlyWithTheirPermission(
      String type, String query, String body, int success) {
    boolean copies = "copy".equals(query);
    List<String> headers = new ArrayList<>();
    if (type != null) {
      headers.add("x-ms-blob-type: " + type);
    }
    if (copies) {
      String source = "http://localhost/devstoreaccount1" + blob + "?" + ofBlob("rt");
      headers.add("x-ms-copy-source: " + source);
    }
    String path = "/" + name + "/new" + (copies || query == null ? "" : query);
    String[] plain = headers.toArray(String[]::new);
    headers.add("x-ms-tags: owner=ann");
    String[] tagged = headers.toArray(String[]::new);
    assertMismatch(server.holder(ofContainer("c"), "PUT", path, body, tagged));
    assertMismatch(server.holder(ofContainer("w"), "PUT", path, body, tagged));
    assertMismatch(
        server.holder(WireServer.accountToken("b", "o", "cw"), "PUT", path, body, tagged));
    assertThat(server.owner("HEAD", "/" + name + "/new", "").status()).isEqualTo(404);
    assertThat(server.holder(ofContainer("c"), "PUT", path, body, plain).status())
        .isEqualTo(success);
    assertThat(server.holder(ofContainer("wt"), "PUT", path, body, tagged).status())
        .isEqualTo(success);
  }

  @Test
  void theTagsOfASourceAreTakenOnlyWithPermissionOnBothSides() {
    String url = "http://localhost/devstoreaccount1" + blob;
    String copy = "/" + name + "/copy";
    String takes = "x-ms-copy-source-tag-option: COPY";
    for (String[] tokens :
        new String[][] {{"c", "rt", "403"}, {"ct", "r", "403"}, {"ct", "rt", "201"}}) {
      Answer answer =
          server.holder(
              ofContainer(tokens[0]),
              "PUT",
              copy,
              "",
              BLOCK_BLOB,
              takes,
              "x-ms-copy-source: " + url + "?" + ofBlob(tokens[1]));
      assertThat(answer.status()).isEqualTo(Integer.parseInt(tokens[2]));
    }
  }

  @Test
  void uncommittedBlobsDoNotExistForAnybody() {
    server.owner("PUT", container + "&comp=acl", "", "x-ms-blob-public-access: container");
    String staged = "/" + name + "/staged";
    assertThat(server.owner("PUT", staged + "?comp=block&blockid=MDAx", "x").status())
        .isEqualTo(201);
    String list = container + "&comp=list&include=uncommittedblobs";
    assertThat(server.holder(ofContainer("l"), "GET", list, "").body()).contains("staged");
    assertThat(server.anybody("GET", list, "").status()).isEqualTo(401);
    assertThat(server.anybody("GET", container + "&comp=list", "").body()).doesNotContain("staged");
    String blocks = staged + "?comp=blocklist";
    assertThat(server.holder(ofContainer("r"), "GET", blocks, "").status()).isEqualTo(200);
    for (String path : List.of(blocks, blocks + "&blocklisttype=committed", staged)) {
      assertThat(server.anybody("GET", path, "").status()).isEqualTo(404);
    }
    for (String type : List.of("uncommitted", "all", "ALL")) {
      assertThat(server.anybody("GET", blocks + "&blocklisttype=" + type, "").status())
          .isEqualTo(401);
    }
  }

  @Test
  void theSignatureOfARequestForOneBlobOpensNoOther() {
    String twice = blob.replace("%20", "%2520");
    server.owner("PUT", twice, "other", BLOCK_BLOB);
    String[] signed = server.credentials("GET", blob).strip().split("\r\n", -1);
    assertThat(server.anybody("GET", blob, "", signed).body()).isEqualTo("content");
    Answer refused = server.anybody("GET", twice, "", signed);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(code(refused)).isEqualTo("AuthenticationFailed");
  }

  @Test
  void aSourceNeedsItsOwnPermission() {
    String writer = ofContainer("cw");
    String url = "http://localhost/devstoreaccount1" + blob;
    String copy = "/" + name + "/copy";
    Answer refused = server.holder(writer, "PUT", copy, "", "x-ms-copy-source: " + url);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(code(refused)).isEqualTo("CannotVerifyCopySource");
    assertThat(copy(writer, copy, url + "?" + ofContainer("l"))).isEqualTo(403);
    assertThat(copy(writer, copy, url + "?" + ofBlob("r"))).isEqualTo(202);
    assertThat(server.owner("HEAD", copy, "").header("x-ms-copy-source"))
        .startsWith(url + "?")
        .endsWith("sig=");
    server.owner("PUT", container + "&comp=acl", "", "x-ms-blob-public-access: blob");
    assertThat(copy(writer, copy, url)).isEqualTo(202);
  }

  private static int copy(String token, String path, String url) {
    return server.holder(token, "PUT", path, "", "x-ms-copy-source: " + url).status();
  }
}
