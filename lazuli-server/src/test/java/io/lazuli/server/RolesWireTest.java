package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.pipeline.Addressing;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every operation with every role, and with none. The expectations are written out here. */
class RolesWireTest {
  private static final Map<String, Role> ROLES = roles();
  private static final String LEASE = "6e5f0f8c-9b1e-4c53-9f0a-0d8f6a3c1b22";

  /**
   * Operations whose parts are authorised one by one, that answer tokens with 404, that need no
   * permission, that exist at the secondary address only, and those that are not operations.
   */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "SubmitBatch",
          "EntityGroupTransaction",
          "GetTableACL",
          "SetTableACL",
          "BlobPreflightRequest",
          "QueuePreflightRequest",
          "TablePreflightRequest",
          "GetBlobServiceStats",
          "GetQueueServiceStats",
          "GetTableServiceStats",
          "Unknown",
          "UnknownContainerLease",
          "UnknownBlobLease");

  private static final Set<String> ASKED = new TreeSet<>();

  /** The number of tests of this class. */
  private static final int TESTS = 8;

  private static final AtomicInteger RUN = new AtomicInteger();

  @TempDir private static Path folder;
  private static TokenServer server;

  private static Map<String, Role> roles() {
    Map<String, Role> roles = new LinkedHashMap<>();
    roles.put("BR", Role.BLOB_DATA_READER);
    roles.put("BC", Role.BLOB_DATA_CONTRIBUTOR);
    roles.put("BO", Role.BLOB_DATA_OWNER);
    roles.put("BD", Role.BLOB_DELEGATOR);
    roles.put("QR", Role.QUEUE_DATA_READER);
    roles.put("QC", Role.QUEUE_DATA_CONTRIBUTOR);
    roles.put("QP", Role.QUEUE_DATA_MESSAGE_PROCESSOR);
    roles.put("QS", Role.QUEUE_DATA_MESSAGE_SENDER);
    roles.put("QD", Role.QUEUE_DELEGATOR);
    roles.put("TR", Role.TABLE_DATA_READER);
    roles.put("TC", Role.TABLE_DATA_CONTRIBUTOR);
    roles.put("TD", Role.TABLE_DELEGATOR);
    roles.put("AC", Role.ACCOUNT_CONTRIBUTOR);
    roles.put("LR", Role.LAZULI_READER);
    roles.put("LE", Role.LAZULI_EDITOR);
    roles.put("LO", Role.LAZULI_OPERATOR);
    roles.put("LA", Role.LAZULI_ADMIN);
    return roles;
  }

  @BeforeAll
  static void start() throws IOException {
    assertThat(ROLES.values()).containsExactlyInAnyOrder(Role.values());
    server =
        TokenServer.start(
            folder,
            ServerConfig.builder().engine("memory").blobVersioning(true).blobImmutability(true));
    server.assign("setup", Role.BLOB_DATA_OWNER, "devstoreaccount1");
    server.assign("setup", Role.QUEUE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.assign("setup", Role.TABLE_DATA_CONTRIBUTOR, "devstoreaccount1");
    ROLES.forEach(
        (name, role) -> server.assign(name, role, role.isOfServer() ? "/" : "devstoreaccount1"));
    server.awaitRoles();
    assertThat(ask("setup", "blob", "PUT", "/ccc?restype=container").status()).isEqualTo(201);
    assertThat(ask("setup", "blob", "PUT", "/ccc/b", "x-ms-blob-type: BlockBlob").status())
        .isEqualTo(201);
    ask("setup", "blob", "PUT", "/ccc/full", "x-ms-blob-type: BlockBlob", "\nx");
    assertThat(ask("setup", "queue", "PUT", "/tasks").status()).isEqualTo(201);
    assertThat(ask("setup", "table", "POST", "/Tables", "{\"TableName\":\"orders\"}").status())
        .isEqualTo(201);
  }

  @AfterEach
  void count() {
    RUN.incrementAndGet();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void containers() {
    check("blob", "GET", "/?comp=list", "BR BC BO AC");
    check("blob", "PUT", "/new?restype=container", "BC BO AC");
    check("blob", "DELETE", "/none?restype=container", "BC BO AC");
    check("blob", "GET", "/ccc?restype=container", "BR BC BO AC");
    check("blob", "PUT", "/none?restype=container&comp=metadata", "BC BO AC");
    check(
        "blob",
        "PUT",
        "/none?restype=container&comp=lease",
        "BC BO AC",
        "x-ms-lease-action: acquire",
        "x-ms-lease-duration: 15");
    for (String action : List.of("renew", "change", "release", "break")) {
      check(
          "blob",
          "PUT",
          "/none?restype=container&comp=lease",
          "BC BO AC",
          "x-ms-lease-action: " + action,
          "x-ms-lease-id: " + LEASE,
          "x-ms-proposed-lease-id: " + LEASE);
    }
    check("blob", "HEAD", "/ccc?restype=container&comp=metadata", "BR BC BO AC");
    check(
        "blob",
        "PUT",
        "/none?restype=container&comp=undelete",
        "BC BO AC",
        "x-ms-deleted-container-name: none",
        "x-ms-deleted-container-version: 01D60F8BB59A4652");
    check("blob", "GET", "/ccc?restype=container&comp=acl", "BO AC");
    check("blob", "PUT", "/none?restype=container&comp=acl", "BO AC");
    check("blob", "GET", "/ccc?restype=container&comp=list", "BR BC BO");
    check("blob", "GET", "/ccc?restype=container&comp=list&include=tags", "BO");
    check("blob", "GET", "/?comp=blobs&where=%22a%22%3D%27b%27", "BO");
    check("blob", "GET", "/ccc?restype=container&comp=blobs&where=%22a%22%3D%27b%27", "BO");
  }

  @Test
  void blobs() {
    String block = "x-ms-blob-type: BlockBlob";
    check("blob", "GET", "/ccc/b", "BR BC BO");
    check("blob", "HEAD", "/ccc/b", "BR BC BO");
    check("blob", "GET", "/ccc/b?comp=blocklist", "BR BC BO");
    check("blob", "PUT", "/ccc/new", "BC BO", block);
    check("blob", "PUT", "/ccc/tagged", "BO", block, "x-ms-tags: a=b");
    check("blob", "PUT", "/ccc/new?comp=block&blockid=AAAA", "BC BO", "\n1");
    check("blob", "PUT", "/ccc/none?comp=appendblock", "BC BO", "\n1");
    check("blob", "PUT", "/ccc/none?comp=metadata", "BC BO");
    check("blob", "PUT", "/ccc/none?comp=properties", "BC BO");
    check("blob", "PUT", "/ccc/none?comp=tier", "BC BO", "x-ms-access-tier: Cool");
    check("blob", "PUT", "/ccc/none?comp=snapshot", "BC BO");
    check("blob", "PUT", "/ccc/none?comp=undelete", "BC BO");
    check("blob", "GET", "/ccc/b?comp=tags", "BO");
    check(
        "blob",
        "PUT",
        "/ccc/none?comp=tags",
        "BO",
        "\n<Tags><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tags>");
    check("blob", "GET", "/ccc/b", "BO", "x-ms-if-tags: \"a\" = 'b'");
    check("blob", "DELETE", "/ccc/none", "BC BO");
    check("blob", "DELETE", "/ccc/none?versionid=2024-01-02T03:04:05.6789012Z", "BO");
    check("blob", "PUT", "/ccc/none?comp=lease", "BC BO", "x-ms-lease-action: break");
    check(
        "blob",
        "PUT",
        "/ccc/none?comp=immutabilityPolicies",
        "BO",
        "x-ms-immutability-policy-until-date: Tue, 01 Jan 2030 00:00:00 GMT");
    check("blob", "PUT", "/ccc/copy", "BC BO", "x-ms-copy-source: " + server.url("blob", "/ccc/b"));
  }

  @Test
  void moreOfBlobs() {
    String source = "x-ms-copy-source: " + server.url("blob", "/ccc/full");
    check("blob", "GET", "/ccc/b?comp=metadata", "BR BC BO");
    check("blob", "GET", "/ccc/b?comp=pagelist", "BR BC BO");
    check("blob", "PUT", "/ccc/listed?comp=blocklist", "BC BO", "\n<BlockList/>");
    check(
        "blob",
        "PUT",
        "/ccc/none?comp=page",
        "BC BO",
        "x-ms-page-write: clear",
        "x-ms-range: bytes=0-511");
    check(
        "blob",
        "PUT",
        "/ccc/none?comp=page",
        "BC BO",
        "x-ms-page-write: update",
        "x-ms-range: bytes=0-511",
        "\n" + "x".repeat(512));
    check("blob", "PUT", "/ccc/copied", "BC BO", source, "x-ms-blob-type: BlockBlob");
    check("blob", "PUT", "/ccc/blocks?comp=block&blockid=AAAA", "BC BO", source);
    check("blob", "PUT", "/ccc/none?comp=appendblock", "BC BO", source);
    check("blob", "PUT", "/ccc/none?comp=copy&copyid=" + LEASE, "BC BO", "x-ms-copy-action: abort");
    check("blob", "PUT", "/ccc/none?comp=expiry", "BC BO", "x-ms-expiry-option: NeverExpire");
    check("blob", "PUT", "/ccc/none?comp=seal", "BC BO");
    check("blob", "PUT", "/ccc/none?comp=legalhold", "BO", "x-ms-legal-hold: true");
    check("blob", "DELETE", "/ccc/none?comp=immutabilityPolicies", "BO");
    for (String action : List.of("acquire", "renew", "change", "release")) {
      check(
          "blob",
          "PUT",
          "/ccc/none?comp=lease",
          "BC BO",
          "x-ms-lease-action: " + action,
          "x-ms-lease-duration: 15",
          "x-ms-lease-id: " + LEASE,
          "x-ms-proposed-lease-id: " + LEASE);
    }
  }

  @Test
  void servicesAndKeys() {
    String info = "\n<KeyInfo><Expiry>" + TokenServer.inAnHour() + "</Expiry></KeyInfo>";
    for (String service : List.of("blob", "queue", "table")) {
      check(service, "GET", "/?restype=service&comp=properties", "AC");
    }
    check(
        "blob",
        "PUT",
        "/?restype=service&comp=properties",
        "AC",
        "\n<StorageServiceProperties><Cors/></StorageServiceProperties>");
    for (String service : List.of("queue", "table")) {
      check(
          service,
          "PUT",
          "/?restype=service&comp=properties",
          "AC",
          "\n<StorageServiceProperties><Cors/></StorageServiceProperties>");
    }
    check("blob", "GET", "/?restype=account&comp=properties", "BR BC BO BD AC");
    check("blob", "POST", "/?restype=service&comp=userdelegationkey", "BR BC BO BD AC", info);
    check("queue", "POST", "/?restype=service&comp=userdelegationkey", "QR QC QP QS QD AC", info);
  }

  @Test
  void queues() {
    String message = "\n<QueueMessage><MessageText>a</MessageText></QueueMessage>";
    check("queue", "GET", "/?comp=list", "QR QC AC");
    check("queue", "PUT", "/more", "QC AC");
    check("queue", "DELETE", "/none", "QC AC");
    check("queue", "GET", "/tasks?comp=metadata", "QR QC AC");
    check("queue", "PUT", "/none?comp=metadata", "QC AC");
    check("queue", "GET", "/tasks?comp=acl", "AC");
    check("queue", "PUT", "/none?comp=acl", "AC");
    check("queue", "POST", "/none/messages", "QC QS", message);
    check("queue", "GET", "/none/messages", "QC QP");
    check("queue", "GET", "/none/messages?numofmessages=2", "QC QP");
    check("queue", "GET", "/tasks/messages?peekonly=true", "QR QC QP");
    check("queue", "GET", "/tasks/messages?peekonly=true&numofmessages=2", "QR QC QP");
    check("queue", "PUT", "/none/messages/1?popreceipt=A&visibilitytimeout=0", "QC", message);
    check("queue", "DELETE", "/none/messages/1?popreceipt=A", "QC QP");
    check("queue", "DELETE", "/none/messages", "QC");
  }

  @Test
  void tables() {
    String entity = "{\"PartitionKey\":\"a\",\"RowKey\":\"b\"}";
    String key = "(PartitionKey='a',RowKey='none')";
    check("table", "GET", "/Tables", "TR TC AC");
    check("table", "GET", "/Tables('orders')", "TR TC AC");
    check("table", "POST", "/Tables", "TC AC", "{\"TableName\":\"more\"}");
    check("table", "DELETE", "/Tables('none')", "TC AC");
    check("table", "GET", "/orders()", "TR TC");
    check("table", "GET", "/orders" + key, "TR TC");
    check("table", "POST", "/none", "TC", entity);
    check("table", "PUT", "/none" + key, "TC", "{}");
    check("table", "PUT", "/none" + key, "TC", "If-Match: *", "{}");
    check("table", "MERGE", "/none" + key, "TC", "{}");
    check("table", "MERGE", "/none" + key, "TC", "If-Match: *", "{}");
    check("table", "DELETE", "/none" + key, "TC", "If-Match: *");
  }

  @Test
  void accessListsOfTablesDoNotExistForTokens() {
    for (String name : ROLES.keySet()) {
      TokenServer.Answer answer = ask(name, "table", "GET", "/orders?comp=acl");
      assertThat(answer.status()).as(name).isEqualTo(404);
      assertThat(answer.code()).as(name).isEqualTo("ResourceNotFound");
    }
  }

  @Test
  void aRemovedRoleEndsWithinSeconds() {
    server.assign("leaver", Role.TABLE_DATA_READER, "devstoreaccount1/table/orders");
    await().until(() -> ask("leaver", "table", "GET", "/orders()").status() == 200);
    new RoleFile(folder.resolve("roles"))
        .edit(
            set ->
                new RoleSet(
                    set.assignments().stream()
                        .filter(one -> !one.principal().value().equals("leaver"))
                        .toList()));
    await().until(() -> ask("leaver", "table", "GET", "/orders()").status() == 403);
  }

  /** Ends with the class, so that a single test can be run. */
  @AfterAll
  static void everyOperationWasAskedFor() throws ReflectiveOperationException {
    if (RUN.get() < TESTS) {
      return;
    }
    Set<String> all = new TreeSet<>();
    for (String routes :
        List.of("blob.protocol.Blob", "queue.protocol.Queue", "table.protocol.Table")) {
      for (Object route :
          Class.forName("io.lazuli.server." + routes + "Route").getEnumConstants()) {
        all.add(((OperationType) route).documentedName());
      }
    }
    all.removeAll(ELSEWHERE);
    assertThat(ASKED).containsAll(all);
  }

  private static void check(
      String service, String method, String target, String allowed, String... more) {
    ASKED.add(operation(service, method, target, more));
    List<String> found = new ArrayList<>();
    for (String name : ROLES.keySet()) {
      TokenServer.Answer answer = ask(name, service, method, target, more);
      if (answer.status() == 403) {
        assertThat(answer.code())
            .as(name + " " + target)
            .isEqualTo("AuthorizationPermissionMismatch");
      } else {
        assertThat(answer.status()).as(name + " " + target).isNotIn(400, 401, 405, 500, 501);
        found.add(name);
      }
    }
    assertThat(new TreeSet<>(found))
        .as(service + " " + method + " " + target)
        .isEqualTo(new TreeSet<>(List.of(allowed.split(" "))));
    assertThat(ask("nobody", service, method, target, more).status()).isEqualTo(403);
  }

  private static String operation(String service, String method, String target, String... more) {
    String[] headers =
        Arrays.stream(more)
            .filter(each -> !each.startsWith("\n") && !each.startsWith("{"))
            .flatMap(each -> Stream.of(each.split(": ", 2)))
            .toArray(String[]::new);
    StorageService found =
        StorageService.ALL.stream().filter(one -> one.label().equals(service)).findFirst().get();
    Request request = TestRequests.of(method, "/devstoreaccount1" + target, headers);
    Addressing addressing = new Addressing(null, "devstoreaccount1"::equals);
    return found.operations().apply(request.withAddress(addressing.find(request))).documentedName();
  }

  private static TokenServer.Answer ask(
      String subject, String service, String method, String target, String... more) {
    return server.ask(server.token(subject), service, method, target, more);
  }
}
