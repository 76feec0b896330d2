package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.cluster.LazuliNode;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;

/**
 * An account of a packed server.
 *
 * @param key the shared key, in Base64
 */
record TestAccount(LazuliNode server, String name, String key) {
  /** Waits until the server responds, and returns its development account. */
  static TestAccount development(LazuliNode server) {
    String connectionString = server.connectionString();
    int from = connectionString.indexOf("AccountKey=") + "AccountKey=".length();
    String key = connectionString.substring(from).split(";", 2)[0];
    return new TestAccount(server, "devstoreaccount1", key);
  }

  /** Returns the query that grants what a stored policy of a table grants. */
  String grant(String table, String policy) {
    String text =
        String.join(
            "\n",
            "",
            "",
            "",
            "/table/" + name + "/" + table,
            policy,
            "",
            "",
            SignedConnection.VERSION,
            "",
            "",
            "",
            "");
    SecretKeySpec secret = new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256");
    return "sv=%s&tn=%s&si=%s&sig=%s"
        .formatted(
            SignedConnection.VERSION,
            table,
            policy,
            URLEncoder.encode(SignedConnection.sign(text, secret), UTF_8));
  }

  SignedConnection connect(Service service) {
    URI development =
        switch (service) {
          case TABLE -> server.tableEndpoint();
          case QUEUE -> server.queueEndpoint();
          case BLOB -> server.blobEndpoint();
        };
    return new SignedConnection(
        service, development.resolve("/" + name), Base64.getDecoder().decode(key));
  }
}
