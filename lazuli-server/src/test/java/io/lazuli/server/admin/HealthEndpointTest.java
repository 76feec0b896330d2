package io.lazuli.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.EngineState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Checks what operators see. */
class HealthEndpointTest {
  /** A full disk is not cured by a restart, so a supervisor must not see it as a dead process. */
  @Test
  void aServerThatCannotWriteLivesAndIsReady() {
    HealthEndpoint health =
        health(new EngineState(false, "disk full"), "", List.of(), () -> 0, Rehearsal.OFF);
    assertThat(status(health, "GET", "/livez")).isEqualTo(200);
    assertThat(status(health, "GET", "/readyz")).isEqualTo(200);
    assertThat(status(health, "GET", "/health")).isEqualTo(503);
    assertThat(status(health, "HEAD", "/health")).isEqualTo(503);
  }

  @Test
  void onlyARestartHelpsAFailedServer() {
    HealthEndpoint health =
        health(new EngineState(true, "fine"), "out of memory", List.of(), () -> 0, Rehearsal.OFF);
    for (String path : List.of("/livez", "/readyz", "/ready", "/health")) {
      assertThat(status(health, "GET", path)).describedAs(path).isEqualTo(503);
      assertThat(status(health, "HEAD", path)).describedAs(path).isEqualTo(503);
    }
  }

  @Test
  void droppedLogLinesAreReportedIfThereAreAny() {
    AtomicLong dropped = new AtomicLong();
    HealthEndpoint health =
        health(new EngineState(true, "fine"), "", List.of(), dropped::get, Rehearsal.OFF);
    assertThat(body(health)).isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\"}");
    dropped.set(7);
    assertThat(body(health))
        .isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\",\"droppedLogLines\":7}");
  }

  @Test
  void droppedLogLinesAreReportedOfADegradedStoreToo() {
    EngineState faulty = new EngineState(true, "fine").withFault("nothing is freed");
    HealthEndpoint health = health(faulty, "", List.of(), () -> 7, Rehearsal.OFF);
    assertThat(body(health))
        .isEqualTo(
            "{\"status\":\"degraded\",\"detail\":\"nothing is freed\",\"droppedLogLines\":7}");
  }

  @Test
  void aRehearsalIsReported() {
    Rehearsal trouble = Rehearsal.parse("busy=5,seed=2");
    HealthEndpoint health = health(new EngineState(true, "fine"), "", List.of(), () -> 0, trouble);
    assertThat(body(health))
        .isEqualTo("{\"status\":\"ok\",\"detail\":\"fine\",\"rehearsing\":\"busy=5,seed=2\"}");
  }

  @Test
  void troublesAreListedTogetherUntilTheyAreOver() {
    List<String> troubles = new ArrayList<>(List.of("", "a thread fails", "", "no descriptors"));
    EngineState state = new EngineState(true, "fine").withFault("a chunk is damaged");
    HealthEndpoint health = health(state, "", troubles, () -> 0, Rehearsal.OFF);
    assertThat(body(health))
        .isEqualTo(
            "{\"status\":\"degraded\",\"detail\":\"a chunk is damaged; a thread fails; no"
                + " descriptors\"}");
    troubles.clear();
    assertThat(body(health))
        .isEqualTo("{\"status\":\"degraded\",\"detail\":\"a chunk is damaged\"}");
  }

  @Test
  void aStoreThatRefusesWritesHidesNoOtherTrouble() {
    EngineState state = new EngineState(false, "no log");
    HealthEndpoint health = health(state, "", List.of("a thread fails"), () -> 0, Rehearsal.OFF);
    assertThat(answer(health, "/health").status()).isEqualTo(503);
    assertThat(body(health))
        .isEqualTo("{\"status\":\"not writable\",\"detail\":\"no log; a thread fails\"}");
  }

  @Test
  void aServerThatFailedIsNeitherHealthyNorReady() {
    HealthEndpoint health =
        health(new EngineState(true, "fine"), "out of memory", List.of(), () -> 0, Rehearsal.OFF);
    assertThat(answer(health, "/health").status()).isEqualTo(503);
    assertThat(answer(health, "/ready").status()).isEqualTo(503);
    assertThat(body(health)).isEqualTo("{\"status\":\"failed\",\"detail\":\"out of memory\"}");
  }

  @Test
  void descriptorsAreATroubleWhenNearlyAllAreInUse() {
    assertThat(Descriptors.trouble(900, 1_000)).isEmpty();
    assertThat(Descriptors.trouble(901, 1_000))
        .isEqualTo("901 of 1000 file descriptors are in use");
    assertThat(Descriptors.trouble()).isEmpty();
  }

  private static HealthEndpoint health(
      EngineState state,
      String failure,
      List<String> troubles,
      LongSupplier dropped,
      Rehearsal rehearsal) {
    return new HealthEndpoint(
        () -> state, () -> true, () -> failure, () -> troubles, dropped, rehearsal);
  }

  private static int status(HealthEndpoint health, String method, String path) {
    Response answer = health.handle(TestRequests.of(method, path)).toCompletableFuture().join();
    return answer.status();
  }

  private static Response answer(HealthEndpoint health, String path) {
    return health.handle(TestRequests.of("GET", path)).toCompletableFuture().join();
  }

  private static String body(HealthEndpoint health) {
    return new String(answer(health, "/health").body(), StandardCharsets.UTF_8);
  }
}
