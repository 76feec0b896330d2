package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of a server without a blob service at the blob port, where tools look for it. */
class SignpostTest {
  private LazuliServer server;
  private WireServer blobs;

  @BeforeEach
  void start() throws IOException {
    server = LazuliServer.start(tablesAlone().build());
    blobs = WireServer.onBlobs(server);
  }

  @AfterEach
  void stop() throws IOException {
    blobs.close();
    server.close();
  }

  /** The requests in microsoft/AzureStorageExplorer#4391. */
  @ParameterizedTest
  @CsvSource({"?include=metadata&comp=list", "/?include=metadata&comp=list", "/?comp=list"})
  void thereAreNoContainers(String path) {
    Answer answer = blobs.owner("GET", path, "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("<Containers", "<NextMarker").doesNotContain("<Name>");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/?restype=account&comp=properties",
    "HEAD,/?restype=account&comp=properties",
    "GET,/?restype=service&comp=properties",
  })
  void thereIsAnAccount(String method, String path) {
    assertThat(blobs.owner(method, path, "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT,/?restype=service&comp=properties,501",
    "PUT,/things?restype=container,501",
    "GET,/things?restype=container,501",
    "DELETE,/things?restype=container,501",
    "GET,/things?restype=container&comp=list,501",
    "PUT,/things/blob,501",
    "GET,/things/blob,501",
    "POST,/?comp=batch,501",
    "POST,/?comp=list,405",
    "GET,/?comp=nothing,400",
  })
  void theRestIsRefused(String method, String path, int status) {
    Answer answer = blobs.owner(method, path, "", "x-ms-blob-type: BlockBlob");
    assertThat(answer.status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"/?comp=list", "/?restype=account&comp=properties", "/things/blob"})
  void anUnknownCallerLearnsNothing(String path) {
    assertThat(blobs.anybody("GET", path, "").status()).isIn(401, 403, 404);
  }

  @Test
  void theConnectionStringDoesNotNameThePort() {
    assertThat(server.connectionString()).contains("TableEndpoint=").doesNotContain("Blob");
  }

  @Test
  void storedBlobsAreNeitherShownNorChanged(@TempDir Path folder) throws IOException {
    ServerConfig.Builder all = ServerConfig.builder().dataFolder(folder).freePorts();
    try (LazuliServer first = LazuliServer.start(all.build());
        WireServer wire = WireServer.onBlobs(first)) {
      assertThat(wire.owner("PUT", "/things?restype=container", "").status()).isEqualTo(201);
    }
    try (LazuliServer second =
            LazuliServer.start(tablesAlone().engine("rocksdb").dataFolder(folder).build());
        WireServer wire = WireServer.onBlobs(second)) {
      assertThat(wire.owner("GET", "/?comp=list", "").body()).doesNotContain("things");
      assertThat(wire.owner("DELETE", "/things?restype=container", "").status()).isEqualTo(501);
    }
    try (LazuliServer third = LazuliServer.start(all.build());
        WireServer wire = WireServer.onBlobs(third)) {
      assertThat(wire.owner("GET", "/?comp=list", "").body()).contains("<Name>things</Name>");
    }
  }

  @Test
  void aPortInUseIsLeftAlone() {
    try (LazuliServer other =
        LazuliServer.start(tablesAlone().blobPort(server.blobPort()).build())) {
      assertThat(other.tablePort()).isPositive();
      assertThatThrownBy(other::blobPort).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void aServerWithBlobsGetsThePort() throws IOException {
    ServerConfig.Builder blobsAlone =
        ServerConfig.builder()
            .engine("memory")
            .services(Set.of(ServiceName.BLOB))
            .freePorts()
            .blobPort(server.blobPort());
    try (LazuliServer other = LazuliServer.start(blobsAlone.build());
        WireServer wire = WireServer.onBlobs(other);
        WireServer tables = WireServer.onTables(server)) {
      assertThat(wire.owner("PUT", "/things?restype=container", "").status()).isEqualTo(201);
      assertThat(tables.owner("GET", "/Tables", "").status()).isEqualTo(200);
    }
  }

  @Test
  void itsHostCountsForTheCheckOfLoopback() {
    ServerConfig open = tablesAlone().blobPort(server.blobPort()).blobHost("0.0.0.0").build();
    assertThatThrownBy(() -> LazuliServer.start(open)).isInstanceOf(ServerStartException.class);
  }

  private static ServerConfig.Builder tablesAlone() {
    return ServerConfig.builder()
        .engine("memory")
        .services(Set.of(ServiceName.TABLE))
        .freePorts()
        .blobPort(freePort());
  }

  /**
   * Returns a port that is free and below the range from which systems choose ports themselves. In
   * that range another socket could get the port before the server does.
   */
  static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Another socket has this port. The loop tries the next one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
