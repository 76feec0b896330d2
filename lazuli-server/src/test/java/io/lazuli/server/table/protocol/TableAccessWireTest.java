package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared access signatures and access lists on the wire (auth 10.5, table-rest 6.5). */
class TableAccessWireTest {
  private static final String POLICIES =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers>%s</SignedIdentifiers>";
  private static final String READER =
      "<SignedIdentifier><Id>policy1</Id><AccessPolicy><Expiry>2034-01-01</Expiry>"
          + "<Permission>r</Permission></AccessPolicy></SignedIdentifier>";
  private static final String ENTITY = "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\"}";

  private static final String BATCH_TYPE = "Content-Type: multipart/mixed; boundary=b";

  private static WireServer server;

  @BeforeAll
  static void start() {
    server = new WireServer();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void fill() {
    server.owner("DELETE", "/Tables('MyTable')", "");
    server.owner("DELETE", "/Tables('Other')", "");
    assertThat(server.owner("POST", "/Tables", "{\"TableName\":\"MyTable\"}").status())
        .isEqualTo(201);
    insert("pkB", "1");
    insert("pkC", "1");
  }

  @Test
  void aSignatureWithAPolicyLivesAndDiesWithIt() {
    String token = WireServer.tableToken("MyTable", "si", "policy1");
    assertError(server.holder(token, "GET", "/MyTable()", ""), 403, "AuthenticationFailed");
    assertThat(setPolicies(READER).status()).isEqualTo(204);
    assertThat(server.holder(token, "GET", "/MyTable()", "").status()).isEqualTo(200);
    assertError(
        server.holder(token, "POST", "/MyTable", ENTITY.formatted("x", "y")),
        403,
        "AuthorizationPermissionMismatch");
    assertThat(setPolicies("").status()).isEqualTo(204);
    assertError(server.holder(token, "GET", "/MyTable()", ""), 403, "AuthenticationFailed");
  }

  @Test
  void policiesAreOfTheirTableAndGoWithIt() {
    setPolicies(READER);
    server.owner("POST", "/Tables", "{\"TableName\":\"Other\"}");
    String other = WireServer.tableToken("Other", "si", "policy1");
    assertError(server.holder(other, "GET", "/Other()", ""), 403, "AuthenticationFailed");
    server.owner("DELETE", "/Tables('MyTable')", "");
    server.owner("POST", "/Tables", "{\"TableName\":\"MyTable\"}");
    String token = WireServer.tableToken("MyTable", "si", "policy1");
    assertError(server.holder(token, "GET", "/MyTable()", ""), 403, "AuthenticationFailed");
    assertThat(policies()).isEqualTo(POLICIES.replace(">%s</SignedIdentifiers>", " />"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "GET;/Tables",
        "GET;/Tables('MyTable')",
        "DELETE;/Tables('MyTable')",
        "GET;/MyTable?comp=acl",
        "PUT;/MyTable?comp=acl",
        "GET;/?restype=service&comp=properties",
        "GET;/?restype=service&comp=stats",
        "GET;/Other()",
        "GET;/Missing()",
        "GET;/Missing(PartitionKey='a',RowKey='b')",
        "POST;/Missing",
      })
  void aTableSignatureCannot(String method, String path) {
    String token = WireServer.tableToken("MyTable", "sp", "raud");
    String body = method.equals("POST") ? ENTITY.formatted("a", "b") : "";
    assertError(server.holder(token, method, path, body), 403, "AuthorizationFailure");
  }

  @ParameterizedTest
  @CsvSource({
    "spr,https,AuthorizationProtocolMismatch",
    "sip,10.0.0.1,AuthorizationSourceIPMismatch",
    "st,2033-01-01,AuthenticationFailed",
  })
  void aTableSignatureIsHeldToItsTerms(String name, String value, String code) {
    String token = WireServer.tableToken("MyTable", "sp", "r", name, value);
    assertError(server.holder(token, "GET", "/MyTable()", ""), 403, code);
  }

  /**
   * The permissions of the signature are checked before the rest of the request (table-rest 14).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "POST;/MyTable;{broken;",
        "POST;/MyTable;{\"A\":1};",
        "POST;/MyTable;<entry/>;Content-Type: application/atom+xml",
        "PUT;/MyTable(PartitionKey='a',RowKey='b');{broken;",
        "PUT;/MyTable(PartitionKey='a',RowKey='b');{broken;If-Match: *",
        "MERGE;/MyTable(PartitionKey='a',RowKey='b');{};If-Match: nonsense",
        "POST;/MyTable(PartitionKey='a',RowKey='b');{broken;X-HTTP-Method: MERGE",
        "DELETE;/MyTable(PartitionKey='a',RowKey='b');'';",
      })
  void aMissingPermissionIsReportedBeforeABrokenBody(
      String method, String path, String body, @Nullable String header) {
    String token = WireServer.tableToken("MyTable", "sp", "r");
    String[] headers = header == null ? new String[0] : new String[] {header};
    assertError(
        server.holder(token, method, path, body, headers), 403, "AuthorizationPermissionMismatch");
    assertError(
        server.holder(token, method, path.replace("MyTable", "1!"), body, headers),
        403,
        "AuthorizationFailure");
  }

  @Test
  void settingsThatAreNotPermittedAreForbiddenHoweverBroken() {
    String token = WireServer.accountToken("sco", "rl");
    assertError(
        server.holder(token, "PUT", "/?restype=service&comp=properties", "<broken"),
        403,
        "AuthorizationPermissionMismatch");
    assertError(
        server.holder(token, "PUT", "/MyTable?comp=acl", "<broken"), 403, "AuthorizationFailure");
  }

  @Test
  void aBatchWithAnOperationThatIsNotPermittedIsForbiddenHoweverBroken() {
    String token = WireServer.tableToken("MyTable", "sp", "r");
    String batch =
        String.join(
            "\r\n",
            "--b",
            "Content-Type: multipart/mixed; boundary=c",
            "",
            "--c",
            "Content-Type: application/http",
            "",
            "POST /devstoreaccount1/MyTable HTTP/1.1",
            "Content-Type: application/json",
            "",
            "{broken",
            "--c--",
            "--b--",
            "");
    String type = "Content-Type: multipart/mixed; boundary=b";
    assertError(
        server.holder(token, "POST", "/$batch", batch, type),
        403,
        "AuthorizationPermissionMismatch");
    String writer = WireServer.tableToken("MyTable", "sp", "a");
    assertThat(server.holder(writer, "POST", "/$batch", batch, type).status()).isEqualTo(202);
  }

  @ParameterizedTest
  @CsvSource({
    "'',2019-02-02",
    "&api-version=2020-12-06,2020-12-06",
  })
  void theVersionOfASignatureIsThatOfTheAnswer(String parameter, String version) {
    String token = WireServer.tableToken("MyTable", "sp", "r") + parameter;
    Answer answer = server.holder(token, "GET", "/MyTable()", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("x-ms-version")).isEqualTo(version);
    Answer told = server.holder(token, "GET", "/MyTable()", "", "x-ms-version: 2015-12-11");
    assertThat(told.header("x-ms-version")).isEqualTo("2015-12-11");
  }

  @Test
  void aTableSignatureForThisAddressPasses() {
    String token = WireServer.tableToken("MYTABLE", "sp", "r", "sip", "127.0.0.1-127.0.0.9");
    assertThat(server.holder(token, "GET", "/MyTable()", "").body()).contains("pkB", "pkC");
  }

  @Test
  void aTableSignatureCannotCreateTables() {
    String token = WireServer.tableToken("MyTable", "sp", "raud");
    Answer answer = server.holder(token, "POST", "/Tables", "{\"TableName\":\"New\"}");
    assertError(answer, 403, "AuthorizationFailure");
  }

  @Test
  void anAccountSignatureCannotChangePolicies() {
    String token = WireServer.accountToken("sco", "rwdlacup");
    assertError(server.holder(token, "GET", "/MyTable?comp=acl", ""), 403, "AuthorizationFailure");
    assertThat(server.holder(token, "GET", "/Tables", "").status()).isEqualTo(200);
    assertError(
        server.holder(WireServer.accountToken("so", "rwdlacup"), "GET", "/Tables", ""),
        403,
        "AuthorizationResourceTypeMismatch");
  }

  /**
   * An insert without keys is refused after the check of its table, but only a caller with the
   * permission learns about the table.
   */
  @Test
  void withoutAccessNothingIsToldAboutTables() {
    String token = WireServer.tableToken("MyTable", "sp", "raud");
    assertError(server.holder(token, "POST", "/Missing", "{}"), 403, "AuthorizationFailure");
    assertError(server.holder(token, "POST", "/Tables2", "{}"), 403, "AuthorizationFailure");
    for (String path : new String[] {"/MyTable()", "/Missing()", "/MyTable?comp=acl"}) {
      Answer answer = server.anybody("GET", path, "");
      assertError(answer, 403, "AuthenticationFailed");
    }
    String policy = WireServer.tableToken("Missing", "si", "policy1");
    assertError(server.holder(policy, "GET", "/Missing()", ""), 403, "AuthenticationFailed");
  }

  @Test
  void aBatchBeyondTheSignatureIsRefusedAsAWhole() {
    String token = WireServer.tableToken("MyTable", "sp", "raud", "spk", "pkB", "epk", "pkB");
    assertThat(batch(token, insertPart("pkB", "2")).status()).isEqualTo(202);
    assertError(
        batch(token, insertPart("pkB", "3") + insertPart("pkC", "3")), 403, "AuthorizationFailure");
    assertError(batch(token, insertPart("pkC", "3")), 403, "AuthorizationFailure");
    String reader = WireServer.tableToken("MyTable", "sp", "r");
    assertError(batch(reader, insertPart("pkB", "3")), 403, "AuthorizationPermissionMismatch");
    assertThat(server.owner("GET", "/MyTable()?$filter=RowKey%20eq%20'3'", "").body())
        .contains("\"value\":[]");
  }

  @Test
  void aReadInABatchSeesTheRangeOnly() {
    String token = WireServer.tableToken("MyTable", "sp", "r", "spk", "pkB", "epk", "pkB");
    assertThat(batchedRead(token, "pkB").body()).contains("HTTP/1.1 200 OK");
    assertThat(batchedRead(token, "pkC").body())
        .contains("HTTP/1.1 404 Not Found")
        .contains("ResourceNotFound");
  }

  @Test
  void theSecondaryServesABatchThatReadsAndRefusesAllWrites() {
    String batch = "-secondary/$batch";
    Answer read = server.owner("POST", batch, readPart("pkB"), BATCH_TYPE);
    assertThat(read.status()).isEqualTo(202);
    assertThat(read.body()).contains("HTTP/1.1 200 OK");
    String refused = "InsufficientAccountPermissions";
    String write = changeSet(insertPart("pkB", "9"));
    assertError(server.owner("POST", batch, write, BATCH_TYPE), 403, refused);
    String entity = ENTITY.formatted("pkB", "9");
    assertError(server.owner("POST", "-secondary/MyTable", entity), 403, refused);
    assertError(server.owner("PUT", "-secondary/MyTable?comp=acl", ""), 403, refused);
    assertError(server.owner("PATCH", "-secondary/Tables", ""), 403, refused);
  }

  @Test
  void aForgedContinuationStaysInTheRange() {
    String token = WireServer.tableToken("MyTable", "sp", "r", "spk", "pkB", "epk", "pkB");
    assertThat(server.holder(token, "GET", "/MyTable()?NextPartitionKey=a", "").body())
        .contains("pkB")
        .doesNotContain("pkC");
    assertThat(server.holder(token, "GET", "/MyTable()?NextPartitionKey=pkC", "").body())
        .contains("\"value\":[]");
  }

  @Test
  void policiesComeBackAsTheServiceWritesThem() {
    setPolicies(
        "<SignedIdentifier><AccessPolicy><Permission>raud</Permission><Expiry>2034-01-01T00:00Z"
            + "</Expiry><Start>2024-01-01T00:00:00.123456789Z</Start></AccessPolicy><Id>a&amp;b</Id>"
            + "</SignedIdentifier>\n<SignedIdentifier><Id>empty</Id><AccessPolicy><Start/>"
            + "<Permission></Permission></AccessPolicy></SignedIdentifier>");
    assertThat(policies())
        .isEqualTo(
            POLICIES.formatted(
                "<SignedIdentifier><Id>a&amp;b</Id><AccessPolicy>"
                    + "<Start>2024-01-01T00:00:00.1234567Z</Start>"
                    + "<Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>raud</Permission>"
                    + "</AccessPolicy></SignedIdentifier>"
                    + "<SignedIdentifier><Id>empty</Id></SignedIdentifier>"));
  }

  @Test
  void anAnswerAboutPoliciesHasNoHeadersOfOData() {
    Answer answer = server.owner("GET", "/MyTable?comp=acl", "");
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    assertThat(answer.header("Cache-Control")).isNull();
    assertThat(answer.header("X-Content-Type-Options")).isNull();
    assertThat(setPolicies(READER).header("Cache-Control")).isNull();
  }

  @ParameterizedTest
  @CsvSource({"''", "<SignedIdentifiers/>", "<SignedIdentifiers></SignedIdentifiers>"})
  void anEmptyListClears(String body) {
    setPolicies(READER);
    assertThat(server.owner("PUT", "/MyTable?comp=acl", body).status()).isEqualTo(204);
    assertThat(policies()).endsWith("<SignedIdentifiers />");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "<SignedIdentifiers>;InvalidXmlDocument",
        "<Other/>;InvalidXmlDocument",
        "not xml;InvalidXmlDocument",
        "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><SignedIdentifiers>"
            + "<SignedIdentifier><Id>&e#59</Id></SignedIdentifier></SignedIdentifiers>;"
            + "InvalidXmlDocument",
        "<SignedIdentifiers><Other/></SignedIdentifiers>;InvalidXmlDocument",
        "<SignedIdentifiers><SignedIdentifier/></SignedIdentifiers>;InvalidXmlDocument",
        "<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Start>soon</Start>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>;InvalidXmlNodeValue",
        "<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Permission>rx</Permission>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>;InvalidXmlNodeValue",
      })
  void aListThatIsNoneIsRefused(String body, String code) {
    Answer answer = server.owner("PUT", "/MyTable?comp=acl", body.replace("#59", ";"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.body()).startsWith("<?xml").contains("<m:code>" + code + "</m:code>");
  }

  @Test
  void thereAreFivePoliciesWithIdsOfUpTo64CharactersEachOnce() {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      list.append(READER.replace("policy1", i + "x".repeat(63)));
    }
    assertThat(setPolicies(list.toString()).status()).isEqualTo(204);
    assertThat(setPolicies(list + READER).status()).isEqualTo(400);
    assertThat(setPolicies(READER.replace("policy1", "x".repeat(65))).status()).isEqualTo(400);
    assertThat(setPolicies(READER + READER).status()).isEqualTo(400);
    assertThat(policies()).contains("4" + "x".repeat(63)).doesNotContain("policy1");
  }

  @Test
  void aMissingTableHasNoPolicies() {
    Answer read = server.owner("GET", "/Missing?comp=acl", "");
    Answer write = server.owner("PUT", "/Missing?comp=acl", "");
    assertThat(read.status()).isEqualTo(404);
    assertThat(read.header("x-ms-error-code")).isEqualTo("ResourceNotFound");
    assertThat(write.status()).isEqualTo(404);
    assertThat(server.owner("GET", "/a?comp=acl", "").status()).isEqualTo(400);
    assertThat(server.owner("POST", "/MyTable?comp=acl", "").status()).isEqualTo(405);
    assertThat(server.owner("GET", "/MyTable?comp=other", "").status()).isEqualTo(400);
  }

  private static void assertError(Answer answer, int status, String code) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
  }

  private Answer setPolicies(String list) {
    return server.owner("PUT", "/MyTable?comp=acl", POLICIES.formatted(list));
  }

  private String policies() {
    return server.owner("GET", "/MyTable?comp=acl", "").body();
  }

  private void insert(String partition, String row) {
    Answer answer = server.owner("POST", "/MyTable", ENTITY.formatted(partition, row));
    assertThat(answer.status()).isEqualTo(201);
  }

  private static String insertPart(String partition, String row) {
    return "--c\r\nContent-Type: application/http\r\n\r\nPOST /devstoreaccount1/MyTable HTTP/1.1\r\n"
        + "Content-Type: application/json\r\n\r\n"
        + ENTITY.formatted(partition, row)
        + "\r\n";
  }

  private Answer batch(String token, String parts) {
    return server.holder(token, "POST", "/$batch", changeSet(parts), BATCH_TYPE);
  }

  private Answer batchedRead(String token, String partition) {
    return server.holder(token, "POST", "/$batch", readPart(partition), BATCH_TYPE);
  }

  private static String changeSet(String parts) {
    return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
        + parts
        + "--c--\r\n--b--\r\n";
  }

  private static String readPart(String partition) {
    return "--b\r\nContent-Type: application/http\r\n\r\n"
        + "GET /devstoreaccount1/MyTable(PartitionKey='"
        + partition
        + "',RowKey='1') HTTP/1.1\r\n\r\n\r\n--b--\r\n";
  }
}
