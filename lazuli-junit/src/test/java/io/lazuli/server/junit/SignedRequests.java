package io.lazuli.server.junit;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/** A minimal client that checks whether a server responds and what it stored. */
final class SignedRequests {
  private SignedRequests() {}

  static int createTable(LazuliServer server, String name) {
    try {
      HttpURLConnection connection = open(server.tableEndpoint() + "/Tables");
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      String body = "{\"TableName\":\"" + name + "\"}";
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
      return connection.getResponseCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean answers(String tableEndpoint) {
    try {
      return open(tableEndpoint + "/Tables").getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static HttpURLConnection open(String url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    Account account = Account.development();
    AccountKey key = account.keys().get(0);
    String text = date + "\n/" + account.name() + URI.create(url).getPath();
    byte[] signature = key.sign(text.getBytes(StandardCharsets.UTF_8));
    connection.setRequestProperty("x-ms-date", date);
    connection.setRequestProperty(
        "Authorization",
        "SharedKeyLite " + account.name() + ":" + Base64.getEncoder().encodeToString(signature));
    return connection;
  }
}
