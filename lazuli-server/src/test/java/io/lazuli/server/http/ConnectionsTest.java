package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import io.lazuli.server.tls.TlsIdentity;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.net.impl.VertxEventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String GET = "GET /acct/t" + HEAD + "\r\n";

  @Test
  void unfinishedHandshakesCount(@TempDir Path folder) throws Exception {
    LocalAuthority authority = TlsCertificates.issue(folder);
    TlsIdentity identity =
        TlsIdentity.ofPem(
            Files.readAllBytes(authority.serverCertificate()),
            Files.readAllBytes(authority.serverKey()));
    Connections two = EchoService.connections(2);
    try (EchoService service = EchoService.secured(identity, LONG, LONG, two)) {
      try (RawConnection silent = service.connect();
          RawConnection halting = service.connect()) {
        halting.send(new byte[] {22, 3, 1, 0, 100, 1});
        await().until(() -> two.open() == 2);
        try (RawConnection third = service.connect()) {
          assertThat(third.isClosedByServer()).isTrue();
        }
        assertThat(two.refused()).isEqualTo(1);
        // Before the handshake, the end of the client's output ends the connection.
        silent.endOutput();
        await().until(() -> two.open() == 1);
      }
      await().until(() -> two.open() == 0);
    }
  }

  @Test
  void theConnectionsOfAnAddressAreBounded() throws IOException {
    Connections connections = new Connections(10, 2, address -> false);
    try (EchoService service =
        EchoService.withHeads(EchoService::echo, connections, new ByteBudget(0))) {
      int port = service.listener.port();
      try (RawConnection first = new RawConnection(port, "127.0.0.2");
          RawConnection second = new RawConnection(port, "127.0.0.2");
          RawConnection third = new RawConnection(port, "127.0.0.2");
          RawConnection other = new RawConnection(port, "127.0.0.3")) {
        assertThat(third.isClosedByServer()).isTrue();
        assertThat(first.ask(GET).status()).isEqualTo(200);
        assertThat(second.ask(GET).status()).isEqualTo(200);
        assertThat(other.ask(GET).status()).isEqualTo(200);
        second.close();
        await().until(() -> connections.open() == 2);
        try (RawConnection next = new RawConnection(port, "127.0.0.2")) {
          assertThat(next.ask(GET).status()).isEqualTo(200);
        }
      }
      await().until(() -> connections.open() == 0);
    }
  }

  /** Before, Netty logged each of these connections with a stack trace. */
  @Test
  void aConnectionThatNoEventLoopTakesIsClosed() {
    EventLoopGroup none = new VertxEventLoopGroup();
    Connections connections = EchoService.connections(2);
    EmbeddedChannel listening =
        new EmbeddedChannel(connections.acceptor(new ServerBootstrap().group(none, none)));
    EmbeddedChannel accepted = new EmbeddedChannel();
    assertThat(listening.writeInbound(accepted)).isFalse();
    assertThat(accepted.isOpen()).isFalse();
    assertThat(connections.open()).isZero();
  }

  @Test
  void trustedProxiesHaveOnlyTheCommonBound() throws IOException {
    Connections connections =
        new Connections(3, 1, address -> address.getHostAddress().equals("127.0.0.2"));
    try (EchoService service =
        EchoService.withHeads(EchoService::echo, connections, new ByteBudget(0))) {
      int port = service.listener.port();
      try (RawConnection first = new RawConnection(port, "127.0.0.2");
          RawConnection second = new RawConnection(port, "127.0.0.2");
          RawConnection other = new RawConnection(port, "127.0.0.3");
          RawConnection third = new RawConnection(port, "127.0.0.2")) {
        assertThat(third.isClosedByServer()).isTrue();
        assertThat(first.ask(GET).status()).isEqualTo(200);
        assertThat(second.ask(GET).status()).isEqualTo(200);
        assertThat(other.ask(GET).status()).isEqualTo(200);
      }
      await().until(() -> connections.open() == 0);
    }
  }
}
