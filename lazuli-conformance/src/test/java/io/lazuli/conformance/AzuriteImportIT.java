package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobAccessPolicy;
import com.azure.storage.blob.models.BlobContainerAccessPolicies;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobSignedIdentifier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.BlockList;
import com.azure.storage.blob.models.BlockListType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.specialized.AppendBlobClient;
import com.azure.storage.blob.specialized.BlockBlobClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueAccessPolicy;
import com.azure.storage.queue.models.QueueSignedIdentifier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fills the real Azurite through the official clients, imports its folder, and compares all
 * entities, messages and bytes of both servers.
 */
@Tag("long")
class AzuriteImportIT {

  private static final int ENTITIES = 2_000;
  private static final int MESSAGES = 300;
  private static final int BLOBS = 60;
  private static final OffsetDateTime POLICY_START =
      OffsetDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
  private static final OffsetDateTime POLICY_END = POLICY_START.plusYears(10);

  @TempDir private Path folder;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void theImportBringsAllDataOfAzurite() throws IOException, InterruptedException {
    System.out.println("[INFO] import from Azurite: seed " + seed);
    Path location = folder.resolve("azurite");
    try (Azurite azurite = Azurite.start(location)) {
      fillTables(tables(azurite.account(StorageService.TABLE)));
      fillQueues(queues(azurite.account(StorageService.QUEUE)));
      fillBlobs(blobs(azurite.account(StorageService.BLOB)));
      azurite.stop();
    }
    importFrom(location);
    try (Azurite azurite = Azurite.start(location);
        ServerProcess server =
            ServerProcess.start(AccountUnderTest.serverJar(), folder.resolve("server"))) {
      compareTables(
          tables(azurite.account(StorageService.TABLE)),
          tables(server.account(StorageService.TABLE)));
      compareBlobs(
          blobs(azurite.account(StorageService.BLOB)), blobs(server.account(StorageService.BLOB)));
      compareQueues(
          queues(azurite.account(StorageService.QUEUE)),
          queues(server.account(StorageService.QUEUE)));
    }
  }

  private void importFrom(Path location) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-Xmx64m",
                "-jar",
                AccountUnderTest.serverJar().toString(),
                "import",
                "azurite",
                location.toString(),
                "--data",
                folder.resolve("server").resolve("data").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.println("[INFO] " + said.strip().lines().reduce((a, b) -> b).orElse(""));
    assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
  }

  private void fillTables(TableServiceClient service) {
    TableClient table = service.createTable("Rows");
    List<TableTransactionAction> batch = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      batch.add(
          new TableTransactionAction(
              TableTransactionActionType.CREATE, entity("p" + i / 100, "r" + i % 100)));
      if (batch.size() == 100) {
        table.submitTransaction(batch);
        batch.clear();
      }
    }
    service.createTable("Nothing");
  }

  private TableEntity entity(String partition, String row) {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return new TableEntity(partition, row)
        .addProperty("Text", text(random.nextInt(40)))
        .addProperty("Int", random.nextInt())
        .addProperty("Long", random.nextLong())
        .addProperty("Double", random.nextDouble() + 0.5)
        .addProperty("Flag", random.nextBoolean())
        .addProperty("Id", new UUID(random.nextLong(), random.nextLong()))
        .addProperty(
            "When", OffsetDateTime.of(2020, 1, 1, 0, 0, random.nextInt(60), 0, ZoneOffset.UTC))
        .addProperty("Bytes", bytes);
  }

  private String text(int length) {
    return random
        .ints(length, 0x20, 0x2fff)
        .filter(Character::isLetterOrDigit)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static void compareTables(TableServiceClient theirs, TableServiceClient ours) {
    assertThat(ours.listTables().stream().map(table -> table.getName()).sorted())
        .containsExactly("Nothing", "Rows");
    Map<String, Map<String, Object>> expected = entities(theirs.getTableClient("Rows"));
    assertThat(expected).hasSize(ENTITIES);
    assertThat(entities(ours.getTableClient("Rows")).toString()).isEqualTo(expected.toString());
  }

  /**
   * Returns the entities by their keys, without the ETags and timestamps, which the import does not
   * keep.
   */
  private static Map<String, Map<String, Object>> entities(TableClient table) {
    Map<String, Map<String, Object>> found = new TreeMap<>();
    for (TableEntity entity : table.listEntities()) {
      Map<String, Object> properties = new TreeMap<>(entity.getProperties());
      properties.keySet().removeIf(name -> name.startsWith("odata.") || name.equals("Timestamp"));
      properties.replaceAll(
          (name, value) -> value instanceof byte[] bytes ? Arrays.toString(bytes) : value);
      properties.replaceAll((name, value) -> value.getClass().getSimpleName() + " " + value);
      found.put(entity.getPartitionKey() + "/" + entity.getRowKey(), properties);
    }
    return found;
  }

  private void fillQueues(QueueServiceClient service) {
    QueueClient queue = service.createQueue("jobs");
    queue.setMetadata(Map.of("owner", "ada"));
    queue.setAccessPolicy(
        List.of(
            new QueueSignedIdentifier()
                .setId("workers")
                .setAccessPolicy(
                    new QueueAccessPolicy()
                        .setPermissions("rp")
                        .setStartsOn(POLICY_START)
                        .setExpiresOn(POLICY_END))));
    for (int i = 0; i < MESSAGES; i++) {
      queue.sendMessageWithResponse(
          BinaryData.fromString(i + text(random.nextInt(200))),
          i % 10 == 9 ? Duration.ofDays(6) : null,
          Duration.ofDays(30),
          null,
          Context.NONE);
    }
    queue
        .receiveMessages(20, Duration.ofSeconds(1), null, Context.NONE)
        .forEach(taken -> assertThat(taken.getDequeueCount()).isEqualTo(1));
  }

  private static void compareQueues(QueueServiceClient theirs, QueueServiceClient ours) {
    QueueClient their = theirs.getQueueClient("jobs");
    QueueClient our = ours.getQueueClient("jobs");
    assertThat(our.getProperties().getMetadata()).isEqualTo(their.getProperties().getMetadata());
    assertThat(queuePolicies(our)).isEqualTo(queuePolicies(their)).hasSize(1);
    assertThat(our.getProperties().getApproximateMessagesCountLong()).isEqualTo(MESSAGES);
    List<String> expected = messages(their);
    assertThat(expected).hasSize(MESSAGES - MESSAGES / 10);
    assertThat(messages(our)).isEqualTo(expected);
  }

  private static List<String> queuePolicies(QueueClient queue) {
    return queue.getAccessPolicy().stream()
        .map(
            each ->
                policy(
                    each.getId(),
                    each.getAccessPolicy().getPermissions(),
                    each.getAccessPolicy().getStartsOn(),
                    each.getAccessPolicy().getExpiresOn()))
        .toList();
  }

  private static String policy(
      String id, String permissions, OffsetDateTime start, OffsetDateTime end) {
    return String.join(
        " ", id, permissions, start.toInstant().toString(), end.toInstant().toString());
  }

  /**
   * Takes all visible messages, in their order. The one-second period of messages that were taken
   * before is over.
   */
  private static List<String> messages(QueueClient queue) {
    List<String> found = new ArrayList<>();
    for (int before = -1; before < found.size(); ) {
      before = found.size();
      queue
          .receiveMessages(32, Duration.ofHours(1), null, Context.NONE)
          .forEach(
              message ->
                  found.add(
                      message.getMessageId()
                          + " "
                          + message.getInsertionTime().toEpochSecond()
                          + " "
                          + message.getExpirationTime().toEpochSecond()
                          + " "
                          + message.getDequeueCount()
                          + " "
                          + message.getBody()));
    }
    return found;
  }

  private void fillBlobs(BlobServiceClient service) {
    BlobContainerClient box = service.createBlobContainer("box");
    box.setMetadata(Map.of("owner", "ada"));
    box.setAccessPolicy(
        PublicAccessType.BLOB,
        List.of(
            new BlobSignedIdentifier()
                .setId("readers")
                .setAccessPolicy(
                    new BlobAccessPolicy()
                        .setPermissions("rl")
                        .setStartsOn(POLICY_START)
                        .setExpiresOn(POLICY_END))));
    for (int i = 0; i < BLOBS; i++) {
      fillBlob(box, i);
      dress(box.getBlobClient(blobName(i)), i);
    }
    BlobClient emptied = box.getBlobClient("emptied");
    emptied.upload(BinaryData.fromBytes(bytes(100)));
    emptied.getBlockBlobClient().commitBlockList(List.of(), true);
  }

  private static String blobName(int number) {
    return "folder " + number % 7 + "/" + number;
  }

  /** Gives some blobs headers, correct, wrong or missing MD5s, metadata, tags and a tier. */
  private void dress(BlobClient blob, int number) {
    BlobHttpHeaders headers =
        new BlobHttpHeaders()
            .setContentType("text/x-" + number)
            .setContentEncoding("identity")
            .setContentLanguage("en")
            .setContentDisposition("inline; filename=" + number)
            .setCacheControl("max-age=" + number);
    if (number % 3 == 0) {
      blob.setHttpHeaders(number % 2 == 0 ? headers : headers.setContentMd5(bytes(16)));
      blob.setMetadata(Map.of("color", "blue", "number", String.valueOf(number)));
    }
    if (number % 5 == 0) {
      blob.setTags(Map.of("kind", "k" + number, "a b", "c/d"));
    }
    boolean tiered = number % 4 != 2;
    if (tiered && number % 3 == 1) {
      blob.setAccessTier(AccessTier.COOL);
    }
  }

  private void fillBlob(BlobContainerClient box, int number) {
    String name = blobName(number);
    switch (number % 4) {
      case 0 ->
          box.getBlobClient(name).upload(BinaryData.fromBytes(bytes(random.nextInt(300_000))));
      case 1 -> {
        BlockBlobClient blocks = box.getBlobClient(name).getBlockBlobClient();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(5); i++) {
          ids.add(Base64.getEncoder().encodeToString(("b" + i).getBytes(StandardCharsets.UTF_8)));
          blocks.stageBlock(ids.get(i), BinaryData.fromBytes(bytes(1 + random.nextInt(90_000))));
        }
        // Azurite saves an MD5 in another form if nobody reads it before it stops.
        BlobHttpHeaders headers = new BlobHttpHeaders().setContentMd5(bytes(16));
        blocks.commitBlockListWithResponse(ids, headers, null, null, null, null, Context.NONE);
        blocks.stageBlock("dXU=", BinaryData.fromBytes(bytes(10)));
      }
      case 2 -> {
        AppendBlobClient log = box.getBlobClient(name).getAppendBlobClient();
        log.create();
        for (int i = 0; i < random.nextInt(5); i++) {
          byte[] line = bytes(1 + random.nextInt(5_000));
          log.appendBlock(new ByteArrayInputStream(line), line.length);
        }
      }
      default -> {
        BlockBlobClient shot = box.getBlobClient(name).getBlockBlobClient();
        for (int i = 0; i < 3; i++) {
          byte[] content = bytes(random.nextInt(20_000));
          shot.upload(new ByteArrayInputStream(content), content.length, true);
          shot.setMetadata(Map.of("version", "v" + i));
          shot.createSnapshot();
        }
      }
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void compareBlobs(BlobServiceClient theirs, BlobServiceClient ours) {
    BlobContainerClient their = theirs.getBlobContainerClient("box");
    BlobContainerClient our = ours.getBlobContainerClient("box");
    assertThat(our.getProperties().getMetadata()).isEqualTo(their.getProperties().getMetadata());
    assertThat(access(our)).isEqualTo(access(their)).contains("readers");
    List<String> expected = blobs(their);
    assertThat(expected).hasSize(BLOBS + BLOBS / 4 * 3 + 1);
    assertThat(blobs(our)).isEqualTo(expected);
  }

  private static String access(BlobContainerClient box) {
    BlobContainerAccessPolicies policies = box.getAccessPolicy();
    return policies.getBlobAccessType()
        + " "
        + policies.getIdentifiers().stream()
            .map(
                each ->
                    policy(
                        each.getId(),
                        each.getAccessPolicy().getPermissions(),
                        each.getAccessPolicy().getStartsOn(),
                        each.getAccessPolicy().getExpiresOn()))
            .toList();
  }

  /**
   * Returns each blob and snapshot with its content, older snapshots first. Azurite lists snapshots
   * in any order, and the import does not keep their times.
   */
  private static List<String> blobs(BlobContainerClient box) {
    ListBlobsOptions options =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveSnapshots(true));
    Map<String, String> found = new TreeMap<>();
    for (BlobItem item : box.listBlobs(options, null)) {
      boolean snapshot = item.getSnapshot() != null;
      BlobClient blob =
          snapshot
              ? box.getBlobClient(item.getName(), item.getSnapshot())
              : box.getBlobClient(item.getName());
      found.put(
          item.getName() + " " + (snapshot ? item.getSnapshot() : "now"),
          item.getName()
              + (snapshot ? " snapshot " : " blob ")
              + described(blob.getProperties())
              + content(blob)
              + (snapshot ? "" : new TreeMap<>(blob.getTags())));
    }
    return List.copyOf(found.values());
  }

  private static String described(BlobProperties blob) {
    return Stream.of(
            blob.getBlobType(),
            blob.getContentType(),
            blob.getContentEncoding(),
            blob.getContentLanguage(),
            blob.getContentDisposition(),
            blob.getCacheControl(),
            blob.getContentMd5() == null ? null : HexFormat.of().formatHex(blob.getContentMd5()),
            blob.getAccessTier(),
            // If the tier is not inferred, Azurite sends false and Azure sends nothing.
            Boolean.TRUE.equals(blob.isAccessTierInferred()),
            new TreeMap<>(blob.getMetadata()))
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  private static String content(BlobClient blob) {
    byte[] content = blob.downloadContent().toBytes();
    boolean append = blob.getProperties().getBlobType() == BlobType.APPEND_BLOB;
    return " "
        + content.length
        + ":"
        + digest(content)
        + (append ? "" : blocks(blob.getBlockBlobClient().listBlocks(BlockListType.ALL)));
  }

  private static String blocks(BlockList list) {
    return Stream.concat(list.getCommittedBlocks().stream(), list.getUncommittedBlocks().stream())
        .map(block -> block.getName() + ":" + block.getSizeLong())
        .toList()
        .toString();
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TableServiceClient tables(Account account) {
    return new TableServiceClientBuilder()
        .connectionString(account.connectionString())
        .buildClient();
  }

  private static QueueServiceClient queues(Account account) {
    return new QueueServiceClientBuilder()
        .connectionString(account.connectionString())
        .buildClient();
  }

  private static BlobServiceClient blobs(Account account) {
    return new BlobServiceClientBuilder()
        .connectionString(account.connectionString())
        .buildClient();
  }
}
