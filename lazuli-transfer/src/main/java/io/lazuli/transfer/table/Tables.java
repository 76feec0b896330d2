package io.lazuli.transfer.table;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.http.Answer;
import io.lazuli.transfer.http.Call;
import io.lazuli.transfer.http.Percent;
import io.lazuli.transfer.http.ServiceFailure;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests to a table. Safe for use by several threads. All methods block. */
public final class Tables {
  private static final String JSON = "application/json";
  private static final String ACCEPT = "application/json;odata=minimalmetadata";
  private static final Pattern INNER_STATUS = Pattern.compile("HTTP/1\\.1 ([0-9]{3})");

  private final StorageClient client;
  private final String table;

  public Tables(StorageClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /** The place at which the next page of a query starts. */
  record Token(String partition, @Nullable String row) {}

  /** Takes the entities of a page. {@link #begin} is called again if a page is read again. */
  interface Page {
    void begin() throws IOException;

    void add(Entity entity) throws IOException;
  }

  /** How an import writes entities. */
  public enum WriteMode {
    /** An entity that exists is replaced. */
    REPLACE("PUT"),
    /** An entity that exists keeps the properties that the file does not have. */
    MERGE("MERGE");

    private final String method;

    WriteMode(String method) {
      this.method = method;
    }
  }

  @Override
  public String toString() {
    return client.endpoint() + "/" + table;
  }

  /** Creates the table if it does not exist. */
  public void create() {
    StringBuilder body = new StringBuilder("{\"TableName\":");
    EntityJson.quote(table, body);
    try {
      client.call(
          new Call("POST", "/Tables")
              .header("content-type", JSON)
              .header("accept", ACCEPT)
              .header("prefer", "return-no-content")
              .body(body.append('}').toString().getBytes(StandardCharsets.UTF_8)));
    } catch (ServiceFailure e) {
      // A signature for one table may not create it; the first write shows whether it exists.
      boolean forbidden = e.status() == 403 && client.endpoint().key() == null;
      if (!e.code().equals("TableAlreadyExists") && !forbidden) {
        throw e;
      }
    }
  }

  /**
   * Reads a page of a query.
   *
   * @param select the names of the properties, or empty for all
   * @param top the largest number of entities, or 0 for the service's own
   * @return the place of the next page, or null if this was the last
   */
  @Nullable Token query(String filter, String select, int top, @Nullable Token from, Page page) {
    Call call = new Call("GET", "/" + table + "()").header("accept", ACCEPT);
    if (!filter.isEmpty()) {
      call.query("$filter", filter);
    }
    if (!select.isEmpty()) {
      call.query("$select", select);
    }
    if (top > 0) {
      call.query("$top", Integer.toString(top));
    }
    if (from != null) {
      call.query("NextPartitionKey", from.partition());
      String row = from.row();
      if (row != null) {
        call.query("NextRowKey", row);
      }
    }
    return client.call(call, answer -> read(answer, page)).orElse(null);
  }

  private static Optional<Token> read(Answer answer, Page page) throws IOException {
    page.begin();
    try (JsonParser parser = Json.FACTORY.createParser(answer.body())) {
      while (parser.nextToken() != JsonToken.START_ARRAY) {
        if (parser.currentToken() == null) {
          throw new IOException("the answer of a query is cut off");
        }
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        page.add(EntityJson.read(parser));
      }
      if (parser.currentToken() != JsonToken.END_ARRAY) {
        throw new IOException("the answer of a query is cut off");
      }
      // The rest is read, so that the connection can be used again.
      while (parser.nextToken() != null) {
        parser.skipChildren();
      }
    }
    String partition = answer.header("x-ms-continuation-NextPartitionKey");
    return partition == null
        ? Optional.empty()
        : Optional.of(new Token(partition, answer.header("x-ms-continuation-NextRowKey")));
  }

  /** Returns the key of the first entity that a filter finds, or null. */
  @Nullable Key first(String filter) {
    List<Key> found = new ArrayList<>();
    Token token = null;
    do {
      token =
          query(
              filter,
              "PartitionKey,RowKey",
              1,
              token,
              new Page() {
                @Override
                public void begin() {
                  found.clear();
                }

                @Override
                public void add(Entity entity) {
                  found.add(entity.key());
                }
              });
    } while (found.isEmpty() && token != null);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Writes entities of one partition in one transaction. */
  void write(List<Entity> entities, WriteMode mode) {
    if (entities.size() == 1) {
      Entity entity = entities.get(0);
      client.call(
          new Call(mode.method, path(entity.key()))
              .header("content-type", JSON)
              .header("accept", ACCEPT)
              .body(json(entity).getBytes(StandardCharsets.UTF_8)));
      return;
    }
    StringBuilder parts = new StringBuilder();
    String boundary = "changeset_" + UUID.randomUUID();
    for (Entity entity : entities) {
      part(parts, boundary, mode.method, entity.key());
      parts.append("Content-Type: application/json\r\n\r\n").append(json(entity)).append("\r\n");
    }
    batch(parts, boundary);
  }

  /** Deletes entities of one partition. Ignores those that do not exist. */
  void delete(List<Key> keys) {
    if (keys.size() > 1) {
      StringBuilder parts = new StringBuilder();
      String boundary = "changeset_" + UUID.randomUUID();
      for (Key key : keys) {
        part(parts, boundary, "DELETE", key);
        parts.append("If-Match: *\r\n\r\n\r\n");
      }
      try {
        batch(parts, boundary);
        return;
      } catch (ServiceFailure e) {
        if (e.status() != 404) {
          throw e;
        }
      }
    }
    for (Key key : keys) {
      try {
        client.call(new Call("DELETE", path(key)).header("if-match", "*").header("accept", ACCEPT));
      } catch (ServiceFailure e) {
        if (!e.code().equals("ResourceNotFound")) {
          throw e;
        }
      }
    }
  }

  private void part(StringBuilder parts, String boundary, String method, Key key) {
    parts
        .append("--")
        .append(boundary)
        .append("\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
        .append(method)
        .append(' ')
        .append(client.endpoint().base())
        .append(path(key))
        .append(" HTTP/1.1\r\nAccept: ")
        .append(ACCEPT)
        .append("\r\nDataServiceVersion: 3.0\r\n");
  }

  private void batch(StringBuilder parts, String boundary) {
    String outer = "batch_" + UUID.randomUUID();
    String body =
        "--"
            + outer
            + "\r\nContent-Type: multipart/mixed; boundary="
            + boundary
            + "\r\n\r\n"
            + parts
            + "--"
            + boundary
            + "--\r\n\r\n--"
            + outer
            + "--\r\n";
    client.call(
        new Call("POST", "/$batch")
            .header("content-type", "multipart/mixed; boundary=" + outer)
            .header("accept", "multipart/mixed")
            .body(body.getBytes(StandardCharsets.UTF_8)),
        answer -> {
          requireSuccess(answer.text());
          return true;
        });
  }

  private static void requireSuccess(String text) {
    Matcher status = INNER_STATUS.matcher(text);
    boolean found = false;
    while (status.find()) {
      found = true;
      int code = Integer.parseInt(status.group(1));
      if (code >= 400) {
        throw StorageClient.failure(code, "", text.substring(status.end()));
      }
    }
    if (!found) {
      throw new TransferException("the answer to a transaction cannot be read");
    }
  }

  private String path(Key key) {
    return "/"
        + table
        + "(PartitionKey='"
        + Percent.encode(key.partition().replace("'", "''"))
        + "',RowKey='"
        + Percent.encode(key.row().replace("'", "''"))
        + "')";
  }

  private static String json(Entity entity) {
    StringBuilder json = new StringBuilder();
    EntityJson.writeRequest(entity, json);
    return json.toString();
  }
}
