package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Set Blob Expiry, which Azure has on hierarchical accounts only. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class ExpiryConformanceTest {

  private static final String LACKS = "Azurite 3.37.0 has no Set Blob Expiry";
  private static final String TIME = "x-ms-expiry-time";

  private final ScratchContainer container = ScratchContainer.create();

  private WireRequest expiry(String blob, String option) {
    return container.on("PUT", blob, "comp=expiry").header("x-ms-expiry-option", option);
  }

  /** Returns the expiry that GET and HEAD show; empty for none. */
  private String shown(String blob) {
    WireAnswer head = container.head(blob).send();
    assertThat(container.get(blob).send().header(TIME)).isEqualTo(head.header(TIME));
    return head.header(TIME).orElse("");
  }

  @Test
  @Documented("blob-features 4.3: every option, the answer, GET, HEAD and listings")
  @Differs(LACKS)
  void everyOptionSetsTheTime() {
    WireAnswer before = container.stored("b", "x");
    WireAnswer set = expiry("b", "RelativeToNow").header(TIME, "3600000").send();
    expect(set).status(200).emptyBody();
    assertThat(set.etag()).isNotEqualTo(before.etag());
    assertThat(set.header("Last-Modified")).isPresent();
    Instant soon = HttpDates.parse(shown("b"));
    assertThat(soon).isBetween(Instant.now().plusSeconds(3_000), Instant.now().plusSeconds(4_200));
    assertThat(BlobListing.of(container, "").entries().get(0).child("Properties").names())
        .contains("Expiry-Time");
    expect(expiry("b", "relativetocreation").header(TIME, "86400000").send()).status(200);
    assertThat(HttpDates.parse(shown("b")))
        .isEqualTo(
            HttpDates.parse(container.property("b", "x-ms-creation-time")).plusSeconds(86_400));
    String date = HttpDates.format(Instant.now().plus(2, ChronoUnit.DAYS));
    expect(expiry("b", "Absolute").header(TIME, date).send()).status(200);
    assertThat(shown("b")).isEqualTo(date);
    expect(expiry("b", "NeverExpire").send()).status(200);
    assertThat(shown("b")).isEmpty();
  }

  @Test
  @Documented("blob-features 4.3: what is refused")
  @Differs(LACKS)
  void badTimesAreRefused() {
    container.stored("b", "x");
    String past = HttpDates.format(Instant.now().minusSeconds(60));
    refused(expiry("b", "Absolute").header(TIME, past).send(), 400, "InvalidHeaderValue");
    refused(expiry("b", "Absolute").header(TIME, "5000").send(), 400, "InvalidHeaderValue");
    refused(expiry("b", "RelativeToNow").header(TIME, "soon").send(), 400, "InvalidHeaderValue");
    refused(expiry("b", "RelativeToNow").header(TIME, "-1").send(), 400, "InvalidHeaderValue");
    refused(expiry("b", "NeverExpire").header(TIME, "5000").send(), 400, "InvalidHeaderValue");
    refused(expiry("b", "Sometimes").header(TIME, "5000").send(), 400, "InvalidHeaderValue");
    for (String option : List.of("Absolute", "RelativeToNow", "RelativeToCreation")) {
      refused(expiry("b", option).send(), 400, "MissingRequiredHeader");
    }
    refused(container.on("PUT", "b", "comp=expiry").send(), 400, "MissingRequiredHeader");
    refused(expiry("none", "NeverExpire").send(), 404, "BlobNotFound");
    assertThat(shown("b")).isEmpty();
  }

  @Test
  @Documented("blob-features 4.3: a leased blob needs the id")
  @Differs(LACKS)
  void aLeasedBlobNeedsTheId() {
    container.stored("b", "x");
    String id = "1f812371-a41d-49e6-b123-f4b542e851c5";
    container.leased("b", id);
    refused(expiry("b", "RelativeToNow").header(TIME, "60000").send(), 412, "LeaseIdMissing");
    expect(expiry("b", "RelativeToNow").header(TIME, "60000").header("x-ms-lease-id", id).send())
        .status(200);
  }

  @Test
  @Documented("blob-features 4.3: overwriting clears it, other changes keep it")
  @Differs(LACKS)
  void overwritingClearsIt() {
    container.stored("b", "x");
    expect(expiry("b", "RelativeToNow").header(TIME, "3600000").send()).status(200);
    String time = shown("b");
    expect(container.on("PUT", "b", "comp=metadata").header("x-ms-meta-a", "b").send()).status(200);
    assertThat(shown("b")).isEqualTo(time);
    container.stored("b", "y");
    assertThat(shown("b")).isEmpty();
  }

  @Test
  @Documented("blob-features 4.3: gone at once, and its snapshots with it")
  @Differs(LACKS)
  void anExpiredBlobIsGone() {
    container.stored("b", "x");
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("b"));
    expect(container.on("GET", "b", snapshot).send()).status(200);
    expect(expiry("b", "RelativeToNow").header(TIME, "1000").send()).status(200);
    Waiting.until(() -> container.get("b").send().status() == 404);
    refused(container.get("b").send(), 404, "BlobNotFound");
    refused(container.on("GET", "b", snapshot).send(), 404, "BlobNotFound");
    refused(container.on("PUT", "b", "comp=metadata").send(), 404, "BlobNotFound");
    assertThat(BlobListing.of(container, "").entries()).isEmpty();
    expect(container.put("b", "new").header("If-None-Match", "*").send()).status(201);
    assertThat(container.content("b")).isEqualTo("new");
  }
}
