package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A table of equal partitions, which a test spreads over region servers. A partition has some
 * entities that are read, and those that clients insert. Every answer is checked. Thread-safe.
 */
final class SpreadTable {
  /** Divisible by the numbers of region servers that are compared. */
  static final int PARTITIONS = 120;

  /** The number of entities that a query of a partition returns. */
  static final int PAGE = 20;

  /** The number of entities that a transaction inserts. */
  static final int BATCH = 10;

  private static final String VALUE = "v".repeat(Samples.VALUE_BYTES);

  private final TestAccount account;
  private final String name;
  private final AtomicLong fresh = new AtomicLong();

  /**
   * What a client does.
   *
   * @param gets the share of reads by key
   * @param inserts the share of inserts
   * @param queries the share of queries of a page
   * @param batches the share of transactions that insert {@link #BATCH} entities
   * @param hot the share of the requests that go to the first partition
   */
  record Mix(double gets, double inserts, double queries, double batches, double hot) {}

  SpreadTable(TestAccount account, String name) {
    this.account = account;
    this.name = name;
  }

  /** Stores the entities that are read. Blocks. */
  void store() throws IOException {
    try (SignedConnection connection = account.connect(Service.TABLE)) {
      expect(201, 204, connection.send("POST", "/Tables", "{\"TableName\":\"" + name + "\"}"));
      for (int partition = 0; partition < PARTITIONS; partition++) {
        for (int row = 0; row < PAGE; row++) {
          insert(connection, partition(partition), "r" + (100 + row));
        }
      }
    }
  }

  /** Creates a client of this table. */
  Samples.Client client(TestAccount through, Mix mix) {
    SignedConnection connection = through.connect(Service.TABLE);
    return new Samples.Client() {
      @Override
      public Outcome request() {
        try {
          return one(connection, mix);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
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

  private Outcome one(SignedConnection connection, Mix mix) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String partition = partition(random.nextDouble() < mix.hot ? 0 : random.nextInt(PARTITIONS));
    double what = random.nextDouble();
    if (what < mix.inserts) {
      insert(connection, partition, "z" + fresh.incrementAndGet());
    } else if (what < mix.inserts + mix.queries) {
      query(connection, partition);
    } else if (what < mix.inserts + mix.queries + mix.batches) {
      batch(connection, partition);
    } else {
      get(connection, partition);
    }
    return Outcome.SERVED;
  }

  private void get(SignedConnection connection, String partition) throws IOException {
    String row = "r" + (100 + ThreadLocalRandom.current().nextInt(PAGE));
    String path = "/" + name + "(PartitionKey='" + partition + "',RowKey='" + row + "')";
    Answer answer = connection.send("GET", path, "");
    expect(200, 200, answer);
    assertThat(answer.text()).contains(row).contains(VALUE);
  }

  private void insert(SignedConnection connection, String partition, String row)
      throws IOException {
    expect(204, 204, connection.send("POST", "/" + name, entity(partition, row)));
  }

  private static String entity(String partition, String row) {
    return "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\",\"Text\":\"%s\"}"
        .formatted(partition, row, VALUE);
  }

  private void batch(SignedConnection connection, String partition) throws IOException {
    StringBuilder body = new StringBuilder(8_192);
    body.append("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
    for (int i = 0; i < BATCH; i++) {
      body.append("--c\r\nContent-Type: application/http\r\n")
          .append("Content-Transfer-Encoding: binary\r\n\r\nPOST ")
          .append(account.server().tableEndpoint())
          .append('/')
          .append(name)
          .append(" HTTP/1.1\r\nContent-Type: application/json\r\n")
          .append("Prefer: return-no-content\r\n\r\n")
          .append(entity(partition, "z" + fresh.incrementAndGet()))
          .append("\r\n");
    }
    byte[] bytes = body.append("--c--\r\n--b--\r\n").toString().getBytes(UTF_8);
    Map<String, String> type = Map.of(SignedConnection.TYPE, "multipart/mixed; boundary=b");
    Answer answer = connection.send("POST", "/$batch", type, bytes);
    expect(202, 202, answer);
    assertThat(answer.text().split("204 No Content", -1)).hasSize(BATCH + 1);
  }

  private void query(SignedConnection connection, String partition) throws IOException {
    String filter = "PartitionKey%20eq%20'" + partition + "'%20and%20RowKey%20lt%20's'";
    Answer answer = connection.send("GET", "/" + name + "()?$filter=" + filter, "");
    expect(200, 200, answer);
    assertThat(answer.body().length).isGreaterThan(PAGE * Samples.VALUE_BYTES);
  }

  private static void expect(int one, int other, Answer answer) {
    assertThat(answer.status()).as(answer.text()).isIn(List.of(one, other));
  }

  private static String partition(int number) {
    return String.format("p%03d", number);
  }
}
