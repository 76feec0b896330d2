package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AccountProperties.rule;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of web pages to a server on loopback that has the public key: SECURITY.md. */
@Covers(value = Area.ACCESS, service = StorageService.QUEUE)
@Tag("own-server")
@ResourceLock(AccountProperties.LOCK)
class WebPagesConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example:10001", "host.docker.internal"})
  @Documented("SECURITY.md: a page whose host resolves to loopback")
  void anotherHostIsRefused(String host) {
    expect(queue.metadata().header("Host", host).send()).error(400, "InvalidHeaderValue");
    expect(queue.put("x", "").header("Host", host).send()).error(400, "InvalidHeaderValue");
    assertThat(queue.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:1", "[::1]:10001", "pages.localhost"})
  @Documented("SECURITY.md: names of loopback")
  void namesOfLoopbackAreAccepted(String host) {
    expect(queue.metadata().header("Host", host).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://localhost.evil.example"})
  @Documented("SECURITY.md: a request that a browser sends without asking first")
  void aForeignPageDoesNotWrite(String origin) {
    expect(queue.put("x", "").header("Content-Type", "text/plain").header("Origin", origin).send())
        .error(403, "AuthorizationFailure");
    assertThat(queue.count()).isZero();
    expect(queue.metadata().header("Origin", origin).send()).status(200);
    expect(queue.put("x", "").header("Origin", "http://localhost:3000").send()).status(201);
  }

  @Test
  @Documented("SECURITY.md: a CORS rule of the service")
  void aForeignPageThatARuleAllowsWrites() {
    AccountProperties properties = AccountProperties.remember(queue.wire());
    try {
      String rule = rule("POST", "https://good.example", "*", "*", 5);
      expect(properties.set("<Cors>" + rule + "</Cors>")).status(202);
      expect(queue.put("x", "").header("Origin", "https://good.example").send()).status(201);
      expect(queue.put("x", "").header("Origin", "https://evil.example").send())
          .error(403, "AuthorizationFailure");
    } finally {
      properties.restore();
    }
  }
}
