package io.lazuli.server;

import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.tls.TlsException;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.tls.TlsWatch;
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

/** The certificate of one server, read from its files, and read again when they change. */
final class ServerTls {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

  /** More than any chain of certificates. */
  private static final int FILE_BYTES_MAX = 1 << 20;

  private final TlsFiles files;
  private final Object stamp;
  private final TlsIdentity identity;

  private ServerTls(TlsFiles files) throws TlsException {
    this.files = files;
    // Before the content, so that a change between the two is seen at the first look.
    this.stamp = stamp(files);
    this.identity = read();
  }

  /**
   * Null if the server speaks plain http.
   *
   * @throws ServerStartException if the files cannot be used
   */
  static @Nullable ServerTls of(ServerConfig config) {
    TlsFiles files = config.listeners().tls();
    try {
      return files == null ? null : new ServerTls(files);
    } catch (TlsException e) {
      throw new ServerStartException(String.valueOf(e.getMessage()));
    }
  }

  /** What the server begins with. */
  TlsIdentity identity() {
    return identity;
  }

  /**
   * Follows the files.
   *
   * @return ends it
   */
  Runnable follow(Consumer<TlsIdentity> changed) {
    return TlsWatch.start(stamp, () -> stamp(files), this::read, changed, Limits.TLS_LOOK_PERIOD)
        ::close;
  }

  private TlsIdentity read() throws TlsException {
    try {
      Path key = files.key();
      byte[] certificate = bytes(files.certificate());
      return checked(
          key == null
              ? TlsIdentity.ofOneFile(certificate, files.password())
              : TlsIdentity.ofPem(certificate, bytes(key)));
    } catch (NoSuchFileException e) {
      throw new TlsException("there is no file " + e.getFile(), e);
    } catch (IOException e) {
      throw new TlsException("cannot read " + files + ": " + e, e);
    } catch (TlsException e) {
      throw new TlsException(e.getMessage() + " (" + files + ")", e);
    }
  }

  private static TlsIdentity checked(TlsIdentity identity) {
    Instant end = identity.certificate().getNotAfter().toInstant();
    if (end.isBefore(Instant.now())) {
      LOG.warn("the TLS certificate was valid until {}; clients refuse it", end);
    }
    return identity;
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(FILE_BYTES_MAX);
    }
  }

  /** What changes with the files; links are followed. */
  private static Object stamp(TlsFiles files) {
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
