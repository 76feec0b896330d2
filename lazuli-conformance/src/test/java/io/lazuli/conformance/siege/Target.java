package io.lazuli.conformance.siege;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.DevCert;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The packed server that is attacked. Its heap, its direct memory and the memory of RocksDB are
 * small and stated, so that a few hundred connections can offer more bytes than it has.
 */
final class Target implements AutoCloseable {

  static final int HEAP_MIB = Integer.getInteger("siege.heap", 256);
  static final int DIRECT_MIB = Integer.getInteger("siege.direct", 128);
  private static final int ROCKSDB_MIB = 64;

  /** Threads, classes, compiled code, and fragments of native memory. */
  private static final int OTHER_MIB = 300;

  /** The resident memory that the process may not exceed. */
  static final int BOUND_MIB = HEAP_MIB + DIRECT_MIB + ROCKSDB_MIB + OTHER_MIB;

  private final Path jar;
  private final Path folder;
  private final Strength strength;
  private final @Nullable DevCert certificate;
  private final Map<StorageService, String> tokens = new EnumMap<>(StorageService.class);
  private final SocketFactory sockets;
  private ServerProcess process;

  private Target(Path jar, Path folder, Strength strength, @Nullable DevCert certificate) {
    this.jar = jar;
    this.folder = folder;
    this.strength = strength;
    this.certificate = certificate;
    this.sockets =
        certificate == null ? SocketFactory.getDefault() : certificate.context().getSocketFactory();
    this.process = start();
  }

  static Target start(Path jar, Path folder, Strength strength) {
    return new Target(jar, folder, strength, null);
  }

  /** Starts a server that uses TLS. */
  static Target startSecure(Path jar, Path folder, Strength strength) throws IOException {
    return new Target(jar, folder, strength, DevCert.make(jar, folder));
  }

  private ServerProcess start() {
    List<String> options = new ArrayList<>(List.of("--memory", String.valueOf(ROCKSDB_MIB)));
    options.addAll(List.of("--log-file", log().toString()));
    if (certificate != null) {
      options.addAll(List.of("--tls-cert", certificate.certificate().toString()));
      options.addAll(List.of("--tls-key", certificate.key().toString()));
    }
    List<String> jvm =
        List.of(
            "-Xmx" + HEAP_MIB + "m",
            "-XX:MaxDirectMemorySize=" + DIRECT_MIB + "m",
            "-XX:TieredStopAtLevel=" + strength.of(1, 4));
    return ServerProcess.start(jar, folder, jvm, options);
  }

  /** Starts the server again with the same data, after it has ended. */
  void restart() {
    process.kill();
    process = start();
  }

  ServerProcess process() {
    return process;
  }

  Account account(StorageService service) {
    return process.account(service);
  }

  InetSocketAddress address(StorageService service) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), account(service).port());
  }

  /** Returns a request of a caller that has a signature for everything. */
  WireRequest signed(StorageService service, String method, String resource) {
    return wire(service)
        .request(method, resource)
        .sas(tokens.computeIfAbsent(service, this::token));
  }

  /** Returns a request without credentials. */
  WireRequest anonymous(StorageService service, String method, String resource) {
    return wire(service).request(method, resource).signing(Signing.NONE);
  }

  /** Returns a client whose answers must arrive within a minute. */
  WireClient wire(StorageService service) {
    return new WireClient(account(service), sockets);
  }

  private String token(StorageService service) {
    String letters = service == StorageService.BLOB ? "rwdlactup" : "rwdlaup";
    return SharedAccess.ofAccount(account(service)).permissions(letters).token();
  }

  /** Returns true if the server uses TLS. */
  boolean isSecure() {
    return certificate != null;
  }

  /** Returns a new context that trusts the server's certificate. */
  SSLContext trust() {
    if (certificate == null) {
      throw new IllegalStateException("this server does not use TLS");
    }
    return certificate.context();
  }

  SocketFactory sockets() {
    return sockets;
  }

  /** Returns true if the server's log reports that memory ran out. */
  boolean ranOutOfMemory() {
    try {
      String text = Files.readString(log(), StandardCharsets.ISO_8859_1);
      return text.contains("OutOfMemoryError") || text.contains("OutOfDirectMemoryError");
    } catch (IOException e) {
      return false;
    }
  }

  private Path log() {
    return folder.resolve("server.log");
  }

  @Override
  public void close() {
    process.close();
  }
}
