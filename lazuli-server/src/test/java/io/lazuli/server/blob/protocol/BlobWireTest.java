package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Version;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers of the blob service as they are on the wire (blob-rest). */
class BlobWireTest {
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
  private static final String APPEND_BLOB = "x-ms-blob-type: AppendBlob";
  private static final String HELLO_MD5 = "XrY7u+Ae7tCTyyK7j1rNww==";
  private static final String HELLO_CRC64 = "vo7q9sPVKY0=";

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
  void makeContainer() {
    name = "docs-" + ++made;
    container = "/" + name;
    blob = container + "/a/b.txt";
    assertThat(server.owner("PUT", container + "?restype=container", "").status()).isEqualTo(201);
  }

  private Answer put(String path, String content, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add(BLOCK_BLOB);
    return server.owner("PUT", path, content, headers.toArray(String[]::new));
  }

  private static void assertRefused(Answer answer, int status, String code) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
  }

  @Test
  void anUploadThatMustNotOverwriteWorksOnce() {
    Answer first =
        put(
            blob,
            "hello world",
            "x-ms-blob-content-type: text/plain",
            "x-ms-meta-owner: ann",
            "If-None-Match: *");
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("ETag")).matches("\"0x[0-9A-F]+\"");
    assertThat(first.header("Last-Modified")).endsWith("GMT");
    assertThat(first.header("Content-MD5")).isEqualTo(HELLO_MD5);
    assertThat(first.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    assertThat(first.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(first.header("Content-Length")).isEqualTo("0");
    assertRefused(put(blob, "again", "If-None-Match: *"), 409, "BlobAlreadyExists");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("hello world");
  }

  @Test
  void aReadHasEveryHeaderOfTheBlob() {
    Answer put =
        put(
            blob,
            "hello world",
            "Content-Type: text/plain",
            "Content-Encoding: identity",
            "x-ms-blob-content-language: de",
            "x-ms-blob-content-disposition: inline",
            "Cache-Control: no-store",
            "x-ms-tags: a=1&b=2",
            "x-ms-meta-owner: ann");
    for (String method : List.of("GET", "HEAD")) {
      Answer read = server.owner(method, blob, "", "x-ms-client-request-id: mine");
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("Server")).isEqualTo("Lazuli-Blob/" + Version.current());
      assertThat(read.header("x-ms-client-request-id")).isEqualTo("mine");
      assertThat(read.header("Content-Length")).isEqualTo("11");
      assertThat(read.header("Content-Type")).isEqualTo("text/plain");
      assertThat(read.header("Content-Encoding")).isEqualTo("identity");
      assertThat(read.header("Content-Language")).isEqualTo("de");
      assertThat(read.header("Content-Disposition")).isEqualTo("inline");
      assertThat(read.header("Cache-Control")).isEqualTo("no-store");
      assertThat(read.header("Content-MD5")).isEqualTo(HELLO_MD5);
      assertThat(read.header("ETag")).isEqualTo(put.header("ETag"));
      assertThat(read.header("Last-Modified")).isEqualTo(put.header("Last-Modified"));
      assertThat(read.header("Accept-Ranges")).isEqualTo("bytes");
      assertThat(read.header("x-ms-blob-type")).isEqualTo("BlockBlob");
      assertThat(read.header("x-ms-creation-time")).endsWith("GMT");
      assertThat(read.header("x-ms-lease-state")).isEqualTo("available");
      assertThat(read.header("x-ms-lease-status")).isEqualTo("unlocked");
      assertThat(read.header("x-ms-lease-duration")).isNull();
      assertThat(read.header("x-ms-server-encrypted")).isEqualTo("true");
      assertThat(read.header("x-ms-meta-owner")).isEqualTo("ann");
      assertThat(read.header("x-ms-tag-count")).isEqualTo("2");
      assertThat(read.header("x-ms-access-tier")).isEqualTo(method.equals("GET") ? null : "Hot");
      assertThat(read.header("x-ms-access-tier-inferred"))
          .isEqualTo(method.equals("GET") ? null : "true");
    }
  }

  @Test
  void aBlobThatIsNothingInParticularIsBytes() {
    put(blob, "x");
    assertThat(server.owner("HEAD", blob, "").header("Content-Type"))
        .isEqualTo("application/octet-stream");
  }

  @Test
  void aPartIsReadWithItsChecksum() {
    put(blob, "hello world");
    Answer part =
        server.owner("GET", blob, "", "x-ms-range: bytes=6-99", "x-ms-range-get-content-md5: true");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("world");
    assertThat(part.header("Content-Length")).isEqualTo("5");
    assertThat(part.header("Content-Range")).isEqualTo("bytes 6-10/11");
    assertThat(part.header("Content-MD5")).isEqualTo("fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(part.header("x-ms-blob-content-md5")).isEqualTo(HELLO_MD5);
    Answer other =
        server.owner("GET", blob, "", "Range: bytes=0-", "x-ms-range-get-content-crc64: True");
    assertThat(other.header("x-ms-content-crc64")).isEqualTo(HELLO_CRC64);
    assertThat(other.header("Content-MD5")).isNull();
    assertThat(other.status()).isEqualTo(206);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-4,206,hello",
    "bytes=6-,206,world",
    "bytes=0-999,206,hello world",
    "bytes=10-10,206,d",
    "bytes=0--1,200,hello world",
    "bytes=5-2,200,hello world",
    "bytes=-5,200,hello world",
    "'bytes=0-1,3-4',200,hello world",
    "lines=0-1,200,hello world",
  })
  void rangesAreReadAsTheSpecificationSays(String range, int status, String expected) {
    put(blob, "hello world");
    Answer answer = server.owner("GET", blob, "", "x-ms-range: " + range, "Range: bytes=1-1");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(expected);
  }

  @Test
  void aRangeBehindTheEndTellsTheSize() {
    put(blob, "");
    Answer refused = server.owner("GET", blob, "", "x-ms-range: bytes=0-4194303");
    assertRefused(refused, 416, "InvalidRange");
    assertThat(refused.header("Content-Range")).isEqualTo("bytes */0");
    assertThat(refused.body()).contains("<Code>InvalidRange</Code>").doesNotContain("contentRange");
    assertThat(server.owner("GET", blob, "", "x-ms-range: bytes=0--1").status()).isEqualTo(200);
    Answer whole = server.owner("GET", blob, "");
    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.header("Content-Length")).isEqualTo("0");
    assertThat(whole.header("Content-MD5")).isEqualTo("1B2M2Y8AsgTpgAmY7PhCfg==");
  }

  @Test
  void checksumsOfWhatIsNoSmallRangeAreRefused() {
    put(blob, "hello world");
    Answer whole = server.owner("GET", blob, "", "x-ms-range-get-content-md5: true");
    assertRefused(whole, 400, "InvalidHeaderValue");
    assertThat(whole.body()).contains("<HeaderName>x-ms-range-get-content-md5</HeaderName>");
    assertRefused(
        server.owner(
            "GET",
            blob,
            "",
            "x-ms-range: bytes=0-1",
            "x-ms-range-get-content-md5: true",
            "x-ms-range-get-content-crc64: true"),
        400,
        "BothCrc64AndMd5RangeHeaderPresent");
  }

  @Test
  void checksumsOfABodyAreCompared() {
    assertThat(put(blob, "hello world", "Content-MD5: " + HELLO_MD5).status()).isEqualTo(201);
    assertThat(put(blob, "hello world", "x-ms-content-crc64: " + HELLO_CRC64).status())
        .isEqualTo(201);
    Answer wrong = put(blob, "other", "Content-MD5: " + HELLO_MD5);
    assertRefused(wrong, 400, "Md5Mismatch");
    assertThat(wrong.body()).contains("<UserSpecifiedMd5>" + HELLO_MD5 + "</UserSpecifiedMd5>");
    assertRefused(put(blob, "other", "x-ms-content-crc64: " + HELLO_CRC64), 400, "Crc64Mismatch");
    assertRefused(put(blob, "other", "x-ms-blob-content-md5: " + HELLO_MD5), 400, "Md5Mismatch");
    assertRefused(put(blob, "other", "Content-MD5: abc"), 400, "InvalidMd5");
    assertRefused(
        put(blob, "hello world", "Content-MD5: " + HELLO_MD5, "x-ms-content-crc64: " + HELLO_CRC64),
        400,
        "BothCrc64AndMd5HeaderPresent");
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("hello world");
  }

  @Test
  void blocksBecomeABlobWithTheirList() {
    String big = container + "/big";
    Answer block = server.owner("PUT", big + "?comp=block&blockid=MDAx", "hello ");
    assertThat(block.status()).isEqualTo(201);
    assertThat(block.header("x-ms-content-crc64")).isNotNull();
    assertThat(block.header("Content-MD5")).isNull();
    assertThat(block.header("ETag")).isNull();
    Answer md5 =
        server.owner(
            "PUT",
            big + "?comp=block&blockid=MDAy",
            "world",
            "Content-MD5: fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(md5.header("Content-MD5")).isEqualTo("fXkwN6B2AYZXSwKC8vQ15w==");
    assertThat(md5.header("x-ms-content-crc64")).isNull();
    assertRefused(server.owner("GET", big, ""), 404, "BlobNotFound");
    Answer waiting = server.owner("GET", big + "?comp=blocklist&blocklisttype=all", "");
    assertThat(waiting.header("ETag")).isNull();
    assertThat(waiting.header("x-ms-blob-content-length")).isNull();
    assertThat(waiting.body())
        .isEqualTo(
            HEAD
                + "<BlockList><CommittedBlocks /><UncommittedBlocks><Block><Name>MDAx</Name>"
                + "<Size>6</Size></Block><Block><Name>MDAy</Name><Size>5</Size></Block>"
                + "</UncommittedBlocks></BlockList>");
    assertRefused(
        server.owner("PUT", big + "?comp=block&blockid=MDAwMw==", "x"), 400, "InvalidBlobOrBlock");
    Answer committed = commit(big, "<Latest>MDAx</Latest><Latest>MDAy</Latest>");
    assertThat(committed.status()).isEqualTo(201);
    assertThat(committed.header("ETag")).startsWith("\"0x");
    assertThat(committed.header("x-ms-content-crc64")).isNotNull();
    assertThat(committed.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer read = server.owner("GET", big, "");
    assertThat(read.body()).isEqualTo("hello world");
    assertThat(read.header("Content-MD5")).isNull();
    assertThat(read.header("Content-Type")).isEqualTo("application/octet-stream");
    Answer list = server.owner("GET", big + "?comp=blocklist", "");
    assertThat(list.header("x-ms-blob-content-length")).isEqualTo("11");
    assertThat(list.header("ETag")).isEqualTo(committed.header("ETag"));
    assertThat(list.body()).contains("<CommittedBlocks><Block><Name>MDAx").doesNotContain("Unc");
    assertRefused(commit(big, "<Latest>MDAz</Latest>"), 400, "InvalidBlockList");
    assertThat(server.owner("GET", big, "").body()).isEqualTo("hello world");
  }

  private Answer commit(String path, String entries, String... headers) {
    return server.owner(
        "PUT", path + "?comp=blocklist", HEAD + "<BlockList>" + entries + "</BlockList>", headers);
  }

  @ParameterizedTest
  @CsvSource({
    "?comp=block,x,MissingRequiredQueryParameter",
    "?comp=block&blockid=%2A,x,InvalidQueryParameterValue",
    "?comp=block&blockid=MDAx,'',InvalidHeaderValue",
    "?comp=appendblock,'',InvalidHeaderValue",
    "?comp=blocklist,<BlockList><Other>MDAx</Other></BlockList>,InvalidXmlDocument",
    "?comp=blocklist,<BlockList><Latest>!</Latest></BlockList>,InvalidBlockId",
    "?comp=blocklist,<BlockList>,InvalidXmlDocument",
    "'',x,MissingRequiredHeader",
    "?comp=tier,'',MissingRequiredHeader",
    "?comp=lease,'',MissingRequiredHeader",
    "?comp=nonsense,'',InvalidQueryParameterValue",
  })
  void whatIsWrongWithARequestIsSaid(String query, String body, String code) {
    assertRefused(server.owner("PUT", blob + query, body), 400, code);
  }

  @Test
  void appendsGoToTheEndAndOnlyThere() {
    String log = container + "/log";
    Answer created = server.owner("PUT", log, "", APPEND_BLOB);
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(created.header("Content-MD5")).isNull();
    assertRefused(server.owner("PUT", log, "x", APPEND_BLOB), 400, "InvalidHeaderValue");
    Answer first = server.owner("PUT", log + "?comp=appendblock", "line1\n");
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("x-ms-blob-append-offset")).isEqualTo("0");
    assertThat(first.header("x-ms-blob-committed-block-count")).isEqualTo("1");
    assertThat(first.header("x-ms-request-server-encrypted")).isEqualTo("true");
    assertThat(first.header("x-ms-content-crc64")).isNotNull();
    String position = "x-ms-blob-condition-appendpos: 6";
    Answer second = server.owner("PUT", log + "?comp=appendblock", "line2\n", position);
    assertThat(second.header("x-ms-blob-append-offset")).isEqualTo("6");
    assertThat(second.header("x-ms-blob-committed-block-count")).isEqualTo("2");
    assertRefused(
        server.owner("PUT", log + "?comp=appendblock", "line2\n", position),
        412,
        "AppendPositionConditionNotMet");
    assertRefused(
        server.owner("PUT", log + "?comp=appendblock", "x", "x-ms-blob-condition-maxsize: 12"),
        412,
        "MaxBlobSizeConditionNotMet");
    Answer read = server.owner("GET", log, "");
    assertThat(read.body()).isEqualTo("line1\nline2\n");
    assertThat(read.header("x-ms-blob-committed-block-count")).isEqualTo("2");
    assertThat(server.owner("HEAD", log, "").header("x-ms-access-tier")).isNull();
    assertRefused(put(log, "x"), 409, "InvalidBlobType");
  }

  @Test
  void aSealedBlobTakesNoMore() {
    String log = container + "/log";
    server.owner("PUT", log, "", APPEND_BLOB);
    Answer sealed = server.owner("PUT", log + "?comp=seal", "");
    assertThat(sealed.status()).isEqualTo(200);
    assertThat(sealed.header("x-ms-blob-sealed")).isEqualTo("true");
    assertThat(server.owner("HEAD", log, "").header("x-ms-blob-sealed")).isEqualTo("true");
    assertRefused(server.owner("PUT", log + "?comp=appendblock", "x"), 409, "BlobIsSealed");
  }

  @Test
  void metadataAndPropertiesAreReplaced() {
    put(blob, "x", "x-ms-meta-old: 1", "x-ms-blob-content-type: text/plain");
    Answer metadata = server.owner("PUT", blob + "?comp=metadata", "", "x-ms-meta-new: 2");
    assertThat(metadata.status()).isEqualTo(200);
    assertThat(metadata.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer read = server.owner("GET", blob + "?comp=metadata", "");
    assertThat(read.header("x-ms-meta-new")).isEqualTo("2");
    assertThat(read.header("x-ms-meta-old")).isNull();
    assertThat(read.header("ETag")).isEqualTo(metadata.header("ETag"));
    assertThat(read.header("x-ms-blob-type")).isNull();
    Answer properties =
        server.owner("PUT", blob + "?comp=properties", "", "x-ms-blob-cache-control: no-cache");
    assertThat(properties.status()).isEqualTo(200);
    Answer changed = server.owner("HEAD", blob, "");
    assertThat(changed.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(changed.header("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(changed.header("Content-MD5")).isNull();
    assertRefused(
        server.owner("PUT", blob + "?comp=properties", "", "x-ms-blob-content-length: 512"),
        400,
        "InvalidHeaderValue");
  }

  @Test
  void aTierIsKeptAndShown() {
    put(blob, "x");
    assertThat(server.owner("PUT", blob + "?comp=tier", "", "x-ms-access-tier: Cool").status())
        .isEqualTo(200);
    Answer read = server.owner("HEAD", blob, "");
    assertThat(read.header("x-ms-access-tier")).isEqualTo("Cool");
    assertThat(read.header("x-ms-access-tier-change-time")).endsWith("GMT");
    assertThat(read.header("x-ms-access-tier-inferred")).isNull();
    assertRefused(
        server.owner("PUT", blob + "?comp=tier", "", "x-ms-access-tier: Lukewarm"),
        400,
        "InvalidHeaderValue");
  }

  @Test
  void tagsGoBothWays() {
    put(blob, "x");
    String tags = HEAD + "<Tags><TagSet><Tag><Key>k</Key><Value>v w</Value></Tag></TagSet></Tags>";
    assertThat(server.owner("PUT", blob + "?comp=tags", tags).status()).isEqualTo(204);
    Answer read = server.owner("GET", blob + "?comp=tags", "");
    assertThat(read.body()).isEqualTo(tags);
    assertThat(read.header("Content-Type")).isEqualTo("application/xml");
  }

  @Test
  void snapshotsStayAsTheyWere() {
    put(blob, "first", "x-ms-meta-a: 1");
    Answer taken = server.owner("PUT", blob + "?comp=snapshot", "");
    assertThat(taken.status()).isEqualTo(201);
    assertThat(taken.header("x-ms-request-server-encrypted")).isEqualTo("false");
    String at = "snapshot=" + taken.header("x-ms-snapshot");
    put(blob, "second");
    Answer read = server.owner("GET", blob + "?" + at, "");
    assertThat(read.body()).isEqualTo("first");
    assertThat(read.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(read.header("x-ms-lease-state")).isNull();
    assertRefused(server.owner("DELETE", blob, ""), 409, "SnapshotsPresent");
    assertRefused(put(blob + "?" + at, "x"), 400, "InvalidOperation");
    assertRefused(
        server.owner("DELETE", blob + "?" + at, "", "x-ms-delete-snapshots: include"),
        400,
        "InvalidQueryParameterValue");
    Answer gone = server.owner("DELETE", blob + "?" + at, "");
    assertThat(gone.status()).isEqualTo(202);
    assertThat(gone.header("x-ms-delete-type-permanent")).isEqualTo("true");
    assertThat(server.owner("DELETE", blob, "").status()).isEqualTo(202);
    Answer bad = server.owner("GET", blob + "?snapshot=yesterday", "");
    assertRefused(bad, 400, "InvalidQueryParameterValue");
    assertThat(bad.body())
        .contains("<Reason>Must be in the specific snapshot date time format.</Reason>");
    assertRefused(
        server.owner("GET", blob + "?" + at + "&versionid=1", ""),
        400,
        "MutuallyExclusiveQueryParameters");
  }

  @Test
  void aLeaseKeepsOthersOut() {
    put(blob, "x");
    String a = "d00f5a7b-5ad4-4d6f-8e8d-3a9c2a1e0a01";
    String b = "d00f5a7b-5ad4-4d6f-8e8d-3a9c2a1e0a02";
    Answer acquired = lease("acquire", "x-ms-lease-duration: 15", "x-ms-proposed-lease-id: " + a);
    assertThat(acquired.status()).isEqualTo(201);
    assertThat(acquired.header("x-ms-lease-id")).isEqualTo(a);
    assertThat(acquired.header("ETag")).startsWith("\"0x");
    String metadata = blob + "?comp=metadata";
    assertRefused(server.owner("PUT", metadata, ""), 412, "LeaseIdMissing");
    assertRefused(
        server.owner("PUT", metadata, "", "x-ms-lease-id: " + b),
        412,
        "LeaseIdMismatchWithBlobOperation");
    assertThat(server.owner("PUT", metadata, "", "x-ms-lease-id: " + a).status()).isEqualTo(200);
    Answer read = server.owner("HEAD", blob, "");
    assertThat(read.header("x-ms-lease-status")).isEqualTo("locked");
    assertThat(read.header("x-ms-lease-duration")).isEqualTo("fixed");
    Answer renewed = lease("renew", "x-ms-lease-id: " + a);
    assertThat(renewed.status()).isEqualTo(200);
    assertThat(renewed.header("x-ms-lease-id")).isEqualTo(a);
    Answer changed = lease("change", "x-ms-lease-id: " + a, "x-ms-proposed-lease-id: " + b);
    assertThat(changed.header("x-ms-lease-id")).isEqualTo(b);
    Answer broken = lease("break", "x-ms-lease-break-period: 5");
    assertThat(broken.status()).isEqualTo(202);
    assertThat(broken.header("x-ms-lease-time")).isEqualTo("5");
    assertThat(broken.header("x-ms-lease-id")).isNull();
    Answer released = lease("release", "x-ms-lease-id: " + b);
    assertThat(released.status()).isEqualTo(200);
    assertThat(released.header("x-ms-lease-id")).isNull();
    assertRefused(lease("acquire", "x-ms-lease-duration: 70"), 400, "InvalidHeaderValue");
  }

  private Answer lease(String action, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add("x-ms-lease-action: " + action);
    return server.owner("PUT", blob + "?comp=lease", "", headers.toArray(String[]::new));
  }

  @Test
  void aLeasedContainerIsDeletedByItsHolderOnly() {
    String path = container + "?restype=container";
    Answer acquired =
        server.owner(
            "PUT",
            path + "&comp=lease",
            "",
            "x-ms-lease-action: acquire",
            "x-ms-lease-duration: -1");
    assertThat(acquired.status()).isEqualTo(201);
    assertThat(server.owner("GET", path, "").header("x-ms-lease-duration")).isEqualTo("infinite");
    assertRefused(server.owner("DELETE", path, ""), 412, "LeaseIdMissing");
    String id = "x-ms-lease-id: " + acquired.header("x-ms-lease-id");
    assertThat(server.owner("DELETE", path, "", id).status()).isEqualTo(202);
    assertRefused(server.owner("GET", path, ""), 404, "ContainerNotFound");
  }

  @Test
  void aContainerShowsItsProperties() {
    String path = container + "?restype=container";
    assertRefused(server.owner("PUT", path, ""), 409, "ContainerAlreadyExists");
    Answer changed = server.owner("PUT", path + "&comp=metadata", "", "x-ms-meta-owner: ann");
    assertThat(changed.status()).isEqualTo(200);
    for (String method : List.of("GET", "HEAD")) {
      Answer read = server.owner(method, path, "");
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("ETag")).isEqualTo(changed.header("ETag"));
      assertThat(read.header("x-ms-meta-owner")).isEqualTo("ann");
      assertThat(read.header("x-ms-lease-state")).isEqualTo("available");
      assertThat(read.header("x-ms-lease-status")).isEqualTo("unlocked");
      assertThat(read.header("x-ms-has-immutability-policy")).isEqualTo("false");
      assertThat(read.header("x-ms-has-legal-hold")).isEqualTo("false");
      assertThat(read.header("x-ms-default-encryption-scope")).isEqualTo("$account-encryption-key");
      assertThat(read.header("x-ms-blob-public-access")).isNull();
    }
    Answer metadata = server.owner("GET", path + "&comp=metadata", "");
    assertThat(metadata.header("x-ms-meta-owner")).isEqualTo("ann");
    assertThat(metadata.header("x-ms-lease-state")).isNull();
  }

  @Test
  void anAccessListGoesBothWays() {
    String path = container + "?restype=container&comp=acl";
    String list =
        HEAD
            + "<SignedIdentifiers><SignedIdentifier><Id>one</Id><AccessPolicy>"
            + "<Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>rl</Permission>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    Answer set = server.owner("PUT", path, list, "x-ms-blob-public-access: blob");
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.header("ETag")).startsWith("\"0x");
    Answer read = server.owner("GET", path, "");
    assertThat(read.body()).isEqualTo(list);
    assertThat(read.header("x-ms-blob-public-access")).isEqualTo("blob");
    assertThat(server.owner("PUT", path, "").status()).isEqualTo(200);
    Answer cleared = server.owner("GET", path, "");
    assertThat(cleared.body()).isEqualTo(HEAD + "<SignedIdentifiers />");
    assertThat(cleared.header("x-ms-blob-public-access")).isNull();
  }

  @Test
  void containersAreListedAsTheLiveServiceDoes() {
    server.owner("PUT", "/" + name + "-x?restype=container", "", "x-ms-meta-owner: ann");
    Answer first =
        server.owner("GET", "/?comp=list&include=metadata&maxresults=1&prefix=" + name, "");
    assertThat(first.body())
        .matches(
            "\\Q"
                + HEAD
                + "\\E<EnumerationResults ServiceEndpoint=\"http://localhost/devstoreaccount1/\">"
                + "<Prefix>"
                + name
                + "</Prefix><MaxResults>1</MaxResults><Containers><Container><Name>"
                + name
                + "</Name><Properties><Last-Modified>[^<]+ GMT</Last-Modified>"
                + "<Etag>\"0x[0-9A-F]+\"</Etag><LeaseStatus>unlocked</LeaseStatus>"
                + "<LeaseState>available</LeaseState>\\Q<DefaultEncryptionScope>"
                + "$account-encryption-key</DefaultEncryptionScope><DenyEncryptionScopeOverride>"
                + "false</DenyEncryptionScopeOverride><HasImmutabilityPolicy>false"
                + "</HasImmutabilityPolicy><HasLegalHold>false</HasLegalHold>"
                + "<ImmutableStorageWithVersioningEnabled>false"
                + "</ImmutableStorageWithVersioningEnabled></Properties><Metadata /></Container>"
                + "</Containers><NextMarker>/devstoreaccount1/"
                + name
                + "-x</NextMarker></EnumerationResults>\\E");
    Answer next =
        server.owner(
            "GET", "?comp=list&include=metadata&prefix=" + name + "&marker=" + marker(first), "");
    assertThat(next.body()).contains("<Metadata><owner>ann</owner></Metadata>", "<NextMarker />");
    assertRefused(server.owner("GET", "?comp=list&marker=x", ""), 400, "OutOfRangeInput");
    assertRefused(
        server.owner("GET", "?comp=list&maxresults=0", ""), 400, "OutOfRangeQueryParameterValue");
  }

  private static String marker(Answer page) {
    Matcher marker = Pattern.compile("<NextMarker>([^<]+)</NextMarker>").matcher(page.body());
    assertThat(marker.find()).isTrue();
    return marker.group(1);
  }

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

  private String list(String more) {
    return container + "?restype=container&comp=list" + more;
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

  private static String names(Answer list) {
    List<String> names = new ArrayList<>();
    Matcher matcher = Pattern.compile("<Name>([^<]*)</Name>").matcher(list.body());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return String.join(" ", names);
  }

  @Test
  void whatIsIncludedIsShown() {
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
  void whatXmlCannotCarryIsListedEscaped() {
    put(container + "/a%EF%BF%BE", "x");
    assertThat(server.owner("GET", list(""), "").body())
        .contains("<Name Encoded=\"true\">a%EF%BF%BE</Name>");
  }

  @ParameterizedTest
  @CsvSource({
    "/x/a%01,400,InvalidResourceName",
    "/Upper/a,400,InvalidResourceName",
    "/ab/a,400,OutOfRangeInput",
    "/missing/a,404,ContainerNotFound",
    "/alone,404,ResourceNotFound",
    "/%2Fx/a,400,InvalidUri",
  })
  void namesAreChecked(String path, int status, String code) {
    String full = path.replace("/x/", container + "/");
    assertRefused(server.owner("GET", full, ""), status, code);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,?comp=pagelist",
    "PUT,?comp=page",
    "PUT,?comp=undelete",
    "POST,?comp=query",
    "PUT,?comp=expiry",
    "PUT,?comp=legalhold",
    "GET,?versionid=2022-07-13T23:45:37.1812758Z",
  })
  void whatIsNotOfferedSaysSo(String method, String query) {
    assertRefused(server.owner(method, blob + query, ""), 501, "NotImplemented");
    assertRefused(server.owner("PUT", blob, "", "x-ms-blob-type: PageBlob"), 501, "NotImplemented");
    assertRefused(server.owner("GET", "?comp=blobs&where=a", ""), 501, "NotImplemented");
    assertRefused(
        server.owner("POST", "?restype=service&comp=userdelegationkey", ""), 501, "NotImplemented");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-ms-structured-body: XSM/1.0; properties=crc64",
        "x-ms-encryption-key: abc",
        "x-ms-encryption-key-sha256: abc",
        "x-ms-immutability-policy-until-date: Sun, 01 Mar 2026 12:00:00 GMT",
        "x-ms-legal-hold: true",
        "x-ms-if-tags: a=1",
        "x-ms-encryption-scope: mine",
      })
  void headersThatChangeTheMeaningAreRefused(String header) {
    Answer refused = put(blob, "x", header);
    assertRefused(refused, 400, "UnsupportedHeader");
    assertThat(refused.body())
        .contains("<HeaderName>" + header.split(":", -1)[0] + "</HeaderName>");
    assertRefused(server.owner("HEAD", blob, ""), 404, "BlobNotFound");
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

  @Test
  void theAccountIsDescribed() {
    for (String path : List.of("/", container, container + "/none")) {
      Answer answer = server.owner("HEAD", path + "?restype=account&comp=properties", "");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("x-ms-sku-name")).isEqualTo("Standard_LRS");
      assertThat(answer.header("x-ms-account-kind")).isEqualTo("StorageV2");
      assertThat(answer.header("x-ms-is-hns-enabled")).isEqualTo("false");
    }
  }

  @Test
  void theServiceHasPropertiesOfItsOwn() {
    String path = "?restype=service&comp=properties";
    String change =
        "<StorageServiceProperties><DeleteRetentionPolicy><Enabled>false</Enabled>"
            + "</DeleteRetentionPolicy><DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"
            + "</StorageServiceProperties>";
    assertThat(server.owner("PUT", path, change).status()).isEqualTo(202);
    assertThat(server.owner("GET", path, "").body())
        .endsWith(
            "<Cors /><DeleteRetentionPolicy><Enabled>false</Enabled>"
                + "<AllowPermanentDelete>false</AllowPermanentDelete></DeleteRetentionPolicy>"
                + "<StaticWebsite><Enabled>false</Enabled></StaticWebsite>"
                + "<DefaultServiceVersion>2021-08-06</DefaultServiceVersion>"
                + "</StorageServiceProperties>");
    String website =
        "<StorageServiceProperties><StaticWebsite><Enabled>true</Enabled></StaticWebsite>"
            + "</StorageServiceProperties>";
    assertRefused(server.owner("PUT", path, website), 501, "NotImplemented");
    assertThat(server.owner("GET", "?restype=service&comp=stats", "").body())
        .contains("<Status>live</Status>");
  }

  @Test
  void aCopyIsDoneWhenItIsAnswered() {
    put(blob, "hello world", "x-ms-meta-a: 1", "x-ms-blob-content-type: text/plain");
    String url = "http://localhost/devstoreaccount1" + blob;
    String copy = container + "/copy";
    Answer copied = server.owner("PUT", copy, "", "x-ms-copy-source: " + url);
    assertThat(copied.status()).isEqualTo(202);
    assertThat(copied.header("x-ms-copy-status")).isEqualTo("success");
    Answer read = server.owner("HEAD", copy, "");
    assertThat(read.header("x-ms-copy-id")).isEqualTo(copied.header("x-ms-copy-id"));
    assertThat(read.header("x-ms-copy-source")).isEqualTo(url);
    assertThat(read.header("x-ms-copy-status")).isEqualTo("success");
    assertThat(read.header("x-ms-copy-progress")).isEqualTo("11/11");
    assertThat(read.header("x-ms-copy-completion-time")).endsWith("GMT");
    assertThat(read.header("x-ms-meta-a")).isEqualTo("1");
    assertThat(read.header("Content-Type")).isEqualTo("text/plain");
    assertThat(server.owner("GET", copy, "").body()).isEqualTo("hello world");
    assertThat(server.owner("GET", list("&include=copy&prefix=copy"), "").body())
        .contains("<CopyStatus>success</CopyStatus><CopyProgress>11/11</CopyProgress>");
    Answer sync =
        server.owner("PUT", copy, "", "x-ms-copy-source: " + url, "x-ms-requires-sync: True");
    assertThat(sync.status()).isEqualTo(202);
    assertThat(sync.header("x-ms-request-server-encrypted")).isEqualTo("true");
    Answer abort =
        server.owner(
            "PUT",
            copy + "?comp=copy&copyid=" + copied.header("x-ms-copy-id"),
            "",
            "x-ms-copy-action: abort");
    assertRefused(abort, 409, "NoPendingCopyOperation");
    assertRefused(
        server.owner("PUT", copy + "?comp=copy&copyid=1", "", "x-ms-copy-action: abort"),
        400,
        "InvalidQueryParameterValue");
  }

  @ParameterizedTest
  @CsvSource({
    "http://elsewhere.example/devstoreaccount1/c/b,400,CopyAcrossAccountsNotSupported",
    "http://169.254.169.254/latest,400,CopyAcrossAccountsNotSupported",
    "http://localhost/devstoreaccount1/none/none,404,CannotVerifyCopySource",
    "ftp://localhost/devstoreaccount1/c/b,400,InvalidHeaderValue",
    "http://localhost/nobody/abc/b,401,CannotVerifyCopySource",
  })
  void sourcesThatCannotBeReadAreRefused(String url, int status, String code) {
    assertRefused(server.owner("PUT", blob, "", "x-ms-copy-source: " + url), status, code);
  }

  @Test
  void aCopyHasConditionsOnBothSides() {
    put(blob, "x");
    put(container + "/copy", "y");
    String url = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    assertRefused(
        server.owner("PUT", container + "/copy", "", url, "x-ms-source-if-match: \"0x1\""),
        412,
        "SourceConditionNotMet");
    assertRefused(
        server.owner("PUT", container + "/copy", "", url, "If-Match: \"0x1\""),
        412,
        "TargetConditionNotMet");
  }

  @Test
  void contentComesFromUrlsOfThisServer() {
    put(blob, "hello world", "x-ms-blob-content-type: text/plain");
    String url = "x-ms-copy-source: http://127.0.0.1/devstoreaccount1" + blob;
    String from = url.replace("127.0.0.1", "localhost");
    Answer put = server.owner("PUT", container + "/put", "", from, BLOCK_BLOB, "If-None-Match: *");
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.header("Content-MD5")).isEqualTo(HELLO_MD5);
    Answer read = server.owner("GET", container + "/put", "");
    assertThat(read.body()).isEqualTo("hello world");
    assertThat(read.header("Content-Type")).isEqualTo("text/plain");
    assertThat(read.header("x-ms-copy-id")).isNull();
    Answer block =
        server.owner(
            "PUT",
            container + "/blocks?comp=block&blockid=MDAx",
            "",
            url,
            "x-ms-source-range: bytes=6-10");
    assertThat(block.status()).isEqualTo(201);
    assertThat(commit(container + "/blocks", "<Latest>MDAx</Latest>").status()).isEqualTo(201);
    assertThat(server.owner("GET", container + "/blocks", "").body()).isEqualTo("world");
    server.owner("PUT", container + "/log", "", APPEND_BLOB);
    Answer append =
        server.owner(
            "PUT", container + "/log?comp=appendblock", "", from, "x-ms-source-range: bytes=0-4");
    assertThat(append.header("x-ms-blob-append-offset")).isEqualTo("0");
    assertThat(server.owner("GET", container + "/log", "").body()).isEqualTo("hello");
  }

  @Test
  void bodiesNeedALength() throws IOException {
    String credentials = server.credentials("PUT", blob, BLOCK_BLOB);
    try (RawConnection connection = new RawConnection(server.server().blobPort())) {
      Answer answer =
          connection.ask(
              "PUT /devstoreaccount1"
                  + blob
                  + " HTTP/1.1\r\nHost: localhost\r\n"
                  + credentials
                  + BLOCK_BLOB
                  + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
      assertRefused(answer, 411, "MissingContentLengthHeader");
    }
  }
}
