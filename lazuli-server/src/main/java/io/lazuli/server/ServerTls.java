package io.lazuli.server;

import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.tls.TlsException;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificate of one server. It is read again when its files change. */
final class ServerTls implements WatchedFiles<TlsIdentity> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

  /** The maximum size of a file, larger than any chain of certificates. */
  private static final int FILE_BYTES_MAX = 1 << 20;

  private final TlsFiles files;

  private ServerTls(TlsFiles files) {
    this.files = files;
  }

  /**
   * Reads the certificate and prepares to follow its files.
   *
   * @return null if the server uses plain http
   * @throws ServerStartException if the files cannot be used
   */
  static @Nullable FileWatch<TlsIdentity> watch(@Nullable TlsFiles files) {
    try {
      return files == null
          ? null
          : new FileWatch<>(new ServerTls(files), "the previous TLS certificate stays in use");
    } catch (WatchException e) {
      throw new ServerStartException(e.getMessage());
    }
  }

  /** Begins to follow the files. */
  static void follow(FileWatch<TlsIdentity> watch, Consumer<TlsIdentity> changed) {
    watch.start(
        "tls",
        fresh -> {
          changed.accept(fresh);
          LOG.info("the TLS certificate was replaced");
        },
        current -> {},
        Limits.TLS_CHECK_PERIOD);
  }

  @Override
  public TlsIdentity read() throws WatchException {
    try {
      Path key = files.key();
      byte[] certificate = bytes(files.certificate());
      return checked(
          key == null
              ? TlsIdentity.ofOneFile(certificate, files.password())
              : TlsIdentity.ofPem(certificate, bytes(key)));
    } catch (NoSuchFileException e) {
      throw new WatchException("there is no file " + e.getFile(), e);
    } catch (IOException e) {
      throw new WatchException("cannot read " + files + ": " + e, e);
    } catch (TlsException e) {
      throw new WatchException(e.getMessage() + " (" + files + ")", e);
    }
  }

  private static TlsIdentity checked(TlsIdentity identity) {
    Instant end = identity.certificate().getNotAfter().toInstant();
    if (end.isBefore(Instant.now())) {
      LOG.warn("the TLS certificate expired at {}; clients will refuse it", end);
    }
    return identity;
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(FILE_BYTES_MAX);
    }
  }

  /** Returns the stamp of the files; links are followed. */
  @Override
  public Object stamp() {
    Path key = files.key();
    return List.of(stamp(files.certificate()), key == null ? "" : stamp(key));
  }

  private static Object stamp(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(found.lastModifiedTime(), found.size(), "" + found.fileKey());
    } catch (IOException e) {
      return "missing";
    }
  }
}
