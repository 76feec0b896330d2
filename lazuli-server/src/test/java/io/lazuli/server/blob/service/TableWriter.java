package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes a version to three entities of a partition in one batch. */
final class TableWriter implements KillWriter {
  private static final String JSON = "Content-Type: application/json";
  private static final String PLAIN = "Accept: application/json;odata=nometadata";
  private static final Pattern VERSION = Pattern.compile("\"V\":(\\d+)");
  private static final int ENTITIES = 3;

  private final WireServer.Signer signer = new WireServer.Signer(true);
  private final String partition;
  private volatile int acknowledged;

  TableWriter(int number) {
    this.partition = "p" + number;
  }

  @Override
  public int acknowledged() {
    return acknowledged;
  }

  @Override
  public void write(PackedServer server) {
    try (RawConnection connection = new RawConnection(server.tablePort())) {
      if (acknowledged == 0) {
        byte[] table = bytes("{\"TableName\":\"kills\"}");
        KillWriter.send(connection, signer, "POST", "/Tables", table, JSON, PLAIN);
      }
      while (true) {
        int next = acknowledged + 1;
        Answer answer =
            KillWriter.send(
                connection,
                signer,
                "POST",
                "/$batch",
                bytes(batch(next)),
                "Content-Type: multipart/mixed; boundary=batch_1");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
        assertThat(answer.body().split("HTTP/1.1 204", -1)).hasSize(ENTITIES + 1);
        acknowledged = next;
      }
    } catch (IOException e) {
      // The server is gone. The versions that it acknowledged are counted.
      return;
    }
  }

  private String batch(int version) {
    StringBuilder body = new StringBuilder("--batch_1\r\nContent-Type: multipart/mixed; boundary=");
    body.append("changeset_1\r\n\r\n");
    for (int i = 0; i < ENTITIES; i++) {
      body.append("--changeset_1\r\nContent-Type: application/http\r\n");
      body.append("Content-Transfer-Encoding: binary\r\n\r\n");
      body.append("PUT http://localhost/devstoreaccount1/kills(PartitionKey='")
          .append(partition)
          .append("',RowKey='")
          .append(i)
          .append("') HTTP/1.1\r\n");
      body.append(JSON).append("\r\n").append(PLAIN).append("\r\n\r\n");
      body.append("{\"V\":").append(version).append("}\r\n");
    }
    return body.append("--changeset_1--\r\n--batch_1--\r\n").toString();
  }

  @Override
  public int verify(PackedServer server) {
    String path = "/kills()?$filter=PartitionKey%20eq%20'" + partition + "'";
    Answer answer;
    try (RawConnection connection = new RawConnection(server.tablePort())) {
      answer = KillWriter.send(connection, signer, "GET", path, new byte[0], PLAIN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (answer.status() == 404) {
      assertThat(acknowledged).as(answer.toString()).isZero();
      return 0;
    }
    List<Integer> versions = new ArrayList<>();
    for (Matcher found = VERSION.matcher(answer.body()); found.find(); ) {
      versions.add(Integer.valueOf(found.group(1)));
    }
    if (versions.isEmpty()) {
      assertThat(acknowledged).as(answer.toString()).isZero();
      return 0;
    }
    assertThat(versions).as(partition).hasSize(ENTITIES).containsOnly(versions.get(0));
    assertThat(versions.get(0)).as(partition).isBetween(acknowledged, acknowledged + 1);
    acknowledged = versions.get(0);
    return ENTITIES;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
