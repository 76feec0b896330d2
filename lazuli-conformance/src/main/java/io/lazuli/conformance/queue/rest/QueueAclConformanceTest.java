package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored access policies of queues: how they are set and read, their limits and their effect. */
@Covers(value = Area.ACCESS, service = StorageService.QUEUE)
class QueueAclConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();

  private static String policy(String id, String terms) {
    return "<SignedIdentifier><Id>%s</Id><AccessPolicy>%s</AccessPolicy></SignedIdentifier>"
        .formatted(id, terms);
  }

  private static String processing(String id) {
    String expiry = SharedAccess.time(Duration.ofHours(1));
    return policy(id, "<Expiry>" + expiry + "</Expiry><Permission>p</Permission>");
  }

  private static String many(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> processing("id" + i))
        .collect(Collectors.joining());
  }

  private void set(String policies) {
    expect(queue.setPolicies(policies).send()).status(204).emptyBody();
  }

  private WireAnswer read() {
    return queue.wire().get(queue.path() + "?comp=acl").send();
  }

  private SharedAccess bound(String id) {
    return queue.access("").without("sp").without("se").with("si", id);
  }

  private void expectOpen(SharedAccess access) {
    eventually(() -> expect(queue.get("").sas(access).send()).status(200));
  }

  private void expectClosed(SharedAccess access) {
    eventually(() -> expect(queue.get("").sas(access).send()).error(403, "AuthenticationFailed"));
  }

  @Test
  @Documented("queue-rest 5.5")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aNewQueueHasNone() {
    WireAnswer answer = read();
    expect(answer).status(200).header("Content-Type", "application/xml");
    assertThat(answer.xml()).isEqualTo("<SignedIdentifiers />");
    expect(queue.wire().request("HEAD", queue.path() + "?comp=acl").send()).status(200);
  }

  @Test
  @Documented("queue-rest 5.5, 14 ACL: times with seven decimals, every term is optional")
  void policiesComeBackInTheServicesForm() {
    set(
        policy(
                "all",
                "<Start>2026-03-01T00:00:00Z</Start><Expiry>2034-04-01T10:30:15.25Z</Expiry>"
                    + "<Permission>raup</Permission>")
            + policy("letters", "<Permission>rp</Permission>")
            + "<SignedIdentifier><Id>bare</Id></SignedIdentifier>");
    eventually(
        () ->
            assertThat(read().xml())
                .startsWith(
                    "<SignedIdentifiers>"
                        + policy(
                            "all",
                            "<Start>2026-03-01T00:00:00.0000000Z</Start>"
                                + "<Expiry>2034-04-01T10:30:15.2500000Z</Expiry>"
                                + "<Permission>raup</Permission>")
                        + policy("letters", "<Permission>rp</Permission>"))
                .contains("<Id>bare</Id>"));
  }

  @ParameterizedTest
  @CsvSource({
    "2034-05-06, 2034-05-06T00:00:00.0000000Z",
    "2034-05-06T07:08Z, 2034-05-06T07:08:00.0000000Z",
    "2034-05-06T07:08:09Z, 2034-05-06T07:08:09.0000000Z",
    "2034-05-06T07:08:09.1234567Z, 2034-05-06T07:08:09.1234567Z"
  })
  @Documented("queue-rest 5.5: forms of times")
  void timesAreReadInTheirForms(String sent, String kept) {
    set(policy("id", "<Expiry>" + sent + "</Expiry>"));
    eventually(() -> assertThat(read().xml()).contains("<Expiry>" + kept + "</Expiry>"));
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.5, 9, 14 ACL: five are accepted, six are answered with 400")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void fiveAreTheMost() {
    set(many(5));
    WireAnswer answer = queue.setPolicies(many(6)).send();
    expect(answer).error(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
    assertThat(answer.xml()).contains("<LineNumber>0</LineNumber>");
    assertThat(read().xml()).contains("<Id>id4</Id>").doesNotContain("<Id>id5</Id>");
  }

  @ParameterizedTest
  @CsvSource({"1, true", "64, true", "65, false", "0, false"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.5, 14 ACL: an id that is too long is answered with 400")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anIdHasOneToSixtyFourCharacters(int length, boolean good) {
    WireAnswer answer = queue.setPolicies(processing("i".repeat(length))).send();
    if (good) {
      expect(answer).status(204);
    } else {
      expect(answer).error(400, "InvalidXmlDocument");
      assertThat(answer.xml())
          .contains(
              "<Reason>Signed identifier ID cannot be empty or over 64 characters in length"
                  + "</Reason>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<SignedIdentifiers/>", "<SignedIdentifiers></SignedIdentifiers>"})
  @Documented("queue-rest 5.5, 11, 14 ACL: an empty body clears them")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void policiesAreClearedAsTheClientsDoIt(String body) {
    set(many(2));
    WireRequest clear = queue.wire().request("PUT", queue.path() + "?comp=acl");
    if (body.isEmpty()) {
      clear.header("Content-Length", "0");
    } else {
      clear.body(body);
    }
    expect(clear.send()).status(204);
    eventually(() -> assertThat(read().xml()).isEqualTo("<SignedIdentifiers />"));
  }

  @Test
  @Documented("queue-rest 5.5, 14 ACL: SAS bound to a policy, revoked by removing it")
  void aSignatureIsBoundToItsPolicy() {
    expectClosed(bound("consumers"));
    set(processing("consumers"));
    expectOpen(bound("consumers"));
    expect(queue.put("a", "").sas(bound("consumers")).send())
        .error(403, "AuthorizationPermissionMismatch");
    set(processing("others"));
    expectClosed(bound("consumers"));
    expectOpen(bound("others"));
    set("");
    expectClosed(bound("others"));
  }

  @Test
  @Documented("queue-rest 5.5: fields that the signature lacks come from the policy")
  void termsMayBeInEitherPlace() {
    set(policy("letters", "<Permission>p</Permission>"));
    String future = SharedAccess.time(Duration.ofHours(1));
    expectOpen(bound("letters").with("se", future));
    expectClosed(bound("letters"));
    set(policy("time", "<Expiry>" + future + "</Expiry>"));
    expectOpen(bound("time").with("sp", "p"));
    expect(queue.get("").sas(bound("time").with("sp", "a")).send())
        .error(403, "AuthorizationPermissionMismatch");
    String past = SharedAccess.time(Duration.ofHours(-1));
    set(policy("time", "<Expiry>" + past + "</Expiry>"));
    expectClosed(bound("time").with("sp", "p"));
  }

  @Test
  @Documented("queue-rest 5.5: do: 403 AuthenticationFailed, the reference is uncertain")
  @Differs("Azure documents 400")
  void aTermInBothPlacesIsRefused() {
    set(processing("consumers"));
    expectOpen(bound("consumers"));
    expectClosed(bound("consumers").with("sp", "p"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<SignedIdentifier>",
        "<SignedIdentifier></SignedIdentifier>",
        "<SignedIdentifier><Id>a</Id><AccessPolicy><Start>soon</Start></AccessPolicy>"
            + "</SignedIdentifier>",
        "<SignedIdentifier><Id>a</Id><AccessPolicy><Permission>x</Permission></AccessPolicy>"
            + "</SignedIdentifier>"
      })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 5.5, 2.6")
  void aDocumentThatIsNoneIsRefused(String policies) {
    expect(queue.setPolicies(policies).send()).refused().status(400);
    assertThat(read().xml()).isEqualTo("<SignedIdentifiers />");
  }
}
