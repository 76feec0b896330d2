package io.lazuli.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.outbound.OutboundException.Kind;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import io.lazuli.server.tls.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls to a server on loopback that the list names. */
class OutboundClientTest {
  private static final OutboundClient.Times TIMES =
      new OutboundClient.Times(Duration.ofSeconds(10), Duration.ofSeconds(30));
  private static final OutboundClient.Times IMPATIENT =
      new OutboundClient.Times(Duration.ofSeconds(10), Duration.ofMillis(300));

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private TestSource source(TestSource.Script script) throws IOException {
    TestSource source = new TestSource(script);
    open.add(source);
    return source;
  }

  private OutboundClient client(String list, HostLookup lookup, OutboundClient.Times times) {
    AllowedSources allowed = Objects.requireNonNull(AllowedSources.parse(list));
    OutboundClient client = new OutboundClient(allowed, lookup, (address, port) -> false, times, 2);
    open.add(client);
    return client;
  }

  private OutboundClient client(TestSource source, OutboundClient.Times times) {
    return client("http://127.0.0.1:" + source.port(), HostLookup.SYSTEM, times);
  }

  private static SourceUrl url(String text) {
    return Objects.requireNonNull(SourceUrl.parse(text));
  }

  private static <T> T await(CompletionStage<T> stage) throws Throwable {
    try {
      return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  private static String body(OutboundAnswer answer) throws Throwable {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (answer) {
      for (ByteBuffer next = await(answer.read()); next != null; next = await(answer.read())) {
        body.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
      }
    }
    return body.toString(StandardCharsets.ISO_8859_1);
  }

  private static void assertFails(CompletionStage<?> stage, Kind kind) {
    assertThatThrownBy(() -> await(stage))
        .isInstanceOfSatisfying(
            OutboundException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  @Test
  void theWholeBodyArrives() throws Throwable {
    String content = "hello ".repeat(100_000);
    TestSource source = source(TestSource.ofContent(content, "x-ms-meta-a: 1"));
    OutboundAnswer answer =
        await(client(source, TIMES).get(url(source.url("/a?b=c%20")), Map.of("Range", "bytes=1-")));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headersWith("x-ms-meta-")).containsExactly(Map.entry("a", "1"));
    assertThat(body(answer)).isEqualTo(content);
    assertThat(source.heads()).hasSize(1);
    assertThat(source.heads().get(0).toLowerCase(Locale.ROOT))
        .startsWith("get /a?b=c%20 http/1.1\r\n")
        .contains("host: 127.0.0.1:" + source.port() + "\r\n")
        .contains("range: bytes=1-\r\n")
        .doesNotContain("cookie");
  }

  @Test
  void aHostThatIsNotListedIsNotLookedUp() {
    HostLookup lookup =
        host -> {
          throw new AssertionError("looked up " + host);
        };
    OutboundClient client = client("a.example", lookup, TIMES);
    assertFails(client.get(url("https://b.example/"), Map.of()), Kind.NOT_LISTED);
    assertFails(client.get(url("http://a.example/"), Map.of()), Kind.NOT_LISTED);
  }

  /** The name answers with another address when it is asked again: it is not asked again. */
  @Test
  void aNameThatChangesItsAddressChangesNothing() throws Throwable {
    TestSource source = source(TestSource.ofContent("hello"));
    List<String> asked = new ArrayList<>();
    HostLookup rebinding =
        host -> {
          asked.add(host);
          return List.of(InetAddress.getByName(asked.size() == 1 ? "127.0.0.1" : "127.0.0.2"));
        };
    String host = "rebinding.example:" + source.port();
    OutboundClient client = client("http://" + host + "=127.0.0.1", rebinding, TIMES);
    assertThat(body(await(client.get(url("http://" + host + "/"), Map.of())))).isEqualTo("hello");
    assertThat(asked).containsExactly("rebinding.example");
    assertThat(source.heads().get(0)).containsIgnoringCase("host: " + host + "\r\n");
    assertFails(client.get(url("http://" + host + "/"), Map.of()), Kind.FORBIDDEN_ADDRESS);
    assertThat(source.heads()).hasSize(1);
  }

  @Test
  void oneForbiddenAddressIsEnoughToRefuse() {
    HostLookup both =
        host -> List.of(InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1"));
    OutboundClient client = client("a.example", both, TIMES);
    assertFails(client.get(url("https://a.example/"), Map.of()), Kind.FORBIDDEN_ADDRESS);
  }

  @Test
  void theServerNeverCallsItself() throws IOException {
    TestSource source = source(TestSource.ofContent("hello"));
    AllowedSources allowed =
        Objects.requireNonNull(AllowedSources.parse("http://127.0.0.1:" + source.port()));
    OutboundClient client =
        new OutboundClient(
            allowed, HostLookup.SYSTEM, (address, port) -> port == source.port(), TIMES, 1);
    open.add(client);
    assertFails(client.get(url(source.url("/")), Map.of()), Kind.FORBIDDEN_ADDRESS);
    assertThat(source.heads()).isEmpty();
  }

  @Test
  void redirectsAreNotFollowed() throws Throwable {
    TestSource target = source(TestSource.ofContent("secret"));
    TestSource source =
        source(
            TestSource.of(
                "HTTP/1.1 302 Found\r\nLocation: "
                    + target.url("/")
                    + "\r\nContent-Length: 0\r\n\r\n"));
    OutboundAnswer answer = await(client(source, TIMES).get(url(source.url("/")), Map.of()));
    assertThat(answer.status()).isEqualTo(302);
    answer.close();
    assertThat(target.heads()).isEmpty();
  }

  @Test
  void unreachableServersAndUnknownHosts() throws Throwable {
    TestSource source = source(TestSource.ofContent("x"));
    source.close();
    assertFails(client(source, TIMES).get(url(source.url("/")), Map.of()), Kind.UNREACHABLE);
    HostLookup unknown =
        host -> {
          throw new UnknownHostException(host);
        };
    OutboundClient client = client("a.example", unknown, TIMES);
    assertFails(client.get(url("https://a.example/"), Map.of()), Kind.UNREACHABLE);
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUp() throws Throwable {
    TestSource[] source = new TestSource[1];
    source[0] = source((head, out) -> source[0].hang());
    assertFails(
        client(source[0], IMPATIENT).get(url(source[0].url("/")), Map.of()), Kind.UNREACHABLE);
  }

  @Test
  void aBodyThatStallsIsGivenUp() throws Throwable {
    TestSource[] source = new TestSource[1];
    source[0] =
        source(
            (head, out) -> {
              TestSource.of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").answer(head, out);
              out.flush();
              source[0].hang();
            });
    OutboundAnswer answer =
        await(client(source[0], IMPATIENT).get(url(source[0].url("/")), Map.of()));
    assertThatThrownBy(() -> body(answer)).isInstanceOf(OutboundException.class);
    answer.close();
  }

  @Test
  void aBodyThatIsShorterThanAnnouncedFails() throws Throwable {
    TestSource source =
        source(TestSource.cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"));
    OutboundAnswer answer = await(client(source, TIMES).get(url(source.url("/")), Map.of()));
    assertThatThrownBy(() -> body(answer)).isInstanceOf(OutboundException.class);
    answer.close();
  }

  /**
   * The event loop has seen the end of the connection before the body is read. It has read all of
   * the small bodies by then, and of the others as much as it keeps for a slow reader.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 3_000, 20_000, 70_000, 3_000_000})
  void aSlowReaderGetsTheBodyOfASourceThatCloses(int length) throws Throwable {
    TestSource source = source(TestSource.ofContent("other"));
    OutboundClient client = client(source, TIMES);
    assertSlowReaderGetsAll(source, client, length);
  }

  /** Somewhere in between, the rest of the body and the end arrive while the client is paused. */
  @Test
  void aSlowReaderGetsBodiesOfEveryLength() throws Throwable {
    TestSource source = source(TestSource.ofContent("other"));
    OutboundClient client = client(source, TIMES);
    for (int length = 70_000; length < 400_000; length += 5_000) {
      assertSlowReaderGetsAll(source, client, length);
    }
  }

  /** The same with a body that is not complete: it is not mistaken for one that is. */
  @Test
  void aSlowReaderNoticesABodyThatBreaksOff() throws Throwable {
    TestSource source = source(TestSource.ofContent("other"));
    OutboundClient client = client(source, TIMES);
    for (int length = 70_000; length < 400_000; length += 30_000) {
      String announced = "Content-Length: " + (length + 1);
      String body = "x".repeat(length);
      assertThatThrownBy(() -> assertSlowReaderGets(source, client, announced, body, body))
          .isInstanceOf(OutboundException.class);
      String open = Integer.toHexString(length) + "\r\n" + body + "\r\n";
      assertThatThrownBy(
              () -> assertSlowReaderGets(source, client, "Transfer-Encoding: chunked", open, body))
          .isInstanceOf(OutboundException.class);
    }
  }

  private static void assertSlowReaderGetsAll(TestSource source, OutboundClient client, int length)
      throws Throwable {
    String body = "x".repeat(length);
    assertSlowReaderGets(source, client, "Content-Length: " + length, body, body);
  }

  private static void assertSlowReaderGets(
      TestSource source, OutboundClient client, String header, String sent, String content)
      throws Throwable {
    String head = "HTTP/1.1 200 OK\r\nConnection: close\r\n" + header + "\r\n\r\n";
    source.script(TestSource.cut(head + sent));
    OutboundAnswer answer = await(client.get(url(source.url("/")), Map.of()));
    source.awaitEnd();
    source.script(TestSource.ofContent("other"));
    assertThat(body(await(client.get(url(source.url("/")), Map.of())))).isEqualTo("other");
    source.awaitEnd();
    assertThat(body(answer)).isEqualTo(content);
  }

  /** Nobody asks for more, so the client stops reading, and the source cannot send more. */
  @Test
  void anEndlessBodyIsReadOnlyAsFarAsAsked() throws Throwable {
    TestSource source =
        source(
            (head, out) -> {
              TestSource.of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                  .answer(head, out);
              byte[] chunk =
                  ("4000\r\n" + "x".repeat(0x4000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
              while (true) {
                out.write(chunk);
              }
            });
    OutboundAnswer answer = await(client(source, TIMES).get(url(source.url("/")), Map.of()));
    for (int i = 0; i < 100; i++) {
      assertThat(await(answer.read())).isNotNull();
    }
    answer.close();
    assertFails(answer.read(), Kind.UNREACHABLE);
  }

  @Test
  void callsAreBounded() throws Throwable {
    TestSource source = source(TestSource.ofContent("hello"));
    OutboundClient client = client(source, TIMES);
    OutboundAnswer first = await(client.get(url(source.url("/")), Map.of()));
    OutboundAnswer second = await(client.get(url(source.url("/")), Map.of()));
    assertFails(client.get(url(source.url("/")), Map.of()), Kind.BUSY);
    first.close();
    second.close();
    assertThat(body(await(client.get(url(source.url("/")), Map.of())))).isEqualTo("hello");
  }

  /** The certificate is for localhost. */
  @Test
  void aCertificateMustBeTrustedAndForTheName(@TempDir Path folder) throws Throwable {
    LocalAuthority authority = TlsCertificates.issue(folder);
    SSLContext context = SSLContext.getInstance("TLS");
    TlsIdentity identity =
        TlsIdentity.ofPem(
            Files.readAllBytes(authority.serverCertificate()),
            Files.readAllBytes(authority.serverKey()));
    context.init(identity.keyManagers().getKeyManagers(), null, null);
    TestSource source = TestSource.secure(context, TestSource.ofContent("hello"));
    open.add(source);
    String port = ":" + source.port();
    AllowedSources allowed =
        Objects.requireNonNull(
            AllowedSources.parse("localhost" + port + ",other.example" + port + "=127.0.0.1"));
    HostLookup loopback = host -> List.of(InetAddress.getLoopbackAddress());
    OutboundClient client =
        new OutboundClient(
            allowed,
            loopback,
            (address, own) -> false,
            TIMES,
            2,
            authority.certificate().toAbsolutePath());
    open.add(client);
    String right = "https://localhost" + port + "/";
    assertThat(body(await(client.get(url(right), Map.of())))).isEqualTo("hello");
    String wrong = "https://other.example" + port + "/";
    assertFails(client.get(url(wrong), Map.of()), Kind.UNREACHABLE);
    OutboundClient distrustful =
        new OutboundClient(allowed, loopback, (address, own) -> false, TIMES, 2);
    open.add(distrustful);
    assertFails(distrustful.get(url(right), Map.of()), Kind.UNREACHABLE);
    assertThat(source.heads()).hasSize(1);
  }
}
