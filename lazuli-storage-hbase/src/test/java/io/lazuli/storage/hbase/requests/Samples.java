package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table, queues and a container of one group of clients, with values that follow from their keys.
 * Every answer is compared with them. Thread-safe.
 */
final class Samples {
  static final int VALUE_BYTES = 380;
  static final int SCANNED = 100;

  private static final int SCANS = 2;
  private static final int BLOBS = 4;

  /** More than a client can take in the second for which a message is invisible. */
  private static final int MESSAGES = 250;

  private static final int UPLOADERS = 16;
  private static final String POLICY = "reader";

  /** Contents of more than 64 KiB are stored as chunks. */
  private static final int BLOB_BYTES = 96 << 10;

  private static final Pattern MESSAGE =
      Pattern.compile(
          "<DequeueCount>(\\d+)</DequeueCount>.*<MessageText>([^<]*)</MessageText>",
          Pattern.DOTALL);

  private final TestAccount account;
  private final String group;
  private final int points;
  private final int queues;
  private final AtomicLong fresh = new AtomicLong();

  /** The values of the entities that are read, which are too expensive to compute again. */
  private final Map<String, String> values = new ConcurrentHashMap<>();

  private final byte[][] blobs = new byte[BLOBS][];

  /** The inserted entities, and whether the server acknowledged them. */
  private final Map<String, Boolean> inserted = new ConcurrentHashMap<>();

  /** The highest count with which each message was handed out. */
  private final Map<String, Integer> handedOut = new ConcurrentHashMap<>();

  /**
   * @param group the name of the table and of the container, and the first part of all keys
   * @param points the number of partitions with one entity
   * @param queues the number of queues; each client has one
   */
  Samples(TestAccount account, String group, int points, int queues) {
    this.account = account;
    this.group = group;
    this.points = points;
    this.queues = queues;
    for (int i = 0; i < BLOBS; i++) {
      blobs[i] = new byte[BLOB_BYTES];
      new Random(blobPath(i).hashCode()).nextBytes(blobs[i]);
    }
  }

  /** Stores everything that is read later. Blocks. */
  void store() throws IOException {
    storeEntities();
    create(new Upload(Service.BLOB, "PUT", "/" + group + "?restype=container", new byte[0]));
    List<Upload> uploads = new ArrayList<>();
    for (int i = 0; i < BLOBS; i++) {
      uploads.add(new Upload(Service.BLOB, "PUT", blobPath(i), blobs[i]));
    }
    for (int queue = 0; queue < queues; queue++) {
      String path = "/" + queueName(queue);
      create(new Upload(Service.QUEUE, "PUT", path, new byte[0]));
      for (int i = 0; i < MESSAGES; i++) {
        String text = queueName(queue) + "-" + i;
        String body = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
        uploads.add(new Upload(Service.QUEUE, "POST", path + "/messages", body.getBytes(UTF_8)));
      }
    }
    uploadAll(uploads);
  }

  /** Stores only the entities. Blocks. */
  void storeEntities() throws IOException {
    byte[] name = ("{\"TableName\":\"" + group + "\"}").getBytes(UTF_8);
    create(new Upload(Service.TABLE, "POST", "/Tables", name));
    List<Upload> uploads = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      uploads.add(entityUpload("a" + i, "r"));
    }
    for (int i = 0; i < SCANS; i++) {
      for (int row = 0; row < SCANNED; row++) {
        uploads.add(entityUpload("s" + i, scannedRow(row)));
      }
    }
    uploadAll(uploads);
  }

  /** Stores a policy of the table, for {@link #grantedClient}. Blocks. */
  void storePolicy() throws IOException {
    String policies =
        "<SignedIdentifiers><SignedIdentifier><Id>"
            + POLICY
            + "</Id><AccessPolicy><Expiry>2099-01-01T00:00:00Z</Expiry>"
            + "<Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    try (SignedConnection connection = account.connect(Service.TABLE)) {
      expect(204, connection.send("PUT", "/" + group + "?comp=acl", policies));
    }
  }

  private record Upload(Service service, String method, String path, byte[] body) {}

  private Upload entityUpload(String partition, String row) {
    byte[] body = entity(partition, row).getBytes(UTF_8);
    return new Upload(Service.TABLE, "POST", "/" + group, body);
  }

  private void create(Upload upload) throws IOException {
    try (SignedConnection connection = account.connect(upload.service)) {
      send(upload, connection);
    }
  }

  private void uploadAll(List<Upload> uploads) {
    Queue<Upload> left = new ConcurrentLinkedQueue<>(uploads);
    ExecutorService threads = Executors.newFixedThreadPool(UPLOADERS);
    try {
      CompletableFuture<?>[] all = new CompletableFuture<?>[UPLOADERS];
      for (int i = 0; i < UPLOADERS; i++) {
        all[i] = CompletableFuture.runAsync(() -> uploadSome(left), threads);
      }
      CompletableFuture.allOf(all).join();
    } finally {
      threads.shutdownNow();
    }
  }

  private void uploadSome(Queue<Upload> left) {
    Map<Service, SignedConnection> connections = new EnumMap<>(Service.class);
    try {
      for (Upload next = left.poll(); next != null; next = left.poll()) {
        send(next, connections.computeIfAbsent(next.service, account::connect));
      }
      for (SignedConnection connection : connections.values()) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(Upload upload, SignedConnection connection) throws IOException {
    Map<String, String> headers =
        upload.service == Service.BLOB ? Map.of("x-ms-blob-type", "BlockBlob") : Map.of();
    Answer answer = connection.send(upload.method, upload.path, headers, upload.body);
    while (answer.status() == 503) {
      answer = connection.send(upload.method, upload.path, headers, upload.body);
    }
    expect(upload.service == Service.TABLE ? 204 : 201, answer);
  }

  private static void expect(int status, Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
  }

  /** A client with its own connection. Used by one thread. */
  interface Client extends AutoCloseable {
    /**
     * Makes one request and checks its answer. Blocks.
     *
     * @throws AssertionError if the answer is wrong
     */
    Outcome request();

    @Override
    void close();
  }

  /** Creates a client that makes requests of one kind. */
  Client client(Kind kind, int number) {
    return client(kind, number, account);
  }

  /** Creates a client of the same account on another server. */
  Client client(Kind kind, int number, TestAccount through) {
    return client(through.connect(kind.service), connection -> request(kind, number, connection));
  }

  /** Creates a client that reads entities because a stored policy grants it. */
  Client grantedClient() {
    String grant = "?" + account.grant(group, POLICY);
    return client(account.connect(Service.TABLE), connection -> pointGet(connection, grant));
  }

  private interface Sending {
    Outcome send(SignedConnection connection) throws IOException;
  }

  private static Client client(SignedConnection connection, Sending sending) {
    return new Client() {
      @Override
      public Outcome request() {
        try {
          return sending.send(connection);
        } catch (IOException e) {
          return Outcome.BROKEN;
        }
      }

      @Override
      public void close() {
        try {
          connection.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private Outcome request(Kind kind, int number, SignedConnection connection) throws IOException {
    return switch (kind) {
      case POINT_GET -> pointGet(connection, "");
      case INSERT -> insert(number, connection);
      case SCAN -> scan(connection);
      case QUEUE_GET -> queueGet(number % queues, connection);
      case BLOB_GET -> blobGet(connection);
    };
  }

  private Outcome pointGet(SignedConnection connection, String query) throws IOException {
    String partition = "a" + ThreadLocalRandom.current().nextInt(points);
    Answer answer = connection.send("GET", entityPath(partition, "r") + query, "");
    if (answer.isRefused()) {
      return Outcome.REFUSED;
    }
    expect(200, answer);
    assertThat(answer.text()).contains(value(partition, "r"));
    return Outcome.SERVED;
  }

  private Outcome insert(int number, SignedConnection connection) throws IOException {
    String partition = "t" + number;
    String row = String.valueOf(fresh.incrementAndGet());
    inserted.put(partition + "/" + row, false);
    Answer answer = connection.send("POST", "/" + group, entity(partition, row));
    if (answer.isRefused()) {
      return Outcome.REFUSED;
    }
    expect(204, answer);
    inserted.put(partition + "/" + row, true);
    return Outcome.SERVED;
  }

  private Outcome scan(SignedConnection connection) throws IOException {
    String partition = "s" + ThreadLocalRandom.current().nextInt(SCANS);
    String query = "/" + group + "()?$filter=PartitionKey%20eq%20'" + partition + "'";
    Answer answer = connection.send("GET", query, "");
    if (answer.isRefused()) {
      return Outcome.REFUSED;
    }
    expect(200, answer);
    String text = answer.text();
    int at = 0;
    for (int row = 0; row < SCANNED; row++) {
      at = text.indexOf(value(partition, scannedRow(row)), at);
      assertThat(at).as("row %d of %s", row, text).isPositive();
    }
    assertThat(text.split("\"RowKey\"", -1)).hasSize(SCANNED + 1);
    return Outcome.SERVED;
  }

  private Outcome queueGet(int queue, SignedConnection connection) throws IOException {
    String path = "/" + queueName(queue) + "/messages?visibilitytimeout=1";
    Answer answer = connection.send("GET", path, "");
    if (answer.isRefused()) {
      return Outcome.REFUSED;
    }
    expect(200, answer);
    Matcher message = MESSAGE.matcher(answer.text());
    assertThat(message.find()).as(answer.text()).isTrue();
    int count = Integer.parseInt(message.group(1));
    assertThat(message.group(2)).startsWith(queueName(queue) + "-");
    Integer before = handedOut.put(message.group(2), count);
    assertThat(before == null ? 0 : before).as(answer.text()).isLessThan(count);
    return Outcome.SERVED;
  }

  private Outcome blobGet(SignedConnection connection) throws IOException {
    int number = ThreadLocalRandom.current().nextInt(BLOBS);
    Answer answer = connection.send("GET", blobPath(number), "");
    if (answer.isRefused()) {
      return Outcome.REFUSED;
    }
    expect(200, answer);
    assertThat(Arrays.equals(answer.body(), blobs[number])).as("blob %d", number).isTrue();
    return Outcome.SERVED;
  }

  /** Checks that every acknowledged insert can be read, and returns their number. Blocks. */
  long requireInserted() throws IOException {
    long acknowledged = 0;
    try (SignedConnection connection = account.connect(Service.TABLE)) {
      for (Map.Entry<String, Boolean> each : inserted.entrySet()) {
        String[] keys = each.getKey().split("/", 2);
        Answer answer = connection.send("GET", entityPath(keys[0], keys[1]), "");
        if (each.getValue() || answer.status() != 404) {
          expect(200, answer);
          assertThat(answer.text()).contains(value(keys[0], keys[1]));
        }
        acknowledged += each.getValue() ? 1 : 0;
      }
    }
    inserted.clear();
    return acknowledged;
  }

  private String entityPath(String partition, String row) {
    return "/" + group + "(PartitionKey='" + partition + "',RowKey='" + row + "')";
  }

  private String entity(String partition, String row) {
    return "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\",\"Text\":\"%s\"}"
        .formatted(partition, row, value(partition, row));
  }

  private static String scannedRow(int row) {
    return String.format("%03d", row);
  }

  private String value(String partition, String row) {
    return partition.startsWith("t")
        ? newValue(partition, row)
        : values.computeIfAbsent(partition + "/" + row, key -> newValue(partition, row));
  }

  /** Returns letters and digits that no compression makes much smaller. */
  private String newValue(String partition, String row) {
    Random random = new Random((group + "/" + partition + "/" + row).hashCode());
    StringBuilder text = new StringBuilder(VALUE_BYTES);
    random.ints(VALUE_BYTES, 0, 36).forEach(digit -> text.append(Character.forDigit(digit, 36)));
    return text.toString();
  }

  private String queueName(int queue) {
    return String.format("%s-%02d", group, queue);
  }

  private String blobPath(int number) {
    return "/" + group + "/b" + number;
  }
}
