package io.lazuli.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the server's certificate is kept. Its text does not hold the password.
 *
 * @param certificate PEM, the server's own certificate first; without a key file, PEM with the key
 *     in it or PKCS#12 (.pfx)
 * @param key PEM: PKCS#8, PKCS#1 or SEC 1, without a password
 * @param password of PKCS#12
 */
public record TlsFiles(Path certificate, @Nullable Path key, @Nullable String password) {
  @Override
  public String toString() {
    return key == null ? certificate.toString() : certificate + " and " + key;
  }
}
