package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobSignedIdentifier;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What users of the official Java clients may do with each role, and with a role on one container,
 * queue or table. The expectations are Azure's built-in roles, written out here.
 */
class RolesIT {
  private static final Map<String, String> ROLES = roles();
  private static final String ACCOUNT = "devstoreaccount1";

  @TempDir private static Path folder;
  private static DevCert certificate;
  private static ServerProcess server;
  private static LoopbackIssuer issuer;
  private static Map<String, Clients> clients;

  private static Map<String, String> roles() {
    Map<String, String> roles = new LinkedHashMap<>();
    roles.put("BR", "storage-blob-data-reader");
    roles.put("BC", "storage-blob-data-contributor");
    roles.put("BO", "storage-blob-data-owner");
    roles.put("BD", "storage-blob-delegator");
    roles.put("QR", "storage-queue-data-reader");
    roles.put("QC", "storage-queue-data-contributor");
    roles.put("QP", "storage-queue-data-message-processor");
    roles.put("QS", "storage-queue-data-message-sender");
    roles.put("TR", "storage-table-data-reader");
    roles.put("TC", "storage-table-data-contributor");
    roles.put("AC", "storage-account-contributor");
    return roles;
  }

  /** The clients of one subject. */
  private record Clients(
      BlobServiceClient blobs, QueueServiceClient queues, TableServiceClient tables) {
    static Clients of(TokenCredential credential) {
      return new Clients(
          new BlobServiceClientBuilder()
              .endpoint(endpoint(StorageService.BLOB))
              .credential(credential)
              .httpClient(certificate.trusting())
              .buildClient(),
          new QueueServiceClientBuilder()
              .endpoint(endpoint(StorageService.QUEUE))
              .credential(credential)
              .httpClient(certificate.trusting())
              .buildClient(),
          new TableServiceClientBuilder()
              .endpoint(endpoint(StorageService.TABLE))
              .credential(credential)
              .httpClient(certificate.trusting())
              .buildClient());
    }

    BlobContainerClient box() {
      return blobs.getBlobContainerClient("box");
    }

    QueueClient jobs() {
      return queues.getQueueClient("jobs");
    }

    TableClient staff() {
      return tables.getTableClient("Staff");
    }
  }

  private static String endpoint(StorageService service) {
    return server.account(service).endpoint().toString();
  }

  @BeforeAll
  static void start() throws IOException {
    issuer = LoopbackIssuer.start();
    StringBuilder roles = new StringBuilder("lazuli roles 1\n");
    ROLES.forEach((name, role) -> assign(roles, role, ACCOUNT, name));
    for (String role : List.of(ROLES.get("BO"), ROLES.get("QC"), ROLES.get("TC"))) {
      assign(roles, role, ACCOUNT, "setup");
    }
    assign(roles, ROLES.get("BO"), ACCOUNT + "/blob/box", "scoped");
    assign(roles, ROLES.get("QC"), ACCOUNT + "/queue/jobs", "scoped");
    assign(roles, ROLES.get("TC"), ACCOUNT + "/table/Staff", "scoped");
    Path file = LoopbackIssuer.roles(folder, roles.toString());
    certificate = DevCert.make(folder);
    server =
        certificate.startServer(folder, "--oidc-issuer", issuer.name(), "--roles", file.toString());
    clients = new LinkedHashMap<>();
    for (String subject : ROLES.keySet()) {
      clients.put(subject, Clients.of(issuer.credential(subject)));
    }
    for (String subject : List.of("setup", "scoped", "nobody")) {
      clients.put(subject, Clients.of(issuer.credential(subject)));
    }
    Clients setup = of("setup");
    setup.blobs.createBlobContainer("box");
    setup.blobs.createBlobContainer("boxes");
    setup.box().getBlobClient("a").upload(BinaryData.fromString("hello"));
    setup
        .blobs
        .getBlobContainerClient("boxes")
        .getBlobClient("a")
        .upload(BinaryData.fromString("x"));
    setup.queues.createQueue("jobs");
    setup.queues.createQueue("jobs2");
    setup.tables.createTable("Staff");
    setup.tables.createTable("Staff2");
    setup.staff().createEntity(new TableEntity("p", "r"));
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
  }

  private static void assign(StringBuilder roles, String role, String scope, String subject) {
    roles.append("assign ").append(role).append(' ').append(scope).append(" * sub ");
    roles.append(subject).append('\n');
  }

  private static Clients of(String subject) {
    return clients.get(subject);
  }

  private static String fresh() {
    return "n" + UUID.randomUUID().toString().replace("-", "");
  }

  @Test
  void blobs() {
    may("BR BC BO AC", one -> one.blobs.listBlobContainers().forEach(found -> {}));
    may("BC BO AC", one -> one.blobs.createBlobContainer(fresh()));
    may("BC BO AC", one -> one.blobs.deleteBlobContainer(fresh()));
    may("BR BC BO AC", one -> one.box().getProperties());
    may("BC BO AC", one -> one.box().setMetadata(Map.of("a", "b")));
    may("BO AC", one -> one.box().getAccessPolicy());
    may(
        "BO AC",
        one -> one.box().setAccessPolicy((PublicAccessType) null, List.<BlobSignedIdentifier>of()));
    may("BR BC BO", one -> one.box().listBlobs().forEach(found -> {}));
    may("BO", one -> one.blobs.findBlobsByTags("\"a\" = 'b'").forEach(found -> {}));
    may("BR BC BO", one -> one.box().getBlobClient("a").downloadContent());
    may("BR BC BO", one -> one.box().getBlobClient("a").getProperties());
    may("BC BO", one -> one.box().getBlobClient(fresh()).upload(BinaryData.fromString("x")));
    may("BC BO", one -> one.box().getBlobClient("a").setMetadata(Map.of("a", "b")));
    may("BC BO", one -> one.box().getBlobClient("a").createSnapshot());
    may("BO", one -> one.box().getBlobClient("a").setTags(Map.of("a", "b")));
    may("BO", one -> one.box().getBlobClient("a").getTags());
    may("BC BO", one -> one.box().getBlobClient(fresh()).delete());
    may("AC", one -> one.blobs.getProperties());
    may(
        "BR BC BO BD AC",
        one ->
            one.blobs.getUserDelegationKey(null, OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)));
  }

  @Test
  void queues() {
    may("QR QC AC", one -> one.queues.listQueues().forEach(found -> {}));
    may("QC AC", one -> one.queues.createQueue(fresh()));
    may("QC AC", one -> one.queues.deleteQueue(fresh()));
    may("QR QC AC", one -> one.jobs().getProperties());
    may("QC AC", one -> one.jobs().setMetadata(Map.of("a", "b")));
    may("QC QS", one -> one.jobs().sendMessage("hello"));
    may("QC QP", one -> one.jobs().receiveMessage());
    may("QR QC QP", one -> one.jobs().peekMessage());
    may(
        "QC",
        one -> one.jobs().updateMessage("missing", "AgAAAAMAAAAAAAAA", "x", Duration.ofSeconds(1)));
    may("QC QP", one -> one.jobs().deleteMessage("missing", "AgAAAAMAAAAAAAAA"));
    may("QC", one -> one.jobs().clearMessages());
    may("AC", one -> one.queues.getProperties());
  }

  @Test
  void tables() {
    TableEntity entity = new TableEntity("p", "r");
    may("TR TC AC", one -> one.tables.listTables().forEach(found -> {}));
    may("TC AC", one -> one.tables.createTable(fresh()));
    may("TC AC", one -> one.tables.deleteTable(fresh()));
    may("TR TC", one -> one.staff().getEntity("p", "r"));
    may("TR TC", one -> one.staff().listEntities().forEach(found -> {}));
    may("TC", one -> one.staff().createEntity(new TableEntity("p", fresh())));
    may("TC", one -> one.staff().upsertEntity(entity));
    may("TC", one -> one.staff().updateEntity(entity));
    may("TC", one -> one.staff().deleteEntity("p", fresh()));
    may(
        "TC",
        one ->
            one.staff()
                .submitTransaction(
                    List.of(
                        new TableTransactionAction(
                            TableTransactionActionType.UPSERT_MERGE, entity))));
    may("AC", one -> one.tables.getProperties());
  }

  @Test
  void aRoleOnOneThingOpensThisThing() {
    Clients scoped = of("scoped");
    List<Consumer<Clients>> open = new ArrayList<>();
    open.add(one -> one.box().getBlobClient("a").downloadContent());
    open.add(one -> one.box().getBlobClient("new").upload(BinaryData.fromString("x"), true));
    open.add(one -> one.jobs().sendMessage("hello"));
    open.add(one -> one.staff().upsertEntity(new TableEntity("p", "q")));
    open.forEach(action -> assertThat(isAllowed(scoped, action)).isTrue());
    List<Consumer<Clients>> closed = new ArrayList<>();
    closed.add(
        one -> one.blobs.getBlobContainerClient("boxes").getBlobClient("a").downloadContent());
    closed.add(one -> one.blobs.listBlobContainers().forEach(found -> {}));
    closed.add(one -> one.blobs.createBlobContainer("boxed"));
    closed.add(one -> one.queues.getQueueClient("jobs2").sendMessage("hello"));
    closed.add(one -> one.queues.listQueues().forEach(found -> {}));
    closed.add(one -> one.tables.getTableClient("Staff2").upsertEntity(new TableEntity("p", "q")));
    closed.add(one -> one.tables.listTables().forEach(found -> {}));
    closed.forEach(action -> assertThat(isAllowed(scoped, action)).isFalse());
  }

  /** Checks that exactly the named roles allow an operation. */
  private static void may(String allowed, Consumer<Clients> operation) {
    Set<String> found = new TreeSet<>();
    for (String name : ROLES.keySet()) {
      if (isAllowed(of(name), operation)) {
        found.add(name);
      }
    }
    assertThat(found).isEqualTo(new TreeSet<>(List.of(allowed.split(" "))));
    assertThat(isAllowed(of("nobody"), operation)).isFalse();
  }

  /** Returns whether an operation was not refused. It may still find nothing. */
  private static boolean isAllowed(Clients subject, Consumer<Clients> operation) {
    try {
      operation.accept(subject);
      return true;
    } catch (HttpResponseException e) {
      return isAllowed(e.getResponse().getStatusCode(), e);
    }
  }

  private static boolean isAllowed(int status, HttpResponseException refusal) {
    assertThat(status).as(refusal.toString()).isIn(400, 403, 404, 409, 412);
    if (status == 403) {
      assertThat(
              refusal
                  .getResponse()
                  .getHeaders()
                  .getValue(HttpHeaderName.fromString("x-ms-error-code")))
          .isEqualTo("AuthorizationPermissionMismatch");
    }
    return status != 403;
  }
}
