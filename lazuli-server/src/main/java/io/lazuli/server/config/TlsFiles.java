package io.lazuli.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of the server's certificate. The text of this object does not contain the password.
 *
 * @param certificate PEM, beginning with the server's own certificate; without a key file, PEM that
 *     includes the key, or PKCS#12 (.pfx)
 * @param key PEM: PKCS#8, PKCS#1 or SEC 1, without a password
 * @param password the password of PKCS#12
 */
public record TlsFiles(Path certificate, @Nullable Path key, @Nullable String password) {
  @Override
  public String toString() {
    return key == null ? certificate.toString() : certificate + " and " + key;
  }
}
