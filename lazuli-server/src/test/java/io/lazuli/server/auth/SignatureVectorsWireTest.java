package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The negative tests of auth 10.5 over HTTP, in its order, with the tokens of auth 10.3 and 10.4.
 * Three of its lines are tested elsewhere: Content-Type and date in {@code AccessConformanceTest},
 * because the date of the vectors is long past; the second key in {@code AccountsWireTest}, because
 * the development account has only one key.
 */
class SignatureVectorsWireTest {
  private static final String TIMES = "st=2024-01-01T00:00:00Z&se=2034-01-01T00:00:00Z";
  private static final String S1 =
      "sv=2019-02-02&spr=https,http&"
          + TIMES
          + "&sp=raud&sig=4A9I94Pofp9QQ2LBup3OXwKXgX7yVwzbJSR2inxxR7U%3D&tn=MyTable&spk=pkA"
          + "&srk=rk1&epk=pkZ&erk=rk9";
  private static final String S2 =
      "sv=2019-02-02&tn=MyTable&sp=r&se=2034-01-01T00:00:00Z"
          + "&sig=mVMmUp3jvSWN5d6f263rgWbfymVRc2RTHfLrET1bw74%3D";
  private static final String S3 =
      "sv=2019-02-02&tn=MyTable&si=policy1&sig=7fk7F8vYktbK9ITerPezirtr6NZNSL8zDLE5ET8adv8%3D";
  private static final String S4 =
      "sv=2019-02-02&ss=t&srt=sco&sp=rwdlau&spr=https,http&"
          + TIMES
          + "&sig=zYBHBRI1j3DbNrt6VKnUX1Wx8WDD0h71g72uOvyhf7g%3D";
  private static final String POLICY =
      "<SignedIdentifiers><SignedIdentifier><Id>policy1</Id><AccessPolicy>"
          + "<Expiry>2034-01-01</Expiry><Permission>r</Permission></AccessPolicy>"
          + "</SignedIdentifier></SignedIdentifiers>";

  private static WireServer server;

  @BeforeAll
  static void fill() {
    server = new WireServer();
    server.owner("POST", "/Tables", "{\"TableName\":\"MyTable\"}");
    server.owner("POST", "/Tables", "{\"TableName\":\"Other\"}");
    for (String key : "pk0,rk1 pkA,rk0 pkZ,rk9x pkB,anything pkA,rk1 pkZ,rk9".split(" ", -1)) {
      String[] keys = key.split(",", -1);
      assertThat(server.owner("PUT", entity(keys[0], keys[1]), "{}").status()).isEqualTo(204);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"4A9I,4B9I", "R7U%3D,R7V%3D", "R7U%3D,R7U", "sig=,sig=A", "sig=4A9I,sig=4a9i"})
  void oneCharacterOfTheSignature(String change) {
    String[] fromTo = change.split(",", -1);
    assertThat(server.holder(S1, "GET", "/MyTable()", "").status()).isEqualTo(200);
    String token = S1.replace(fromTo[0], fromTo[1]);
    refused("AuthenticationFailed", server.holder(token, "GET", "/MyTable()", ""));
  }

  @ParameterizedTest
  @CsvSource({"pk0,rk1", "pkA,rk0", "pkZ,rk9x"})
  void entitiesOutsideTheRange(String partition, String row) {
    String path = entity(partition, row);
    refused("AuthorizationFailure", server.holder(S1, "PUT", path, "{}"));
    refused("AuthorizationFailure", server.holder(S1, "PUT", path, "{}", "If-Match: *"));
    refused("AuthorizationFailure", server.holder(S1, "MERGE", path, "{}"));
    refused("AuthorizationFailure", server.holder(S1, "DELETE", path, "", "If-Match: *"));
    String body = "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}";
    refused("AuthorizationFailure", server.holder(S1, "POST", "/MyTable", body));
    assertThat(server.holder(S1, "GET", path, "").status()).isEqualTo(404);
    assertThat(server.holder(S1, "GET", "/MyTable()", "").body())
        .doesNotContain("\"" + partition + "\",\"RowKey\":\"" + row + "\"");
    assertThat(server.owner("GET", path, "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"pkB,anything", "pkA,rk1", "pkZ,rk9"})
  void entitiesInsideTheRange(String partition, String row) {
    String path = entity(partition, row);
    assertThat(server.holder(S1, "PUT", path, "{}").status()).isEqualTo(204);
    assertThat(server.holder(S1, "GET", path, "").status()).isEqualTo(200);
    assertThat(server.holder(S1, "GET", "/MyTable()", "").body())
        .contains("\"" + partition + "\",\"RowKey\":\"" + row + "\"");
  }

  @Test
  void anotherTable() {
    refused("AuthorizationFailure", server.holder(S1, "GET", "/Other()", ""));
    refused("AuthorizationFailure", server.holder(S1, "GET", entityOf("Other", "pkB", "a"), ""));
    refused("AuthorizationFailure", server.holder(S1, "PUT", entityOf("Other", "pkB", "a"), "{}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "POST;/Tables;{\"TableName\":\"New\"}",
        "DELETE;/Tables('MyTable');''",
        "GET;/Tables;''",
        "GET;/MyTable?comp=acl;''",
        "PUT;/MyTable?comp=acl;''",
        "GET;/?restype=service&comp=properties;''",
        "PUT;/?restype=service&comp=properties;<StorageServiceProperties/>",
      })
  void operationsThatTableTokensDoNotPermit(String method, String path, String body) {
    refused("AuthorizationFailure", server.holder(S1, method, path, body));
  }

  @Test
  void anInsertWithAReadersToken() {
    String body = "{\"PartitionKey\":\"pkB\",\"RowKey\":\"new\"}";
    refused("AuthorizationPermissionMismatch", server.holder(S2, "POST", "/MyTable", body));
    assertThat(server.holder(S2, "GET", "/MyTable()", "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"a,PUT", "a,MERGE", "a,PATCH", "u,PUT", "u,MERGE", "u,PATCH"})
  void anUpsertWithHalfOfItsPermissions(String letters, String method) {
    String token = WireServer.tableToken("MyTable", "sp", letters);
    refused(
        "AuthorizationPermissionMismatch",
        server.holder(token, method, entity("pkB", "anything"), "{}"));
  }

  @Test
  void beforeWithAndAfterAPolicy() {
    refused("AuthenticationFailed", server.holder(S3, "GET", "/MyTable()", ""));
    assertThat(server.owner("PUT", "/MyTable?comp=acl", POLICY).status()).isEqualTo(204);
    assertThat(server.holder(S3, "GET", "/MyTable()", "").status()).isEqualTo(200);
    assertThat(server.owner("PUT", "/MyTable?comp=acl", "").status()).isEqualTo(204);
    refused("AuthenticationFailed", server.holder(S3, "GET", "/MyTable()", ""));
  }

  @Test
  void propertiesWithoutTheServiceAmongTheTypes() {
    String path = "/?restype=service&comp=properties";
    assertThat(server.holder(S4, "GET", path, "").status()).isEqualTo(200);
    String token = WireServer.accountToken("co", "rwdlau");
    refused("AuthorizationResourceTypeMismatch", server.holder(token, "GET", path, ""));
  }

  @Test
  void anotherService() throws IOException {
    try (WireServer queues = WireServer.ofQueues()) {
      refused("AuthorizationServiceMismatch", queues.holder(S4, "GET", "/?comp=list", ""));
    }
  }

  @Test
  void theWrongProtocolAndTheWrongHost() {
    String https = WireServer.tableToken("MyTable", "sp", "r", "spr", "https");
    refused("AuthorizationProtocolMismatch", server.holder(https, "GET", "/MyTable()", ""));
    String elsewhere = WireServer.tableToken("MyTable", "sp", "r", "sip", "10.0.0.1");
    Answer answer = server.holder(elsewhere, "GET", "/MyTable()", "");
    refused("AuthorizationSourceIPMismatch", answer);
    assertThat(answer.body()).contains("using this source IP 127.0.0.1.");
  }

  @Test
  void theNameOfTheTableInAnotherCase() {
    String token = S1.replace("tn=MyTable", "tn=MYTABLE");
    assertThat(server.holder(token, "GET", "/MyTable()", "").status()).isEqualTo(200);
  }

  private static void refused(String code, Answer answer) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(403);
  }

  private static String entity(String partition, String row) {
    return entityOf("MyTable", partition, row);
  }

  private static String entityOf(String table, String partition, String row) {
    return "/" + table + "(PartitionKey='" + partition + "',RowKey='" + row + "')";
  }
}
