package io.lazuli.storage.hbase.requests;

import io.lazuli.cluster.LazuliNode;
import java.net.URI;
import java.util.Base64;

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
