package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.config.TlsFiles;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsServerTest {
  private static final WireServer.Signer OWNER = new WireServer.Signer(false);

  @TempDir Path folder;
  private LocalAuthority authority;
  private SSLContext trusting;

  @BeforeEach
  void makeCertificate() throws Exception {
    authority = TlsCertificates.issue(folder.resolve("certs"));
    trusting = TlsCertificates.trusting(authority.certificate());
  }

  @Test
  void everyServiceSpeaksHttpsAndTheConnectionStringSaysSo() throws Exception {
    try (LazuliServer server = start("memory")) {
      HttpClient client = client();
      for (String endpoint :
          new String[] {server.blobEndpoint(), server.queueEndpoint(), server.tableEndpoint()}) {
        assertThat(endpoint).startsWith("https://127.0.0.1:");
        assertThat(send(client, get(endpoint + "/x")).statusCode()).isBetween(400, 404);
      }
      assertThat(server.connectionString())
          .startsWith("DefaultEndpointsProtocol=https;")
          .doesNotContain("http:");
      assertThat(server.adminEndpoint()).startsWith("http://");
      assertThat(send(client, get(server.adminEndpoint() + "/ready")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aSignatureForHttpsOnlyIsGoodOverHttpsAndRefusedOverHttp() throws Exception {
    String token = WireServer.queueToken("jobs", "sp", "a", "spr", "https");
    String both = WireServer.queueToken("jobs", "sp", "a", "spr", "https,http");
    try (LazuliServer server = start("memory")) {
      createQueue(server);
      assertThat(put(server, token)).isEqualTo(201);
      assertThat(put(server, both)).isEqualTo(201);
    }
    ServerConfig plain = ServerConfig.builder().engine("memory").freePorts().build();
    try (LazuliServer server = LazuliServer.start(plain)) {
      createQueue(server);
      assertThat(put(server, token)).isEqualTo(403);
      assertThat(put(server, both)).isEqualTo(201);
    }
  }

  @Test
  void aLargeBlobComesBackFromItsFileByteForByte() throws Exception {
    byte[] content = new byte[5 << 20];
    new Random(5).nextBytes(content);
    try (LazuliServer server = start("rocksdb")) {
      HttpClient client = client();
      signed(client, server.blobEndpoint(), "PUT", "/box?restype=container", new byte[0]);
      HttpResponse<byte[]> created =
          signed(
              client, server.blobEndpoint(), "PUT", "/box/b", content, "x-ms-blob-type: BlockBlob");
      assertThat(created.statusCode()).isEqualTo(201);
      HttpResponse<byte[]> read =
          signed(client, server.blobEndpoint(), "GET", "/box/b", new byte[0]);
      assertThat(read.statusCode()).isEqualTo(200);
      assertThat(read.body()).isEqualTo(content);
    }
  }

  @Test
  void aRenewedCertificateIsShownWhileRequestsRun() throws Exception {
    try (LazuliServer server = start("memory");
        WatchedLog log = new WatchedLog()) {
      X509Certificate before = shown(server.tableEndpoint());
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger served = new AtomicInteger();
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      Thread[] clients = new Thread[3];
      for (int i = 0; i < clients.length; i++) {
        boolean keepAlive = i == 0;
        clients[i] = new Thread(() -> ask(server, keepAlive, over, served, failures), "client");
        clients[i].start();
      }
      await().until(() -> served.get() > 20);
      authority.issue();
      for (String endpoint :
          new String[] {server.blobEndpoint(), server.queueEndpoint(), server.tableEndpoint()}) {
        await().until(() -> !shown(endpoint).equals(before));
      }
      int then = served.get();
      await().until(() -> served.get() > then + 20);
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
      assertThat(failures).isEmpty();
      assertThat(log.faults()).isEmpty();
      // There are several connections, so that each event loop gets some.
      for (int i = 0; i < 8; i++) {
        assertThat(shown(server.tableEndpoint())).isNotEqualTo(before);
      }
    }
  }

  @Test
  void aRenewedCertificateIsShownAlsoWhenTheSignpostHasLeft() throws Exception {
    int port = SignpostTest.freePort();
    ServerConfig.Builder tables =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .services(Set.of(ServiceName.TABLE))
            .blobPort(port)
            .tls(new TlsFiles(authority.serverCertificate(), authority.serverKey(), null));
    ServerConfig.Builder blobs =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .services(Set.of(ServiceName.BLOB))
            .blobPort(port);
    try (LazuliServer server = LazuliServer.start(tables.build());
        LazuliServer other = LazuliServer.start(blobs.build())) {
      assertThat(other.blobPort()).isEqualTo(port);
      X509Certificate before = shown(server.tableEndpoint());
      authority.issue();
      await().until(() -> !shown(server.tableEndpoint()).equals(before));
    }
  }

  @Test
  void onOnePortTheCertificateIsForTheHostsOfAllServices() throws Exception {
    Path certs = folder.resolve("domain");
    LocalAuthority own = TlsCertificates.issue(certs, "storage.test");
    ServerConfig config =
        ServerConfig.builder()
            .engine("memory")
            .freePorts()
            .onePort(0)
            .domain("storage.test")
            .tls(new TlsFiles(own.serverCertificate(), own.serverKey(), null))
            .build();
    String query = "/?comp=list&" + WireServer.accountToken("bq", "sco", "rl");
    try (LazuliServer server = LazuliServer.start(config)) {
      for (String service : new String[] {"blob", "queue"}) {
        String host = "devstoreaccount1." + service + ".storage.test";
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.blobPort());
            SSLSocket secure = secure(plain, host, own);
            RawConnection connection = new RawConnection(secure)) {
          RawConnection.Answer answer =
              connection.ask("GET " + query + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
          assertThat(answer.status()).isEqualTo(200);
          assertThat(answer.body()).contains("\"https://" + host + "/\"");
        }
      }
      assertThat(server.connectionString())
          .contains(";BlobEndpoint=https://devstoreaccount1.blob.storage.test:");
    }
  }

  /** Names the host in the handshake (SNI), and checks that the certificate is for the host. */
  private static SSLSocket secure(Socket plain, String host, LocalAuthority authority)
      throws IOException, GeneralSecurityException {
    SSLSocket secure =
        (SSLSocket)
            TlsCertificates.trusting(authority.certificate())
                .getSocketFactory()
                .createSocket(plain, host, plain.getPort(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    return secure;
  }

  @Test
  void aBrokenPairChangesNothingAndIsReportedOnce() throws Exception {
    try (LazuliServer server = start("memory");
        WatchedLog log = new WatchedLog()) {
      X509Certificate before = shown(server.tableEndpoint());
      Path good = folder.resolve("good-key");
      Files.copy(authority.serverKey(), good);
      Files.copy(authority.key(), authority.serverKey(), StandardCopyOption.REPLACE_EXISTING);
      await().until(() -> !log.faults().isEmpty());
      assertThat(shown(server.tableEndpoint())).isEqualTo(before);
      assertThat(log.faults())
          .singleElement()
          .asString()
          .contains("the key does not belong to the certificate")
          .endsWith("; the previous TLS certificate stays in use");
      authority.issue();
      await().until(() -> !shown(server.tableEndpoint()).equals(before));
      assertThat(log.faults()).hasSize(1);
    }
  }

  @Test
  void filesThatCannotBeUsedAreReportedInOneLineAtStart() {
    Path missing = folder.resolve("missing.pem");
    assertThatThrownBy(() -> LazuliServer.start(config(missing, missing, "memory")))
        .isInstanceOf(ServerStartException.class)
        .hasMessage("there is no file " + missing);
    assertThatThrownBy(
            () ->
                LazuliServer.start(
                    config(authority.serverCertificate(), authority.key(), "memory")))
        .isInstanceOf(ServerStartException.class)
        .hasMessageStartingWith("the key does not belong to the certificate (");
  }

  @Test
  void thePasswordIsNotInTheText() {
    assertThat(new TlsFiles(Path.of("a.pfx"), null, "secret")).hasToString("a.pfx");
  }

  private LazuliServer start(String engine) {
    return LazuliServer.start(config(authority.serverCertificate(), authority.serverKey(), engine));
  }

  private ServerConfig config(Path certificate, Path key, String engine) {
    return ServerConfig.builder()
        .engine(engine)
        .dataFolder(folder.resolve("data"))
        .freePorts()
        .tls(new TlsFiles(certificate, key, null))
        .build();
  }

  private HttpClient client() {
    return HttpClient.newBuilder().sslContext(trusting).build();
  }

  /** Returns the certificate that a new connection sees. */
  private X509Certificate shown(String endpoint) throws IOException, GeneralSecurityException {
    URI uri = URI.create(endpoint);
    SSLContext fresh = TlsCertificates.trusting(authority.certificate());
    try (SSLSocket socket =
        (SSLSocket) fresh.getSocketFactory().createSocket(uri.getHost(), uri.getPort())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private void ask(
      LazuliServer server,
      boolean keepAlive,
      AtomicBoolean over,
      AtomicInteger served,
      Queue<Throwable> failures) {
    try {
      HttpClient client = client();
      while (!over.get()) {
        int status =
            send(keepAlive ? client : client(), get(server.tableEndpoint() + "/x")).statusCode();
        assertThat(status).isEqualTo(403);
        served.incrementAndGet();
      }
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  private void createQueue(LazuliServer server) throws IOException, InterruptedException {
    HttpResponse<byte[]> created =
        signed(client(), server.queueEndpoint(), "PUT", "/jobs", new byte[0]);
    assertThat(created.statusCode()).isEqualTo(201);
  }

  private int put(LazuliServer server, String token) throws IOException, InterruptedException {
    HttpRequest message =
        HttpRequest.newBuilder(URI.create(server.queueEndpoint() + "/jobs/messages?" + token))
            .POST(
                BodyPublishers.ofString(
                    "<QueueMessage><MessageText>hello</MessageText></QueueMessage>"))
            .build();
    return send(client(), message).statusCode();
  }

  private static HttpRequest get(String url) {
    return HttpRequest.newBuilder(URI.create(url)).build();
  }

  private static HttpResponse<byte[]> signed(
      HttpClient client, String endpoint, String method, String path, byte[] body, String... more)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint + path))
            .method(method, BodyPublishers.ofByteArray(body));
    String lines = OWNER.lines(method, path, more) + String.join("\r\n", more);
    for (String line : lines.strip().split("\r\n", -1)) {
      int colon = line.indexOf(':');
      request.header(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return send(client, request.build());
  }

  private static HttpResponse<byte[]> send(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofByteArray());
  }
}
