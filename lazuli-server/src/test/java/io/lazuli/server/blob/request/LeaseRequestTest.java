package io.lazuli.server.blob.request;

import static io.lazuli.server.blob.model.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseId;
import io.lazuli.server.error.CommonErrors;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseRequestTest {
  private static final String ID = "1f812371-a41d-49e6-b123-f4b542e851c5";
  private static final String OTHER = "2f812371-a41d-49e6-b123-f4b542e851c5";
  private static final UUID NEW = new UUID(1, 2);

  @Test
  void headersBecomeActions() {
    UUID id = UUID.fromString(ID);
    UUID other = UUID.fromString(OTHER);
    assertThat(action("acquire", null, null, "15", null))
        .isEqualTo(new LeaseAction.Acquire(NEW, 15));
    assertThat(action("ACQUIRE", null, ID, "-1", null))
        .isEqualTo(new LeaseAction.Acquire(id, Lease.INFINITE));
    assertThat(action("renew", ID, null, null, null)).isEqualTo(new LeaseAction.Renew(id));
    assertThat(action("change", ID, OTHER, null, null))
        .isEqualTo(new LeaseAction.Change(id, other));
    assertThat(action("release", ID, null, null, null)).isEqualTo(new LeaseAction.Release(id));
    assertThat(action("break", null, null, null, null)).isEqualTo(new LeaseAction.Break(null));
    assertThat(action("break", null, null, null, "0")).isEqualTo(new LeaseAction.Break(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"15", "60", "37"})
  void durationsOfFifteenToSixtySecondsAreTaken(String duration) {
    assertThat(action("acquire", null, ID, duration, null)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "14", "61", "70", "-10", "0", "", "x", "1e1", "+20", "99999999999"})
  void otherDurationsAreRefused(String duration) {
    assertThat(
            refused(
                CommonErrors.INVALID_HEADER_VALUE,
                () -> action("acquire", null, ID, duration, null)))
        .containsEntry("HeaderName", "x-ms-lease-duration")
        .containsEntry("HeaderValue", duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "61", "", "five"})
  void breakPeriodsOutOfRangeAreRefused(String period) {
    assertThat(
            refused(
                CommonErrors.INVALID_HEADER_VALUE, () -> action("break", null, null, null, period)))
        .containsEntry("HeaderName", "x-ms-lease-break-period");
  }

  @ParameterizedTest
  @CsvSource({
    "acquire, x-ms-lease-duration",
    "renew, x-ms-lease-id",
    "change, x-ms-lease-id",
    "release, x-ms-lease-id"
  })
  void missingHeadersAreNamed(String action, String header) {
    assertThat(
            refused(
                CommonErrors.MISSING_REQUIRED_HEADER, () -> action(action, null, null, null, null)))
        .containsEntry("HeaderName", header);
  }

  @Test
  void anActionIsRequiredAndKnown() {
    refused(CommonErrors.MISSING_REQUIRED_HEADER, () -> action(null, null, null, null, null));
    refused(CommonErrors.INVALID_HEADER_VALUE, () -> action("take", null, null, null, null));
    assertThat(
            refused(
                CommonErrors.MISSING_REQUIRED_HEADER, () -> action("change", ID, null, null, null)))
        .containsEntry("HeaderName", "x-ms-proposed-lease-id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1f812371-a41d-49e6-b123-f4b542e851c5",
        "1F812371-A41D-49E6-B123-F4B542E851C5",
        "1f812371a41d49e6b123f4b542e851c5",
        "{1f812371-a41d-49e6-b123-f4b542e851c5}",
        "(1f812371-a41d-49e6-b123-f4b542e851c5)",
        " 1f812371-a41d-49e6-b123-f4b542e851c5 "
      })
  void idsComeInTheCommonForms(String text) {
    assertThat(LeaseId.require("x-ms-lease-id", text)).isEqualTo(UUID.fromString(ID));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "1-1-1-1-1", "{1f812371-a41d-49e6-b123-f4b542e851c5", "1f812371a41d49e6"})
  void otherIdsAreRefused(String text) {
    assertThat(
            refused(
                CommonErrors.INVALID_HEADER_VALUE, () -> LeaseId.require("x-ms-lease-id", text)))
        .containsEntry("HeaderName", "x-ms-lease-id")
        .containsEntry("HeaderValue", text);
  }

  private static LeaseAction action(
      @Nullable String action,
      @Nullable String id,
      @Nullable String proposed,
      @Nullable String duration,
      @Nullable String breakPeriod) {
    return new LeaseRequest(action, id, proposed, duration, breakPeriod).toAction(() -> NEW);
  }
}
