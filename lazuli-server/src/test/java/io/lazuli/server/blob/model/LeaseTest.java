package io.lazuli.server.blob.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.LeaseAction.Acquire;
import io.lazuli.server.blob.model.LeaseAction.Break;
import io.lazuli.server.blob.model.LeaseAction.Change;
import io.lazuli.server.blob.model.LeaseAction.Release;
import io.lazuli.server.blob.model.LeaseAction.Renew;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Ticks;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every cell of the tables of blob-rest 5. The test sets the clock, which is a number. */
class LeaseTest {
  private static final UUID A = new UUID(0, 0xA);
  private static final UUID B = new UUID(0, 0xB);
  private static final UUID C = new UUID(0, 0xC);
  private static final long NOW = 1_000 * Ticks.PER_SECOND;
  private static final int DURATION = 30;

  private static final List<LeasedResource> RESOURCES =
      List.of(LeasedResource.BLOB, LeasedResource.CONTAINER);

  /** The seconds that are left of a lease or of a break period. */
  private static final int REST = 12;

  /** Section 5.1. Columns: the action, then its result in each state. */
  @ParameterizedTest
  @CsvSource({
    "acquire X, leased X 40, LeaseAlreadyPresent, LeaseAlreadyPresent, leased X 40, leased X 40",
    "acquire A, leased A 40, leased A 40, LeaseIsBreakingAndCannotBeAcquired, leased A 40,"
        + " leased A 40",
    "acquire B, leased B 40, LeaseAlreadyPresent, LeaseAlreadyPresent, leased B 40, leased B 40",
    "renew A, LeaseIdMismatchWithLeaseOperation, leased A 30, LeaseIsBrokenAndCannotBeRenewed,"
        + " LeaseIsBrokenAndCannotBeRenewed, leased A 30",
    "renew B, LeaseIdMismatchWithLeaseOperation, LeaseIdMismatchWithLeaseOperation,"
        + " LeaseIdMismatchWithLeaseOperation, LeaseIdMismatchWithLeaseOperation,"
        + " LeaseIdMismatchWithLeaseOperation",
    "change A B, LeaseNotPresentWithLeaseOperation, leased B 12,"
        + " LeaseIsBreakingAndCannotBeChanged, LeaseNotPresentWithLeaseOperation,"
        + " LeaseNotPresentWithLeaseOperation",
    "change B A, LeaseNotPresentWithLeaseOperation, leased A 12,"
        + " LeaseIsBreakingAndCannotBeChanged, LeaseNotPresentWithLeaseOperation,"
        + " LeaseNotPresentWithLeaseOperation",
    "change B C, LeaseNotPresentWithLeaseOperation, LeaseIdMismatchWithLeaseOperation,"
        + " LeaseIdMismatchWithLeaseOperation, LeaseNotPresentWithLeaseOperation,"
        + " LeaseNotPresentWithLeaseOperation",
    "release A, LeaseIdMismatchWithLeaseOperation, available, available, available, available",
    "release B, LeaseIdMismatchWithLeaseOperation, LeaseIdMismatchWithLeaseOperation,"
        + " LeaseIdMismatchWithLeaseOperation, LeaseIdMismatchWithLeaseOperation,"
        + " LeaseIdMismatchWithLeaseOperation",
    "break 0, LeaseNotPresentWithLeaseOperation, broken A time 0, broken A time 0,"
        + " broken A time 0, broken A time 0",
    "break 5, LeaseNotPresentWithLeaseOperation, breaking A time 5, breaking A time 5,"
        + " broken A time 0, broken A time 0",
    "break 20, LeaseNotPresentWithLeaseOperation, breaking A time 12, breaking A time 12,"
        + " broken A time 0, broken A time 0",
    "break, LeaseNotPresentWithLeaseOperation, breaking A time 12, breaking A time 12,"
        + " broken A time 0, broken A time 0",
  })
  void actionsByState(
      String action,
      String available,
      String leased,
      String breaking,
      String broken,
      String expired) {
    assertThat(tried(Lease.NONE, action)).isEqualTo(available);
    assertThat(tried(in(LeaseState.LEASED), action)).isEqualTo(leased);
    assertThat(tried(in(LeaseState.BREAKING), action)).isEqualTo(breaking);
    assertThat(tried(in(LeaseState.BROKEN), action)).isEqualTo(broken);
    assertThat(tried(in(LeaseState.EXPIRED), action)).isEqualTo(expired);
  }

  @ParameterizedTest
  @CsvSource({
    "acquire A, leased A 40",
    "acquire B, LeaseAlreadyPresent",
    "renew A, leased A infinite",
    "change A B, leased B infinite",
    "release A, available",
    "break 0, broken A time 0",
    "break 60, breaking A time 60",
    "break, broken A time 0",
  })
  void actionsOnAnInfiniteLease(String action, String outcome) {
    assertThat(tried(infinite(), action)).isEqualTo(outcome);
  }

  /** A request reads the clock before it waits for its turn, and the break may come in between. */
  @ParameterizedTest
  @ValueSource(strings = {"break 0", "break"})
  void aLeaseThatIsBrokenAtOnceIsBrokenForRequestsThatReadTheClockEarlier(String action) {
    Lease broken =
        infinite().apply(action(action.split(" ", -1)), LeasedResource.BLOB, NOW).lease();
    assertThat(broken.state(NOW - Ticks.PER_SECOND)).isEqualTo(LeaseState.BROKEN);
    assertThat(broken.writeRefusal(LeasedResource.BLOB, A, NOW - 1)).isNotNull();
  }

  @Test
  void anInfiniteLeaseThatBreaksCountsItsBreakPeriod() {
    Lease breaking = infinite().apply(new Break(20), LeasedResource.BLOB, NOW).lease();
    long later = NOW + 15 * Ticks.PER_SECOND;
    assertThat(breaking.apply(new Break(null), LeasedResource.BLOB, later).secondsLeft())
        .isEqualTo(5);
    assertThat(breaking.state(NOW + 20 * Ticks.PER_SECOND)).isEqualTo(LeaseState.BROKEN);
  }

  @Test
  void secondsLeftAreRoundedUpSoThatWhoWaitsWaitsLongEnough() {
    Lease lease = acquired(15);
    assertThat(lease.apply(new Break(null), LeasedResource.BLOB, NOW + 1).secondsLeft())
        .isEqualTo(15);
  }

  @Test
  void statesFollowTheClock() {
    Lease lease = acquired(15);
    long end = NOW + 15 * Ticks.PER_SECOND;
    assertThat(lease.state(NOW)).isEqualTo(LeaseState.LEASED);
    assertThat(lease.state(end - 1)).isEqualTo(LeaseState.LEASED);
    assertThat(lease.state(end)).isEqualTo(LeaseState.EXPIRED);
    Lease breaking = lease.apply(new Break(5), LeasedResource.BLOB, NOW).lease();
    assertThat(breaking.state(NOW + 5 * Ticks.PER_SECOND - 1)).isEqualTo(LeaseState.BREAKING);
    assertThat(breaking.state(NOW + 5 * Ticks.PER_SECOND)).isEqualTo(LeaseState.BROKEN);
    assertThat(infinite().state(Long.MAX_VALUE)).isEqualTo(LeaseState.LEASED);
    assertThat(Lease.NONE.state(NOW)).isEqualTo(LeaseState.AVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "AVAILABLE, available, unlocked, ''",
    "LEASED, leased, locked, fixed",
    "BREAKING, breaking, locked, ''",
    "BROKEN, broken, unlocked, ''",
    "EXPIRED, expired, unlocked, ''",
  })
  void statesAsTheWireShowsThem(LeaseState state, String text, String status, String duration) {
    assertThat(in(state).state(NOW)).isEqualTo(state);
    assertThat(state.text()).isEqualTo(text);
    assertThat(state.status()).isEqualTo(status);
    String shown = in(state).durationText(NOW);
    assertThat(shown == null ? "" : shown).isEqualTo(duration);
    assertThat(infinite().durationText(NOW)).isEqualTo("infinite");
  }

  /** Section 5.2, writes: without an id, with the current or last id, with another id. */
  @ParameterizedTest
  @CsvSource({
    "AVAILABLE, ok, absent, absent",
    "LEASED, LeaseIdMissing, ok, mismatch",
    "BREAKING, LeaseIdMissing, ok, mismatch",
    "BROKEN, ok, LeaseLost, mismatch",
    "EXPIRED, ok, LeaseLost, mismatch",
  })
  void writesNeedTheId(LeaseState state, String none, String current, String other) {
    for (LeasedResource resource : RESOURCES) {
      Lease lease = in(state);
      assertThat(code(lease.writeRefusal(resource, null, NOW))).isEqualTo(code(none, resource));
      assertThat(code(lease.writeRefusal(resource, A, NOW))).isEqualTo(code(current, resource));
      assertThat(code(lease.writeRefusal(resource, B, NOW))).isEqualTo(code(other, resource));
    }
  }

  /** Section 5.2, reads: a given id is checked. */
  @ParameterizedTest
  @CsvSource({
    "AVAILABLE, ok, absent, absent",
    "LEASED, ok, ok, mismatch",
    "BREAKING, ok, ok, mismatch",
    "BROKEN, ok, LeaseLost, mismatch",
    "EXPIRED, ok, LeaseLost, mismatch",
  })
  void readsCheckTheIdWhenItIsGiven(LeaseState state, String none, String current, String other) {
    for (LeasedResource resource : RESOURCES) {
      Lease lease = in(state);
      assertThat(code(lease.readRefusal(resource, null, NOW))).isEqualTo(code(none, resource));
      assertThat(code(lease.readRefusal(resource, A, NOW))).isEqualTo(code(current, resource));
      assertThat(code(lease.readRefusal(resource, B, NOW))).isEqualTo(code(other, resource));
    }
  }

  @Test
  void refusalsNameTheirResource() {
    requireNamed(LeasedResource.BLOB, "blob");
    requireNamed(LeasedResource.CONTAINER, "container");
  }

  private static void requireNamed(LeasedResource resource, String name) {
    for (ServiceError error :
        List.of(
            resource.idMissing(),
            resource.mismatch(),
            resource.lost(),
            resource.absent(),
            resource.actionMismatch(),
            resource.actionWithoutLease())) {
      assertThat(error.message()).contains(" the " + name);
    }
    assertThat(resource.idMissing().status()).isEqualTo(412);
    assertThat(resource.mismatch().status()).isEqualTo(412);
    assertThat(resource.lost().status()).isEqualTo(412);
    assertThat(resource.absent().status()).isEqualTo(412);
    assertThat(resource.actionMismatch().status()).isEqualTo(409);
    assertThat(resource.actionWithoutLease().status()).isEqualTo(409);
  }

  @ParameterizedTest
  @EnumSource(LeaseState.class)
  void aWriteMakesAnEndedLeaseAvailableAndKeepsALockedOne(LeaseState state) {
    Lease lease = in(state);
    assertThat(lease.afterWrite(NOW)).isEqualTo(state.isLocked() ? lease : Lease.NONE);
  }

  @Test
  void anExpiredLeaseCanBeRenewedUnlessTheBlobWasWritten() {
    Lease expired = in(LeaseState.EXPIRED);
    assertThat(expired.apply(new Renew(A), LeasedResource.BLOB, NOW).refusal()).isNull();
    assertThat(expired.afterWrite(NOW).apply(new Renew(A), LeasedResource.BLOB, NOW).refusal())
        .isEqualTo(BlobErrors.BLOB_LEASE_ACTION_MISMATCH);
  }

  @Test
  void anExpiredLeaseCannotBeRenewedOnceAnotherHasBeenThere() {
    Lease other =
        in(LeaseState.EXPIRED).apply(new Acquire(B, 15), LeasedResource.BLOB, NOW).lease();
    long later = NOW + 100 * Ticks.PER_SECOND;
    assertThat(other.apply(new Renew(A), LeasedResource.CONTAINER, later).refusal())
        .isEqualTo(BlobErrors.CONTAINER_LEASE_ACTION_MISMATCH);
  }

  /** The worked example of blob-rest 19. */
  @Test
  void theWorkedExampleHolds() {
    LeasedResource blob = LeasedResource.BLOB;
    Lease lease = acquired(15);
    assertThat(lease.writeRefusal(blob, null, NOW)).isEqualTo(BlobErrors.BLOB_LEASE_ID_MISSING);
    assertThat(lease.writeRefusal(blob, B, NOW)).isEqualTo(BlobErrors.BLOB_LEASE_MISMATCH);
    assertThat(lease.writeRefusal(blob, A, NOW)).isNull();
    LeaseOutcome broken = lease.afterWrite(NOW).apply(new Break(5), blob, NOW);
    assertThat(broken.secondsLeft()).isEqualTo(5);
    long later = NOW + 5 * Ticks.PER_SECOND;
    assertThat(broken.lease().writeRefusal(blob, A, later)).isEqualTo(BlobErrors.BLOB_LEASE_LOST);
    assertThat(broken.lease().writeRefusal(blob, null, later)).isNull();
    assertThat(broken.lease().afterWrite(later).state(later)).isEqualTo(LeaseState.AVAILABLE);
  }

  /** Returns a lease with id A, acquired for 30 s, that is in the given state now. */
  private static Lease in(LeaseState state) {
    long end = NOW + REST * Ticks.PER_SECOND;
    return switch (state) {
      case AVAILABLE -> Lease.NONE;
      case LEASED -> new Lease(A, false, DURATION, end);
      case BREAKING -> new Lease(A, true, DURATION, end);
      case BROKEN -> new Lease(A, true, DURATION, NOW);
      case EXPIRED -> new Lease(A, false, DURATION, NOW);
    };
  }

  private static Lease infinite() {
    return acquired(Lease.INFINITE);
  }

  private static Lease acquired(int seconds) {
    return Lease.NONE.apply(new Acquire(A, seconds), LeasedResource.BLOB, NOW).lease();
  }

  /**
   * Returns the result of an action: the code of the refusal, or the new state with its details.
   */
  private static String tried(Lease lease, String action) {
    LeaseOutcome outcome = lease.apply(action(action.split(" ", -1)), LeasedResource.BLOB, NOW);
    if (outcome.refusal() != null) {
      assertThat(outcome.refusal().status()).isEqualTo(409);
      assertThat(outcome.lease()).isEqualTo(lease);
      return outcome.refusal().code();
    }
    Lease after = outcome.lease();
    String state = after.state(NOW).text();
    if (after.id() == null) {
      return state;
    }
    String shown = state + " " + name(after.id());
    if (action.startsWith("break")) {
      return shown + " time " + outcome.secondsLeft();
    }
    String rest = String.valueOf((after.endTicks() - NOW) / Ticks.PER_SECOND);
    return shown + " " + (after.isInfinite() ? "infinite" : rest);
  }

  private static LeaseAction action(String[] words) {
    return switch (words[0]) {
      case "acquire" -> new Acquire(id(words[1]), 40);
      case "renew" -> new Renew(id(words[1]));
      case "change" -> new Change(id(words[1]), id(words[2]));
      case "release" -> new Release(id(words[1]));
      default -> new Break(words.length == 1 ? null : Integer.valueOf(words[1]));
    };
  }

  private static UUID id(String name) {
    return switch (name) {
      case "A" -> A;
      case "B" -> B;
      case "C" -> C;
      default -> new UUID(7, 7);
    };
  }

  private static String name(UUID id) {
    return id.equals(A) ? "A" : id.equals(B) ? "B" : id.equals(C) ? "C" : "X";
  }

  private static String code(@Nullable ServiceError error) {
    return error == null ? "ok" : error.code();
  }

  private static String code(String expected, LeasedResource resource) {
    String name = resource.equals(LeasedResource.BLOB) ? "Blob" : "Container";
    return switch (expected) {
      case "mismatch" -> "LeaseIdMismatchWith" + name + "Operation";
      case "absent" -> "LeaseNotPresentWith" + name + "Operation";
      default -> expected;
    };
  }
}
