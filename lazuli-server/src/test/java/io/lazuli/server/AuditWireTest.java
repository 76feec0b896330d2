package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.server.account.Account;
import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.auth.SasMaker;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.console.api.Route;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every change has a line in the audit, and the line has no secrets. */
class AuditWireTest {
  private static final String KEYS = "(PartitionKey='a',RowKey='b')";
  private static final String BLOB = "x-ms-blob-type: BlockBlob";

  /** A request for each changing operation. Most are refused, which has a line, too. */
  private static final List<String> TABLES =
      List.of(
          "POST /Tables",
          "DELETE /Tables('none')",
          "POST /none",
          "PUT /none" + KEYS + " If-Match: *",
          "PUT /none" + KEYS,
          "MERGE /none" + KEYS + " If-Match: *",
          "MERGE /none" + KEYS,
          "DELETE /none" + KEYS + " If-Match: *",
          "POST /$batch",
          "PUT /none?comp=acl",
          "DELETE /none?comp=acl",
          "PUT /?restype=service&comp=properties");

  private static final List<String> QUEUES =
      List.of(
          "PUT /none-1",
          "DELETE /none",
          "PUT /none?comp=metadata",
          "POST /none/messages",
          "GET /none/messages",
          "GET /none/messages?numofmessages=2",
          "PUT /none/messages/1?popreceipt=A&visibilitytimeout=0",
          "DELETE /none/messages/1?popreceipt=A",
          "DELETE /none/messages",
          "PUT /none?comp=acl",
          "DELETE /none?comp=acl",
          "PUT /?restype=service&comp=properties",
          "POST /?restype=service&comp=userdelegationkey");

  private static final List<String> BLOBS =
      List.of(
          "PUT /none-1?restype=container",
          "DELETE /none?restype=container",
          "PUT /none?restype=container&comp=undelete",
          "PUT /none?restype=container&comp=metadata",
          "PUT /none?restype=container&comp=acl",
          "PUT /none?restype=container&comp=lease x-ms-lease-action: acquire",
          "PUT /none?restype=container&comp=lease x-ms-lease-action: renew",
          "PUT /none?restype=container&comp=lease x-ms-lease-action: change",
          "PUT /none?restype=container&comp=lease x-ms-lease-action: release",
          "PUT /none?restype=container&comp=lease x-ms-lease-action: break",
          "PUT /none?restype=container&comp=lease",
          "PUT /none/b " + BLOB,
          "PUT /none/b?comp=block&blockid=AAAA",
          "PUT /none/b?comp=blocklist",
          "PUT /none/b?comp=appendblock",
          "PUT /none/b?comp=page",
          "PUT /none/b?comp=page x-ms-page-write: clear",
          "PUT /none/b x-ms-copy-source: http://127.0.0.1/devstoreaccount1/c/b?sig=c2VjcmV0",
          "PUT /none/b x-ms-copy-source: http://127.0.0.1/a/c/b|" + BLOB,
          "PUT /none/b?comp=block&blockid=AAAA x-ms-copy-source: http://127.0.0.1/a/c/b",
          "PUT /none/b?comp=appendblock x-ms-copy-source: http://127.0.0.1/a/c/b",
          "PUT /none/b?comp=copy&copyid=1",
          "DELETE /none/b",
          "PUT /none/b?comp=undelete",
          "PUT /none/b?comp=metadata",
          "PUT /none/b?comp=properties",
          "PUT /none/b?comp=tags",
          "PUT /none/b?comp=tier x-ms-access-tier: Cool",
          "PUT /none/b?comp=expiry",
          "PUT /none/b?comp=immutabilityPolicies",
          "DELETE /none/b?comp=immutabilityPolicies",
          "PUT /none/b?comp=legalhold",
          "PUT /none/b?comp=seal",
          "PUT /none/b?comp=snapshot",
          "PUT /none/b?comp=lease x-ms-lease-action: acquire",
          "PUT /none/b?comp=lease x-ms-lease-action: renew",
          "PUT /none/b?comp=lease x-ms-lease-action: change",
          "PUT /none/b?comp=lease x-ms-lease-action: release",
          "PUT /none/b?comp=lease x-ms-lease-action: break",
          "PUT /none/b?comp=lease",
          "PUT /?restype=service&comp=properties",
          "PUT /?restype=service&comp=other",
          "POST /?comp=batch",
          "POST /?restype=service&comp=userdelegationkey");

  @TempDir private static Path folder;
  private static TokenServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        TokenServer.start(
            folder,
            ServerConfig.builder()
                .engine("rocksdb")
                .audit(one -> one.withFile(folder.resolve("audit.jsonl"))));
    server.assign("owner", Role.BLOB_DATA_OWNER, "devstoreaccount1");
    server.assign("owner", Role.QUEUE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.assign("owner", Role.TABLE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.awaitRoles();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Returns the lines with a value in a field, as soon as there is one. */
  private static List<Map<String, String>> await(String field, String value) {
    return Awaitility.await().until(() -> lines(field, value), found -> !found.isEmpty());
  }

  private static List<Map<String, String>> lines(String field, String value) {
    return lines().stream().filter(line -> value.equals(line.get(field))).toList();
  }

  private static List<Map<String, String>> lines() {
    try {
      return Files.readAllLines(folder.resolve("audit.jsonl")).stream()
          .map(AuditWireTest::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the fields of a line; those of {@code who} have its name before a dot. */
  private static Map<String, String> parse(String line) {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(line)) {
      String prefix = "";
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT && json.currentName() != null) {
          prefix = json.currentName() + ".";
        } else if (token == JsonToken.END_OBJECT) {
          prefix = "";
        } else if (token.isScalarValue()) {
          fields.put(prefix + json.currentName(), json.getText());
        }
      }
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
    return fields;
  }

  @Test
  void everyChangingOperationOfTablesHasALine() throws ReflectiveOperationException {
    everyOperationHasALine("table", "table.protocol.TableRoute", TABLES);
  }

  @Test
  void everyChangingOperationOfQueuesHasALine() throws ReflectiveOperationException {
    everyOperationHasALine("queue", "queue.protocol.QueueRoute", QUEUES);
  }

  @Test
  void everyChangingOperationOfBlobsHasALine() throws ReflectiveOperationException {
    everyOperationHasALine("blob", "blob.protocol.BlobRoute", BLOBS);
  }

  private static void everyOperationHasALine(String service, String routes, List<String> requests)
      throws ReflectiveOperationException {
    Set<String> changing =
        Arrays.stream(Class.forName("io.lazuli.server." + routes).getEnumConstants())
            .map(OperationType.class::cast)
            .filter(one -> one.kind() != OperationKind.READ || givesAccess(one))
            .map(OperationType::documentedName)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String request : requests) {
      String[] words = request.split(" ", 3);
      String[] headers = words.length < 3 ? new String[0] : words[2].split("\\|");
      server.ask(server.token("auditor-" + service), service, words[0], words[1], headers);
    }
    Awaitility.await()
        .untilAsserted(
            () -> {
              List<Map<String, String>> found = lines("who.sub", "auditor-" + service);
              assertThat(found).hasSameSizeAs(requests);
              assertThat(found.stream().map(line -> line.get("operation"))).containsAll(changing);
            });
    assertThat(lines("who.sub", "auditor-" + service))
        .allMatch(line -> line.get("service").equals(service))
        .allMatch(line -> line.get("path").startsWith("/devstoreaccount1/"))
        .allMatch(line -> Integer.parseInt(line.get("status")) >= 400)
        .allMatch(line -> line.get("who.kind").equals("token"));
  }

  private static void askForBlob(String request) {
    String[] words = request.split(" ", 3);
    server.ask(server.token("copier"), "blob", words[0], words[1], words[2]);
    assertThat(await("who.sub", "copier")).isNotEmpty();
  }

  private static boolean givesAccess(OperationType operation) {
    return operation.documentedName().equals("GetUserDelegationKey");
  }

  @Test
  void readsHaveNoLine() {
    String owner = server.token("owner");
    server.ask(owner, "queue", "PUT", "/empty");
    for (String[] read :
        List.of(
            new String[] {"blob", "/?comp=list"},
            new String[] {"queue", "/?comp=list"},
            new String[] {"queue", "/empty/messages"},
            new String[] {"table", "/Tables"})) {
      assertThat(server.ask(owner, read[0], "GET", read[1]).status()).isEqualTo(200);
    }
    server.ask(owner, "queue", "DELETE", "/empty");
    assertThat(await("operation", "DeleteQueue")).isNotEmpty();
    assertThat(lines("path", "/devstoreaccount1/empty/messages")).isEmpty();
    assertThat(lines("operation", "ListContainers")).isEmpty();
  }

  @Test
  void aDoneChangeSaysWhatAndByWhom() {
    String owner = server.token("owner");
    server.ask(owner, "table", "POST", "/Tables", "{\"TableName\":\"people\"}");
    server.ask(
        owner,
        "table",
        "POST",
        "/people",
        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Salary\":\"private-salary\"}");
    Map<String, String> line =
        await("operation", "InsertEntity").stream()
            .filter(one -> one.get("status").startsWith("2"))
            .findFirst()
            .orElseThrow();
    assertThat(line)
        .containsEntry("account", "devstoreaccount1")
        .containsEntry("path", "/devstoreaccount1/people")
        .containsEntry("key", "p")
        .containsEntry("row", "r")
        .containsEntry("who.kind", "token")
        .containsEntry("who.issuer", "https://issuer.example/realms/one")
        .containsEntry("who.sub", "owner")
        .containsEntry("from", "127.0.0.1")
        .containsKeys("time", "request");
  }

  @Test
  void everyPartOfABatchHasALine() {
    String owner = server.token("owner");
    server.ask(owner, "blob", "PUT", "/batched?restype=container");
    server.ask(owner, "blob", "PUT", "/batched/one", BLOB);
    StringBuilder body = new StringBuilder("\n");
    for (String blob : List.of("one", "missing")) {
      body.append("--x\r\nContent-Type: application/http\r\n\r\nDELETE /devstoreaccount1/batched/")
          .append(blob)
          .append(" HTTP/1.1\r\nx-ms-version: 2025-01-05\r\nAuthorization: Bearer ")
          .append(blob.equals("one") ? owner : server.token("other"))
          .append("\r\n\r\n");
    }
    server.ask(
        owner,
        "blob",
        "POST",
        "/?comp=batch",
        "Content-Type: multipart/mixed; boundary=x",
        body + "--x--\r\n");
    Map<String, String> done = await("path", "/devstoreaccount1/batched/one").get(1);
    assertThat(done)
        .containsEntry("operation", "DeleteBlob")
        .containsEntry("status", "202")
        .containsEntry("who.sub", "owner");
    assertThat(await("path", "/devstoreaccount1/batched/missing").get(0))
        .containsEntry("status", "403")
        .containsEntry("error", "AuthorizationPermissionMismatch")
        .containsEntry("who.sub", "other");
  }

  @Test
  void keysAndSignaturesAreNamedByTheirNumber() throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("ss", "bqt");
    fields.put("srt", "sco");
    fields.put("sp", "rw");
    fields.put("se", TokenServer.inAnHour());
    String sas = SasMaker.ofAccount(Account.development(), fields);
    server.ask(null, "blob", "PUT", "/by-sas?restype=container&" + sas);
    assertThat(await("path", "/devstoreaccount1/by-sas").get(0))
        .containsEntry("who.kind", "account sas")
        .containsEntry("who.key", "1");
    server.ask(null, "blob", "PUT", "/by-wrong-sas?restype=container&" + sas + "x");
    assertThat(await("path", "/devstoreaccount1/by-wrong-sas").get(0))
        .containsEntry("who.kind", "unverified")
        .containsEntry("who.claimed", "sas")
        .containsEntry("status", "403");
    try (WireServer client = WireServer.onBlobs(server.server())) {
      assertThat(client.owner("PUT", "/by-key?restype=container", "").status()).isEqualTo(201);
    }
    assertThat(await("path", "/devstoreaccount1/by-key").get(0))
        .containsEntry("who.kind", "key")
        .containsEntry("who.key", "1");
  }

  @Test
  void rolesThatAreGivenAndTakenHaveLines() {
    server.assign("passing", Role.TABLE_DATA_READER, "devstoreaccount1/table/people");
    String what = "storage-table-data-reader devstoreaccount1/table/people * sub passing";
    assertThat(await("what", what).get(0)).containsEntry("operation", "RoleAdded");
    new RoleFile(folder.resolve("roles"))
        .edit(
            set ->
                new RoleSet(
                    set.assignments().stream()
                        .filter(one -> !one.principal().value().equals("passing"))
                        .toList()));
    Awaitility.await().until(() -> lines("what", what).size() == 2);
    assertThat(lines("what", what).get(1)).containsEntry("operation", "RoleRemoved");
  }

  @Test
  void everyRouteOfTheConsoleThatIsNotAReadHasALine() {
    Set<String> asked = new TreeSet<>();
    for (Route route : server.server().console().routes()) {
      if (route.method().equals("GET")) {
        continue;
      }
      String path =
          "/api/v1"
              + route.path().replace("{a}", "devstoreaccount1").replaceAll("\\{\\w+}", "Missing")
              + "?pk=the-key&rk=the-row&blob=b&id=x&account=devstoreaccount1";
      console(route.method(), path);
      if (!Set.of("query", "explain", "propose").contains(route.name())) {
        asked.add(route.name());
      }
    }
    assertThat(asked).hasSizeGreaterThan(25);
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(
                        lines("service", "admin").stream()
                            .map(line -> line.get("operation"))
                            .collect(Collectors.toSet()))
                    .containsAll(asked)
                    .doesNotContain("query", "explain", "propose"));
    assertThat(lines("operation", "delete-entity").get(0))
        .containsEntry("who.kind", "console")
        .containsEntry("who.user", "ann")
        .containsEntry("key", "the-key")
        .containsEntry("row", "the-row");
    assertThat(lines("operation", "sign-in")).isNotEmpty();
  }

  private static void console(String method, String path) {
    LazuliServer running = server.server();
    String secret =
        running.console().signIn().begin("ann", io.lazuli.server.console.session.Role.ADMIN);
    String host = "127.0.0.1:" + running.adminPort();
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nOrigin: http://"
            + host
            + "\r\nX-Lazuli-Console: 1\r\nCookie: lazuli="
            + secret
            + "\r\nContent-Length: 2\r\n\r\n{}";
    try (RawConnection connection = new RawConnection(running.adminPort())) {
      connection.send(head.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(connection.answer().status()).isGreaterThan(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void commandsHaveLines() throws Exception {
    AdminClient.of(folder.resolve("data"))
        .call("revoke-delegation", Map.of("account", "devstoreaccount1"));
    assertThat(await("operation", "revoke-delegation").get(0))
        .containsEntry("service", "admin")
        .containsEntry("account", "devstoreaccount1")
        .containsEntry("who.kind", "command line")
        .containsEntry("status", "200");
    String host = "127.0.0.1:" + server.server().adminPort();
    try (RawConnection connection = new RawConnection(server.server().adminPort())) {
      connection.send(
          ("POST /commands/scrub HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      assertThat(connection.answer().status()).isEqualTo(403);
    }
    assertThat(await("path", "/commands/scrub").get(0)).containsEntry("who.kind", "unverified");
  }

  @Test
  void nothingSecretIsInTheFile() throws IOException {
    aDoneChangeSaysWhatAndByWhom();
    BLOBS.stream().filter(one -> one.contains("c2VjcmV0")).forEach(AuditWireTest::askForBlob);
    String text = Files.readString(folder.resolve("audit.jsonl"));
    String token = server.token("owner");
    assertThat(text)
        .doesNotContain(token.substring(token.lastIndexOf('.') + 1))
        .doesNotContain("Bearer")
        .doesNotContain("private-salary")
        .doesNotContain("sig=")
        .doesNotContain("c2VjcmV0")
        .doesNotContain("popreceipt")
        .doesNotContain(Account.development().keys().get(0).base64());
    assertThat(Stream.of(text.split("\n"))).allMatch(line -> line.startsWith("{\"time\":\""));
  }
}
