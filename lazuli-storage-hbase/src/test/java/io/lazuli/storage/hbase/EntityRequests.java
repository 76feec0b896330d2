package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests for entities of one table over one connection. The client does as little work as
 * possible, because it shares the machine with the server that is measured. Used by one thread.
 */
final class EntityRequests {
  private static final String TABLE = "cost";
  private static final String VERSION = "2019-02-02";

  private final Socket socket;
  private final InputStream in;
  private final URI endpoint;
  private final byte[] key;

  /**
   * @param connectionString the connection string of the development account
   */
  EntityRequests(URI endpoint, String connectionString) {
    this.endpoint = endpoint;
    int from = connectionString.indexOf("AccountKey=") + "AccountKey=".length();
    this.key = Base64.getDecoder().decode(connectionString.substring(from).split(";", 2)[0]);
    try {
      socket = new Socket(endpoint.getHost(), endpoint.getPort());
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void createTable() {
    assertThat(send("POST", "/Tables", "{\"TableName\":\"" + TABLE + "\"}")).isIn(201, 204);
  }

  void insert(String partition, int valueBytes) {
    String body =
        "{\"PartitionKey\":\"%s\",\"RowKey\":\"r\",\"Text\":\"%s\"}"
            .formatted(partition, "x".repeat(valueBytes));
    assertThat(send("POST", "/" + TABLE, body)).isEqualTo(204);
  }

  void read(String partition) {
    String path = "/" + TABLE + "(PartitionKey='" + partition + "',RowKey='r')";
    assertThat(send("GET", path, "")).isEqualTo(200);
  }

  private int send(String method, String path, String body) {
    String target = endpoint.getPath() + path;
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    String head =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: "
            + endpoint.getAuthority()
            + "\r\nAccept: application/json;odata=nometadata\r\nPrefer: return-no-content"
            + "\r\nContent-Type: application/json\r\nx-ms-version: "
            + VERSION
            + "\r\nx-ms-date: "
            + date
            + "\r\nAuthorization: "
            + signature(date, target)
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    try {
      socket.getOutputStream().write((head + body).getBytes(UTF_8));
      return answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String signature(String date, String target) {
    String account = endpoint.getPath().substring(1);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] signed = mac.doFinal((date + "\n/" + account + target).getBytes(UTF_8));
      return "SharedKeyLite " + account + ":" + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a whole response and returns its status. */
  private int answer() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    long length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
      }
    }
    in.skipNBytes(length);
    return status;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the connection was closed");
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }
}
