package io.lazuli.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.EngineState;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Checks what operators see. */
class HealthEndpointTest {
  @Test
  void droppedLogLinesAreReportedIfThereAreAny() {
    AtomicLong dropped = new AtomicLong();
    HealthEndpoint health =
        new HealthEndpoint(
            () -> new EngineState(true, "fine"), () -> true, dropped::get, Rehearsal.OFF);
    assertThat(body(health)).isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\"}");
    dropped.set(7);
    assertThat(body(health))
        .isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\",\"droppedLogLines\":7}");
  }

  @Test
  void droppedLogLinesAreReportedOfADegradedStoreToo() {
    EngineState faulty = new EngineState(true, "fine").withFault("nothing is freed");
    HealthEndpoint health = new HealthEndpoint(() -> faulty, () -> true, () -> 7, Rehearsal.OFF);
    assertThat(body(health))
        .isEqualTo(
            "{\"status\":\"degraded\",\"detail\":\"nothing is freed\",\"droppedLogLines\":7}");
  }

  @Test
  void aRehearsalIsReported() {
    Rehearsal trouble = Rehearsal.parse("busy=5,seed=2");
    HealthEndpoint health =
        new HealthEndpoint(() -> new EngineState(true, "fine"), () -> true, () -> 0, trouble);
    assertThat(body(health))
        .isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\",\"rehearsing\":\"busy=5,seed=2\"}");
  }

  private static String body(HealthEndpoint health) {
    Response answer = health.handle(TestRequests.of("GET", "/health")).toCompletableFuture().join();
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
