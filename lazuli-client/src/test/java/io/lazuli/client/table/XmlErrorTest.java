package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableClientBuilder;
import com.sun.net.httpserver.HttpServer;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A service that reports errors in XML, as Azurite does if it rejects a signature. */
class XmlErrorTest {
  private static final String ERROR =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>AuthorizationFailure</Code>"
          + "<Message>Server failed to authenticate the request.</Message></Error>";

  record Note(String partitionKey, String rowKey) {}

  private static HttpServer server;
  private static Table<Note> notes;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] body = ERROR.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/xml");
          exchange.getResponseHeaders().set("x-ms-error-code", "AuthorizationFailure");
          exchange.sendResponseHeaders(403, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String connection =
        "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=a2V5;"
            + "TableEndpoint=http://127.0.0.1:%d/devstoreaccount1;";
    notes =
        Table.of(
            new TableClientBuilder()
                .connectionString(connection.formatted(server.getAddress().getPort()))
                .tableName("notes")
                .buildAsyncClient(),
            Note.class);
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  @Test
  void everyCallGetsTheError() {
    EntityKey key = new EntityKey("p", "r");
    forbidden(() -> notes.find(key));
    forbidden(() -> notes.insert(new Note("p", "r")));
    forbidden(() -> notes.update(key, note -> note));
    forbidden(() -> notes.query(Query.all()).forEach(note -> {}));
    forbidden(() -> notes.batch(Batch.of(Write.insert(new Note("p", "r")))));
    forbidden(() -> notes.deleteIfExists(key));
  }

  private static void forbidden(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            thrown -> assertThat(thrown.getResponse().getStatusCode()).isEqualTo(403));
  }
}
