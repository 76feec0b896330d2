package io.lazuli.server.development;

import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsException;
import io.lazuli.server.watch.RefusedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the development identity: its keys, a certificate if the operator gave none, and
 * what clients read. Only the owner can read those with secrets.
 */
public final class DevelopmentFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DevelopmentFiles.class);

  private static final String NAME = "dev-identity";

  private final Path folder;
  private final boolean temporary;
  private final DevelopmentKeys keys;
  private @Nullable LocalAuthority authority;

  private DevelopmentFiles(Path folder, boolean temporary) {
    this.folder = folder;
    this.temporary = temporary;
    this.keys = DevelopmentKeys.of(folder);
  }

  /**
   * Reads the files of a data folder, and makes those that are missing.
   *
   * @throws RefusedFileException if a file cannot be used
   */
  public static DevelopmentFiles inside(Path dataFolder) {
    return new DevelopmentFiles(dataFolder.resolve(NAME).toAbsolutePath().normalize(), false);
  }

  /** Makes new files in a temporary folder, which {@link #close} deletes. */
  public static DevelopmentFiles temporary() {
    try {
      Path folder = Files.createTempDirectory("lazuli-" + NAME);
      return new DevelopmentFiles(folder.toAbsolutePath().normalize(), true);
    } catch (IOException e) {
      throw new RefusedFileException("cannot make a temporary folder: " + e, e);
    }
  }

  /**
   * Makes a certificate for the server. The authority that vouches for it stays, so clients that
   * trust it need nothing after a restart.
   *
   * @param domain the domain of the hosts of accounts
   * @throws TlsException if that is impossible
   */
  public LocalAuthority certify(String domain) throws TlsException {
    LocalAuthority issued = new LocalAuthority(folder, domain, new SecureRandom(), Instant.now());
    boolean unused = issued.issue();
    try {
      writeTrustStore(issued.certificate());
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException("cannot write " + trustStore() + ": " + e, e);
    }
    authority = issued;
    return issued;
  }

  private Path trustStore() {
    return folder.resolve("trust.jks");
  }

  /**
   * Writes the certificates that Java trusts and that of the authority. The format is one that Java
   * reads without a password: nothing in it is secret.
   */
  private void writeTrustStore(Path certificate) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init((KeyStore) null);
    for (TrustManager manager : trust.getTrustManagers()) {
      for (X509Certificate known : ((X509TrustManager) manager).getAcceptedIssuers()) {
        store.setCertificateEntry("java-" + store.size(), known);
      }
    }
    try (InputStream pem = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "lazuli", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    try (OutputStream out = Files.newOutputStream(trustStore())) {
      store.store(out, "changeit".toCharArray());
    }
  }

  DevelopmentKeys keys() {
    return keys;
  }

  /** Writes the files that clients read, and returns what is in them. */
  DevelopmentAccess publish(String url) {
    Path federatedToken = folder.resolve("federated-token");
    new SecretFile("federated token", federatedToken).write(keys.secret());
    DevelopmentAccess access =
        new DevelopmentAccess(
            url,
            keys.secret(),
            federatedToken,
            authority == null ? null : authority.certificate(),
            authority == null ? null : trustStore());
    new SecretFile("variables", folder.resolve("env")).write(lines(access.variables()));
    return access;
  }

  private static String lines(Map<String, String> variables) {
    return variables.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue() + "\n")
        .collect(Collectors.joining());
  }

  @Override
  public void close() {
    if (!temporary) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("{} stays", folder, e);
    }
  }
}
