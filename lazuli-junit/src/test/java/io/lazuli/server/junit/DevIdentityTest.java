package io.lazuli.server.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One line gives tests a server with an identity. The SDKs are in the conformance suite. */
class DevIdentityTest {
  @RegisterExtension
  static final LazuliExtension LAZULI =
      new LazuliExtension().devIdentity("reader=storage-table-data-reader");

  private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

  private static SSLContext trusting(Path store) throws Exception {
    KeyStore certificates = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(store)) {
      certificates.load(in, null);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificates);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void programsGetTokensForEachIdentity() throws Exception {
    Path store = Objects.requireNonNull(LAZULI.identity().trustStore());
    HttpClient client = HttpClient.newBuilder().sslContext(trusting(store)).build();
    assertThat(LAZULI.tableEndpoint()).startsWith("https://");
    assertThat(createTable(client, "", "Staff")).isEqualTo(204);
    assertThat(createTable(client, "&client_id=reader", "Others")).isEqualTo(403);
  }

  private static int createTable(HttpClient client, String identity, String name) throws Exception {
    Map<String, String> variables = LAZULI.identity().variables();
    String url =
        variables.get("IDENTITY_ENDPOINT") + "?resource=https://storage.azure.com" + identity;
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(url))
                .header("X-IDENTITY-HEADER", variables.get("IDENTITY_HEADER"))
                .build(),
            BodyHandlers.ofString());
    Matcher token = TOKEN.matcher(answer.body());
    assertThat(token.find()).as("%s", answer.body()).isTrue();
    HttpRequest create =
        HttpRequest.newBuilder(URI.create(LAZULI.tableEndpoint() + "/Tables"))
            .header("Authorization", "Bearer " + token.group(1))
            .header("x-ms-version", "2020-12-06")
            .header("Content-Type", "application/json")
            .header("Prefer", "return-no-content")
            .POST(HttpRequest.BodyPublishers.ofString("{\"TableName\":\"" + name + "\"}"))
            .build();
    return client.send(create, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void namesAndRolesMustBeKnown() {
    assertThatThrownBy(() -> new LazuliExtension().devIdentity("reader=everything"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
