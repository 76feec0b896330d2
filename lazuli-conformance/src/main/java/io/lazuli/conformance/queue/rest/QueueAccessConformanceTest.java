package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the queue service with shared keys, queue signatures and account signatures. */
@Covers(value = Area.ACCESS, service = StorageService.QUEUE)
@Differs("Azurite 3.37.0 has its own messages and checks fewer fields")
@ResourceLock(AccountProperties.LOCK)
class QueueAccessConformanceTest {

  private static final Pattern DETAIL =
      Pattern.compile("</Message><AuthenticationErrorDetail>([^<]*)</AuthenticationErrorDetail>");

  private static final String OTHER_KEY = "b3RoZXIga2V5";
  private static final String FAILED =
      "Server failed to authenticate the request. Make sure the value of Authorization header is"
          + " formed correctly including the signature.";

  private final ScratchQueue queue = ScratchQueue.create();

  private SharedAccess ofAccount(String letters) {
    return SharedAccess.ofAccount(queue.wire().account()).permissions(letters);
  }

  private void expectFailed(WireAnswer answer) {
    expect(answer)
        .error(403, "AuthenticationFailed", FAILED)
        .header("x-ms-error-code", "AuthenticationFailed");
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 3: SharedKey on every operation")
  void theKeyOpensEverything(QueueCall call) {
    expect(call.on(queue).signing(Signing.SHARED_KEY).send()).status(call.success);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 3: SharedKeyLite on every operation")
  void theShortSchemeOpensEverythingToo(QueueCall call) {
    expect(call.on(queue).signing(Signing.SHARED_KEY_LITE).send()).status(call.success);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("queue-rest 3, auth 7")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 answers AuthorizationFailure")
  void aWrongKeyIsRefused(Signing scheme) {
    expectFailed(queue.metadata().signing(scheme).key(OTHER_KEY).send());
  }

  @Test
  @Documented("queue-rest 3: Date instead of x-ms-date; queue-rest 2.3")
  void theDateMayBeInItsOwnHeader() {
    String now = WireRequest.httpDate(Instant.now());
    for (Signing scheme : new Signing[] {Signing.SHARED_KEY, Signing.SHARED_KEY_LITE}) {
      expect(queue.metadata().signing(scheme).without("x-ms-date").header("Date", now).send())
          .status(200);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-20, 20})
  @Documented("queue-rest 2.3, 9: 15 minutes")
  @Differs("Azurite 3.37.0 ignores the date")
  void aDateOutsideTheWindowIsRefused(int minutes) {
    String date = WireRequest.httpDate(Instant.now().plus(Duration.ofMinutes(minutes)));
    expectFailed(queue.metadata().header("x-ms-date", date).send());
  }

  @Test
  @Documented("queue-rest 3: every x-ms- header and every parameter is signed")
  void aLaterParameterBreaksTheSignature() {
    WireRequest signed = queue.wire().request("PUT", queue.path() + "?comp=metadata");
    expect(signed.header("x-ms-meta-a", "1").send()).status(204);
    expectFailed(signed.header("x-ms-meta-a", "2").send());
  }

  @ParameterizedTest
  @CsvSource({
    "2019-07-07, 403, AuthenticationFailed",
    "2019-12-12, 401, NoAuthenticationInformation"
  })
  @Documented("queue-rest 3, auth 7: no credentials, by version")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void withoutCredentialsTheAnswerDependsOnTheVersion(String version, int status, String code) {
    expect(queue.metadata().header("x-ms-version", version).signing(Signing.NONE).send())
        .error(status, code);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 3, auth 4.5: the column of service signatures")
  void aQueuesSignatureOpensWhatItsLettersSay(QueueCall call) {
    if (call.isElsewhere()) {
      expectFailed(call.on(queue).sas(queue.access("raup")).send());
    } else if (call.letter.isEmpty()) {
      expect(call.on(queue).sas(queue.access("raup")).send())
          .error(
              403,
              "AuthorizationFailure",
              "This request is not authorized to perform this operation.");
    } else {
      String others = "raup".replace(call.letter, "");
      expect(call.on(queue).sas(queue.access(others)).send())
          .error(
              403,
              "AuthorizationPermissionMismatch",
              "This request is not authorized to perform this operation using this permission.");
      expect(call.on(queue).sas(queue.access(call.letter)).send()).status(call.success);
    }
    expect(queue.metadata().send()).status(200);
  }

  @Test
  @Documented("auth 4.5: no service SAS allows it, not even the SAS for the queue to be created")
  void aQueuesSignatureDoesNotCreateIt() {
    ScratchQueue missing = ScratchQueue.named(ScratchQueue.freshName());
    expect(missing.wire().request("PUT", missing.path()).sas(missing.access("raup")).send())
        .error(403, "AuthorizationFailure");
    expect(missing.metadata().send()).error(404, "QueueNotFound");
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 3, auth 5: the column of account signatures")
  void anAccountsSignatureOpensWhatItsLettersSay(QueueCall call) {
    if (call.type == '-') {
      expect(call.on(queue).sas(ofAccount("rwdlacup")).send()).error(403, "AuthorizationFailure");
      return;
    }
    String others = "rwdlacup".replaceAll("[" + call.accountLetters + "]", "");
    expect(call.on(queue).sas(ofAccount(others)).send())
        .error(403, "AuthorizationPermissionMismatch");
    String wrongTypes = "sco".replace(String.valueOf(call.type), "");
    expect(call.on(queue).sas(ofAccount("rwdlacup").with("srt", wrongTypes)).send())
        .error(
            403,
            "AuthorizationResourceTypeMismatch",
            "This request is not authorized to perform this operation using this resource type.");
    expect(call.on(queue).sas(ofAccount("rwdlacup").with("ss", "bt")).send())
        .error(
            403,
            "AuthorizationServiceMismatch",
            "This request is not authorized to perform this operation using this service.");
    for (char letter : call.accountLetters.toCharArray()) {
      String type = String.valueOf(call.type);
      SharedAccess just = ofAccount(String.valueOf(letter)).with("srt", type);
      ScratchQueue fresh = call == QueueCall.DELETE_QUEUE ? ScratchQueue.create() : queue;
      expect(call.on(fresh).sas(just).send()).status(call.success);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2012-02-12",
        "2013-08-15",
        "2014-02-14",
        "2015-02-21",
        "2015-04-05",
        "2016-05-31",
        "2018-11-09",
        "2020-12-06",
        "2025-01-05",
        "2099-01-01"
      })
  @Documented("queue-rest 3, auth 4.3: the string to sign of each version")
  void everyVersionHasItsStringToSign(String version) {
    SharedAccess access =
        queue
            .access("raup")
            .with("sv", version)
            .with("st", SharedAccess.time(Duration.ofMinutes(-20)));
    expect(queue.put("text", "").sas(access).send()).status(201);
    expect(queue.get("").sas(access).send()).status(200);
    expectFailed(queue.get("").sas(access.tokenAltered("sp", "rau")).send());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2015-04-05", "2018-11-09", "2020-10-02", "2020-12-06", "2099-01-01"})
  @Documented("queue-rest 3, auth 5: one more field since 2020-12-06")
  void everyVersionOfAnAccountsSignatureHasItsStringToSign(String version) {
    SharedAccess access = ofAccount("rwdlacup").with("sv", version).with("ss", "btqf");
    expect(queue.wire().get("/?comp=list&maxresults=1").sas(access).send()).status(200);
    expectFailed(queue.get("").sas(access.tokenAltered("srt", "co")).send());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sp", "st", "se", "si", "sip", "spr", "sv"})
  @Documented("queue-rest 3, auth 4.3: every field is signed")
  void everyFieldIsSigned(String field) {
    String value =
        switch (field) {
          case "st" -> "2019-01-01";
          case "se" -> "2099-01-01";
          case "sip" -> "0.0.0.0-255.255.255.255";
          case "spr" -> "https,http";
          case "sv" -> "2019-07-07";
          default -> "raup";
        };
    expectFailed(queue.get("").sas(queue.access("p").tokenAltered(field, value)).send());
  }

  @Test
  @Documented("auth 7; blob-features 10.2: A9; blrchen/azure-speed-test#12")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2016 and 2019")
  void theTimesOfASignatureThatIsNotValidNowAreNamed() {
    String start = "2019-06-13T16:18:07Z";
    String expiry = "2019-06-14T16:23:07Z";
    assertThat(detail(queue.access("p").with("st", start).with("se", expiry)))
        .startsWith(
            "Signature not valid in the specified time frame: Start [Thu, 13 Jun 2019 16:18:07"
                + " GMT] - Expiry [Fri, 14 Jun 2019 16:23:07 GMT] - Current [")
        .endsWith(" GMT]");
    assertThat(detail(queue.access("p").with("st", expiry).with("se", start)))
        .isEqualTo(
            "Signed expiry time [Thu, 13 Jun 2019 16:18:07 GMT] must be after signed start time"
                + " [Fri, 14 Jun 2019 16:23:07 GMT]");
    assertThat(detail(queue.access("p").with("se", expiry)))
        .startsWith(
            "Signed expiry time [Fri, 14 Jun 2019 16:23:07 GMT] must be after signed start time [");
    assertThat(detail(queue.access("p").with("se", expiry).key("bm9wZQ=="))).isEmpty();
  }

  private String detail(SharedAccess access) {
    WireAnswer answer = queue.get("").sas(access).send();
    expect(answer).error(403, "AuthenticationFailed");
    Matcher found = DETAIL.matcher(answer.xml());
    return found.find() ? found.group(1) : "";
  }

  @Test
  @Documented("queue-rest 3: wrong or expired signature")
  void aSignatureHoldsFromItsStartToItsExpiry() {
    String past = SharedAccess.time(Duration.ofMinutes(-20));
    String future = SharedAccess.time(Duration.ofMinutes(20));
    expect(queue.get("").sas(queue.access("p").with("st", past).with("se", future)).send())
        .status(200);
    expectFailed(queue.get("").sas(queue.access("p").with("se", past)).send());
    expectFailed(queue.get("").sas(queue.access("p").with("st", future)).send());
    expectFailed(queue.get("").sas(queue.access("p").key(OTHER_KEY)).send());
    expectFailed(queue.get("").sas(queue.access("p").without("se")).send());
    expectFailed(queue.get("").sas(queue.access("p").without("sp")).send());
  }

  @Test
  @Documented("queue-rest 3: a protocol that spr does not allow")
  void aSignatureForHttpsIsNoneForHttp() {
    SharedAccess secure = queue.access("p").with("spr", "https");
    SharedAccess both = queue.access("p").with("spr", "https,http");
    if (!queue.wire().account().isSecure()) {
      expect(queue.get("").sas(secure).send())
          .error(
              403,
              "AuthorizationProtocolMismatch",
              "This request is not authorized to perform this operation using this protocol.");
    }
    expect(queue.get("").sas(both).send()).status(200);
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.1, false", "192.0.2.1-192.0.2.99, false", "0.0.0.0-255.255.255.255, true"})
  @Documented("queue-rest 3: an address that sip does not allow")
  void aSignatureIsForItsAddresses(String addresses, boolean open) {
    WireAnswer answer = queue.get("").sas(queue.access("p").with("sip", addresses)).send();
    if (open) {
      expect(answer).status(200);
    } else {
      expect(answer).error(403, "AuthorizationSourceIPMismatch");
      assertThat(answer.errorMessage())
          .startsWith(
              "This request is not authorized to perform this operation using this source IP");
    }
  }

  @Test
  @Documented("queue-rest 3: the name of the queue is signed, so another queue is refused")
  void anotherQueueIsNotOpen() {
    ScratchQueue other = ScratchQueue.create();
    expect(other.get("").sas(queue.access("raup")).send()).status(403);
    assertThat(other.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"puar", "pp", "xpz"})
  @Documented("auth 4.5: do: any order, repeats and unknown letters ignored")
  void lettersMayComeInAnyOrder(String letters) {
    expect(queue.get("").sas(queue.access(letters)).send()).status(200);
  }
}
