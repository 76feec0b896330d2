package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;

/** TLS handshakes that never end, while another client completes one handshake after another. */
final class Handshakes implements Attack {

  @Override
  public String name() {
    return "handshakes";
  }

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public boolean takesConnections() {
    return true;
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] hello = hello(target.trust());
    byte[] part = Arrays.copyOf(hello, hello.length / 2);
    int each = strength.of(100, 2_000);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong complete = new AtomicLong();
    Thread flood = new Thread(() -> flood(target, ended, complete), "handshakes");
    flood.setDaemon(true);
    flood.start();
    try (Attackers attackers = new Attackers(target, 200)) {
      for (StorageService service : StorageService.values()) {
        attackers.keep(each, () -> Attacker.sends(service));
        attackers.keep(each, () -> Attacker.sends(service, part));
        attackers.keep(each, () -> Attacker.sends(service, hello).reading(0));
      }
      attackers.run(strength.period().plus(Duration.ofSeconds(strength.of(0, 10))));
      return attackers.summary() + ", " + complete + " complete handshakes";
    } finally {
      ended.set(true);
    }
  }

  private static byte[] hello(SSLContext context) throws IOException {
    SSLEngine engine = context.createSSLEngine("localhost", 443);
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return Arrays.copyOf(hello.array(), hello.position());
  }

  /** Completes handshakes without resuming sessions. Refused connections do not end the flood. */
  private static void flood(Target target, AtomicBoolean ended, AtomicLong complete) {
    SocketFactory sockets = target.sockets();
    while (!ended.get()) {
      complete.addAndGet(isComplete(target, sockets) ? 1 : 0);
    }
  }

  private static boolean isComplete(Target target, SocketFactory sockets) {
    try (SSLSocket socket = (SSLSocket) sockets.createSocket()) {
      socket.bind(new InetSocketAddress("127.0.1.77", 0));
      socket.setSoTimeout(2_000);
      socket.setSoLinger(true, 0);
      socket.connect(target.address(StorageService.BLOB), 2_000);
      socket.startHandshake();
      socket.getSession().invalidate();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
