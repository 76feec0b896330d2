package io.lazuli.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads entities through the table service, signed with the account's key: what is really stored.
 */
final class TableWire {
  /** The published key of the development account. */
  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private TableWire() {}

  /** Returns the JSON of an entity, with all metadata. */
  static String entity(PackedConsole console, String table, String pk, String rk) {
    URI uri =
        URI.create(
            console.tables() + "/" + table + "(PartitionKey='" + pk + "',RowKey='" + rk + "')");
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
      String text = date + "\n/" + PackedConsole.ACCOUNT + uri.getRawPath();
      String signature =
          Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("x-ms-date", date)
              .header("x-ms-version", "2019-02-02")
              .header("Accept", "application/json;odata=fullmetadata")
              .header("Authorization", "SharedKeyLite " + PackedConsole.ACCOUNT + ":" + signature)
              .build();
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
