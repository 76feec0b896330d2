package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.FixtureEngineProvider;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Ticks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state that modelled blobs and containers share: an ETag, a time and a lease. Mutable. */
abstract class ModelledResource {
  private static final List<String> IDS =
      List.of(
          "11111111-aaaa-4aaa-8aaa-111111111111",
          "22222222-bbbb-4bbb-8bbb-222222222222",
          "33333333-cccc-4ccc-8ccc-333333333333");

  final WireServer server;
  final LeaseModel lease;

  /** Null if the resource does not exist. */
  @Nullable String tag;

  long changedSeconds;

  ModelledResource(WireServer server, String kind) {
    this.server = server;
    this.lease = new LeaseModel(kind);
  }

  static long now() {
    return FixtureEngineProvider.CLOCK.get() / (Ticks.PER_SECOND / 1_000);
  }

  static long nowSeconds() {
    return Ticks.toInstant(FixtureEngineProvider.CLOCK.get()).getEpochSecond();
  }

  ConditionsModel conditions(Random random) {
    return ConditionsModel.random(random, tag, tag == null ? nowSeconds() : changedSeconds);
  }

  /** Returns a lease id to send; usually the right one if there is a lease. */
  @Nullable String leaseId(Random random) {
    if (lease.isLocked(now()) ? random.nextInt(4) > 0 : random.nextInt(8) == 0) {
      return random.nextInt(4) > 0 ? lease.id() : id(random);
    }
    return null;
  }

  static String id(Random random) {
    return IDS.get(random.nextInt(IDS.size()));
  }

  static String[] headers(ConditionsModel conditions, @Nullable String leaseId, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.addAll(conditions.headers(""));
    if (leaseId != null) {
      headers.add("x-ms-lease-id: " + leaseId.toUpperCase(Locale.ROOT));
    }
    return headers.toArray(String[]::new);
  }

  /** Records a write: the ETag must be new, and the time is the current one. */
  void changed(Answer answer) {
    assertThat(answer.header("ETag")).matches("\"0x[0-9A-F]+\"").isNotEqualTo(tag);
    tag = Objects.requireNonNull(answer.header("ETag"));
    changedSeconds = seconds(answer);
    assertThat(changedSeconds).isEqualTo(nowSeconds());
  }

  static long seconds(Answer answer) {
    String date = Objects.requireNonNull(answer.header("Last-Modified"));
    return Objects.requireNonNull(HttpDate.parse(date)).getEpochSecond();
  }

  /** A lease operation: the headers to send, and the expected answer by the model. */
  private record LeaseCall(String action, List<String> headers, Supplier<Expected> expected) {}

  /**
   * Runs one lease operation.
   *
   * @param refusal why the conditions do not allow it; null if they do
   */
  boolean leaseOperation(
      String path, Random random, ConditionsModel conditions, @Nullable Expected refusal) {
    LeaseCall call = leaseCall(random);
    List<String> headers = new ArrayList<>(call.headers());
    headers.add("x-ms-lease-action: " + call.action());
    headers.addAll(conditions.headers(""));
    Answer answer = server.owner("PUT", path, "", headers.toArray(String[]::new));
    Expected expected = refusal == null ? call.expected().get() : refusal;
    expected.verify(answer);
    if (expected.isSuccess()) {
      leased(answer, call.action());
    }
    return expected.isSuccess();
  }

  private LeaseCall leaseCall(Random random) {
    String known = lease.id();
    String given = known != null && random.nextInt(3) > 0 ? known : id(random);
    String other = known != null && random.nextInt(3) == 0 ? known : id(random);
    Integer period = random.nextBoolean() ? null : random.nextInt(3) * 10;
    String id = "x-ms-lease-id: " + given;
    return switch (random.nextInt(6)) {
      case 0, 1 -> acquire(random.nextInt(4) == 0 ? null : other, random);
      case 2 -> new LeaseCall("renew", List.of(id), () -> lease.renew(given, now()));
      case 3 ->
          new LeaseCall(
              "change",
              List.of(id, "x-ms-proposed-lease-id: " + other),
              () -> lease.change(given, other, now()));
      case 4 -> new LeaseCall("release", List.of(id), () -> lease.release(given));
      default ->
          new LeaseCall(
              "break",
              period == null ? List.of() : List.of("x-ms-lease-break-period: " + period),
              () -> lease.breakIt(period, now()));
    };
  }

  private LeaseCall acquire(@Nullable String proposed, Random random) {
    int seconds = random.nextInt(3) == 0 ? -1 : 15 + random.nextInt(46);
    String duration = "x-ms-lease-duration: " + seconds;
    return new LeaseCall(
        "acquire",
        proposed == null
            ? List.of(duration)
            : List.of(duration, "x-ms-proposed-lease-id: " + proposed),
        () -> lease.acquire(proposed, seconds < 0 ? LeaseModel.FOREVER : seconds * 1_000L, now()));
  }

  private void leased(Answer answer, String action) {
    assertThat(answer.header("ETag")).isEqualTo(tag);
    assertThat(seconds(answer)).isEqualTo(changedSeconds);
    String id = answer.header("x-ms-lease-id");
    boolean ended = action.equals("release") || action.equals("break");
    if (!ended && lease.id() == null) {
      lease.made(Objects.requireNonNull(id));
    }
    assertThat(id).isEqualTo(ended ? null : lease.id());
    assertThat(answer.header("x-ms-lease-time"))
        .isEqualTo(action.equals("break") ? lease.secondsLeft(now()) : null);
  }

  void compareLease(Answer head) {
    LeaseModel.State state = lease.state(now());
    assertThat(head.header("x-ms-lease-state")).isEqualToIgnoringCase(state.name());
    assertThat(head.header("x-ms-lease-status"))
        .isEqualTo(lease.isLocked(now()) ? "locked" : "unlocked");
    assertThat(head.header("x-ms-lease-duration")).isEqualTo(lease.duration(now()));
    assertThat(head.header("ETag")).isEqualTo(tag);
    assertThat(seconds(head)).isEqualTo(changedSeconds);
  }
}
