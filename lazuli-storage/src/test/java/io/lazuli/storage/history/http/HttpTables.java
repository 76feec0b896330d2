package io.lazuli.storage.history.http;

import io.lazuli.storage.history.http.HttpLine.Answer;
import io.lazuli.storage.history.table.TableClient;
import io.lazuli.storage.history.table.TableWrite;
import io.lazuli.storage.history.table.TableWrite.Verb;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends raw requests to a table service. */
final class HttpTables implements TableClient {
  private static final String JSON =
      String.join(
          "\r\n",
          "Accept: application/json;odata=minimalmetadata",
          "Content-Type: application/json",
          "Prefer: return-no-content",
          "");
  private static final String BATCH = "Content-Type: multipart/mixed; boundary=batch_1\r\n";
  private static final Pattern NUMBER = Pattern.compile("\"(a|b)\":(\\d+)");
  private static final Pattern INNER =
      Pattern.compile("HTTP/1.1 (\\d+)[^\r]*\r\n((?:[^\r]+\r\n)*)");
  private static final Pattern ETAG = Pattern.compile("(?i)etag: ([^\r]+)\r\n");

  private final HttpLine line;

  HttpTables(Supplier<InetSocketAddress> address, String token) {
    this.line = new HttpLine(address, token);
  }

  @Override
  public void create(String table) {
    try {
      int status = line.ask("POST", "/Tables", JSON, "{\"TableName\":\"" + table + "\"}").status();
      require(status < 300 || status == 409, "table " + table + ": " + status);
    } catch (IOException e) {
      create(table);
    }
  }

  @Override
  public Written write(String table, String partition, TableWrite write) throws IOException {
    String path = "/" + path(table, partition, write);
    Answer answer = line.ask(method(write), path, JSON + condition(write), body(partition, write));
    boolean tagged = answer.status() < 300;
    return new Written(answer.status(), tagged ? List.of(answer.header("etag")) : List.of());
  }

  private static String path(String table, String partition, TableWrite write) {
    return write.verb() == Verb.INSERT ? table : key(table, partition, write.row());
  }

  private static String key(String table, String partition, int row) {
    return table + "(PartitionKey='" + partition + "',RowKey='r" + row + "')";
  }

  private static String method(TableWrite write) {
    return switch (write.verb()) {
      case INSERT -> "POST";
      case REPLACE -> "PUT";
      case MERGE -> "PATCH";
      case DELETE -> "DELETE";
    };
  }

  private static String condition(TableWrite write) {
    return write.etag().isEmpty() ? "" : "If-Match: " + write.etag() + "\r\n";
  }

  private static String body(String partition, TableWrite write) {
    int number = write.number();
    String keys = "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"r" + write.row() + "\",";
    return switch (write.verb()) {
      case INSERT, REPLACE -> keys + "\"a\":" + number + ",\"b\":" + number + "}";
      case MERGE -> keys + "\"b\":" + number + "}";
      case DELETE -> "";
    };
  }

  @Override
  public Written batch(String table, String partition, List<TableWrite> writes) throws IOException {
    StringBuilder text = new StringBuilder("--batch_1\r\n");
    text.append("Content-Type: multipart/mixed; boundary=changeset_1\r\n\r\n");
    for (TableWrite each : writes) {
      String body = body(partition, each);
      text.append("--changeset_1\r\nContent-Type: application/http\r\n")
          .append("Content-Transfer-Encoding: binary\r\n\r\n")
          .append(method(each))
          .append(" http://localhost/devstoreaccount1/")
          .append(path(table, partition, each))
          .append(" HTTP/1.1\r\n")
          .append(JSON)
          .append(condition(each))
          .append("Content-Length: ")
          .append(body.length())
          .append("\r\n\r\n")
          .append(body)
          .append("\r\n");
    }
    text.append("--changeset_1--\r\n--batch_1--\r\n");
    Answer answer = line.ask("POST", "/$batch", BATCH, text.toString());
    require(answer.status() == 202, answer.toString());
    return written(answer.body());
  }

  private static Written written(String body) {
    List<String> etags = new ArrayList<>();
    int status = 0;
    for (Matcher inner = INNER.matcher(body); inner.find(); ) {
      status = Integer.parseInt(inner.group(1));
      Matcher etag = ETAG.matcher(inner.group(2));
      etags.add(etag.find() ? etag.group(1) : "");
    }
    return new Written(status, status < 300 ? etags : List.of());
  }

  @Override
  public Shown get(String table, String partition, int row) throws IOException {
    return shown(line.ask("GET", "/" + key(table, partition, row), JSON, ""));
  }

  @Override
  public Shown page(String table, String partition) throws IOException {
    String filter = "$filter=PartitionKey%20eq%20'" + partition + "'";
    return shown(line.ask("GET", "/" + table + "()?" + filter, JSON, ""));
  }

  private static Shown shown(Answer answer) {
    require(answer.status() == 200 || answer.status() == 404, answer.toString());
    List<Row> rows = new ArrayList<>();
    String body = answer.body();
    if (answer.status() == 200) {
      for (int at = body.indexOf("\"odata.etag\":\""); at >= 0; ) {
        int next = body.indexOf("\"odata.etag\":\"", at + 1);
        rows.add(row(body.substring(at, next < 0 ? body.length() : next)));
        at = next;
      }
    }
    return new Shown(answer.status(), rows);
  }

  private static Row row(String entity) {
    int etag = entity.indexOf(":\"") + 2;
    int end = entity.indexOf("\",\"", etag);
    String text = entity.substring(etag, end).replace("\\\"", "\"");
    int row = entity.indexOf("\"RowKey\":\"r") + 11;
    int a = 0;
    int b = 0;
    for (Matcher number = NUMBER.matcher(entity); number.find(); ) {
      int value = Integer.parseInt(number.group(2));
      a = number.group(1).equals("a") ? value : a;
      b = number.group(1).equals("b") ? value : b;
    }
    return new Row(
        Integer.parseInt(entity.substring(row, entity.indexOf('"', row))),
        TableWrite.cell(a, b),
        text);
  }

  private static void require(boolean expected, String what) {
    if (!expected) {
      throw new IllegalStateException(what);
    }
  }

  @Override
  public void close() throws IOException {
    line.close();
  }
}
