package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes numbered steps: first three entities in a batch, then a message, then a blob that replaces
 * the one before. So a cut of one moment has the entities of some step, the messages of this step
 * or the one before, and the blob of the same step as the messages or the one before that. Used by
 * one thread at a time, except for {@link #acknowledged}.
 */
final class BackedUpWriter {
  private static final int ENTITIES = 3;
  private static final int BLOB_BYTES = 90_000;
  private static final Pattern STEP = Pattern.compile("\"V\":(\\d+)");
  private static final String JSON = "Content-Type: application/json";
  private static final String PLAIN = "Accept: application/json;odata=nometadata";

  private final WireServer.Signer tableSigner = new WireServer.Signer(true);
  private final WireServer.Signer signer = new WireServer.Signer(false);
  private final String name;
  private volatile int acknowledged;

  BackedUpWriter(int number) {
    this.name = "writer" + number;
  }

  /** Returns the last step of which everything was acknowledged. */
  int acknowledged() {
    return acknowledged;
  }

  /** Writes one step after another until the server is gone. */
  void write(PackedServer server) {
    try (RawConnection tables = new RawConnection(server.tablePort());
        RawConnection queues = new RawConnection(server.queuePort());
        RawConnection blobs = new RawConnection(server.blobPort())) {
      if (acknowledged == 0) {
        String table = "{\"TableName\":\"" + name + "\"}";
        require(send(tables, tableSigner, "POST", "/Tables", bytes(table), JSON), 201, 409);
        require(send(queues, signer, "PUT", "/" + name, bytes("")), 201, 204);
        require(send(blobs, signer, "PUT", "/" + name + "?restype=container", bytes("")), 201, 409);
      }
      while (true) {
        int next = acknowledged + 1;
        Answer answer =
            send(
                tables,
                tableSigner,
                "POST",
                "/$batch",
                bytes(batch(next)),
                "Content-Type: multipart/mixed; boundary=batch_1");
        require(answer, 202);
        assertThat(answer.body().split("HTTP/1.1 204", -1)).hasSize(ENTITIES + 1);
        String message = "<QueueMessage><MessageText>" + next + "</MessageText></QueueMessage>";
        require(send(queues, signer, "POST", "/" + name + "/messages", bytes(message)), 201);
        require(
            send(blobs, signer, "PUT", blob(), content(next), "x-ms-blob-type: BlockBlob"), 201);
        acknowledged = next;
      }
    } catch (IOException e) {
      // The server is gone. The steps that it acknowledged are counted.
      return;
    }
  }

  /**
   * Checks that the server has the data of one moment, at which the steps up to a number were
   * acknowledged. Returns the step of the entities.
   */
  int verify(PackedServer server, int floor, int ceiling) throws IOException {
    int entities = entities(server);
    int messages = messages(server);
    int blob = blobStep(server);
    assertThat(blob).as(name + ": blob").isGreaterThanOrEqualTo(floor);
    assertThat(messages).as(name + ": messages").isBetween(blob, blob + 1);
    assertThat(entities).as(name + ": entities").isBetween(messages, messages + 1);
    assertThat(entities).as(name + ": entities").isBetween(blob, ceiling);
    return entities;
  }

  /** Continues with what a restarted server has. */
  void follow(PackedServer server) throws IOException {
    verify(server, acknowledged, acknowledged + 1);
    // The next step writes everything again, so the messages must agree first.
    if (messages(server) > acknowledged) {
      acknowledged = messages(server);
    }
  }

  private int entities(PackedServer server) throws IOException {
    Answer answer;
    try (RawConnection tables = new RawConnection(server.tablePort())) {
      answer = send(tables, tableSigner, "GET", "/" + name + "()", bytes(""), PLAIN);
    }
    int step = 0;
    int found = 0;
    for (Matcher each = STEP.matcher(answer.body()); each.find(); found++) {
      int one = Integer.parseInt(each.group(1));
      assertThat(one).as("a batch is whole").isEqualTo(found == 0 ? one : step);
      step = one;
    }
    assertThat(found).as(answer.toString()).isIn(0, ENTITIES);
    return step;
  }

  private int messages(PackedServer server) throws IOException {
    try (RawConnection queues = new RawConnection(server.queuePort())) {
      Answer answer = send(queues, signer, "GET", "/" + name + "?comp=metadata", bytes(""));
      String count = answer.header("x-ms-approximate-messages-count");
      return count == null ? 0 : Integer.parseInt(count);
    }
  }

  /** Returns the step of the blob, whose bytes must be those of the step. */
  private int blobStep(PackedServer server) throws IOException {
    try (RawConnection blobs = new RawConnection(server.blobPort())) {
      Answer answer = send(blobs, signer, "GET", blob(), bytes(""));
      if (answer.status() == 404) {
        return 0;
      }
      require(answer, 200);
      byte[] body = answer.body().getBytes(StandardCharsets.ISO_8859_1);
      int step = Integer.parseInt(answer.body().substring(0, 8));
      assertThat(body).as("%s: blob of step %d", name, step).isEqualTo(content(step));
      return step;
    }
  }

  private String blob() {
    return "/" + name + "/blob";
  }

  /** Returns the step in eight digits, then letters that depend on it. */
  private static byte[] content(int step) {
    byte[] content = new byte[BLOB_BYTES];
    Random random = new Random(step);
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) ('a' + random.nextInt(26));
    }
    byte[] number = bytes("%08d".formatted(step));
    System.arraycopy(number, 0, content, 0, number.length);
    return content;
  }

  private String batch(int step) {
    StringBuilder body = new StringBuilder("--batch_1\r\nContent-Type: multipart/mixed; boundary=");
    body.append("changeset_1\r\n\r\n");
    for (int i = 0; i < ENTITIES; i++) {
      body.append("--changeset_1\r\nContent-Type: application/http\r\n");
      body.append("Content-Transfer-Encoding: binary\r\n\r\nPUT http://localhost/devstoreaccount1/")
          .append(name)
          .append("(PartitionKey='p',RowKey='")
          .append(i)
          .append("') HTTP/1.1\r\n")
          .append(JSON + "\r\n" + PLAIN + "\r\n\r\n{\"V\":")
          .append(step)
          .append("}\r\n");
    }
    return body.append("--changeset_1--\r\n--batch_1--\r\n").toString();
  }

  private static Answer send(
      RawConnection connection,
      WireServer.Signer signer,
      String method,
      String path,
      byte[] body,
      String... headers)
      throws IOException {
    StringBuilder head = new StringBuilder(method).append(" /devstoreaccount1").append(path);
    head.append(" HTTP/1.1\r\nHost: localhost\r\n").append(signer.lines(method, path, headers));
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    connection.send(head.append("Content-Length: ").append(body.length).append("\r\n\r\n") + "");
    return connection.send(body).answer();
  }

  private static void require(Answer answer, Integer... statuses) {
    assertThat(answer.status()).as(answer.toString()).isIn((Object[]) statuses);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
