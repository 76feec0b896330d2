package io.lazuli.spring;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where the server is and how to sign requests. A bean of this type replaces the settings. */
public interface LazuliConnectionDetails extends ConnectionDetails {
  /** Returns the connection string, as the official clients take it. */
  String connectionString();
}
