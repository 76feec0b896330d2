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
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues: their names, their metadata, and how they are created and deleted. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class QueuesConformanceTest {

  private static final String BAD_CHARACTERS =
      "The specifed resource name contains invalid characters.";

  private final WireClient wire = ScratchQueue.sharedWire();

  private WireRequest create(String name, String... metadata) {
    WireRequest request = wire.request("PUT", "/" + name);
    for (int i = 0; i < metadata.length; i += 2) {
      request.header("x-ms-meta-" + metadata[i], metadata[i + 1]);
    }
    return request;
  }

  @Test
  @Documented("queue-rest 5.2, 14 create")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aQueueIsCreatedOnceAndFoundAgain() {
    String name = ScratchQueue.named(ScratchQueue.freshName()).name();
    expect(create(name, "team", "sales").send()).status(201).emptyBody();
    expect(create(name, "team", "sales").send()).status(204).emptyBody();
    expect(create(name, "team", "other").send())
        .error(409, "QueueAlreadyExists", "The specified queue already exists.")
        .header("x-ms-error-code", "QueueAlreadyExists");
    expect(create(name).send()).error(409, "QueueAlreadyExists");
  }

  @Test
  @Documented("queue-rest 5.2: the same names, ignoring case, with the same values")
  void metadataIsTheSameInAnyLetterCase() {
    String name = ScratchQueue.named(ScratchQueue.freshName()).name();
    expect(create(name, "Team", "sales", "b", "2").send()).status(201);
    expect(create(name, "B", "2", "team", "sales").send()).status(204);
    expect(create(name, "team", "SALES", "b", "2").send()).error(409, "QueueAlreadyExists");
  }

  @Test
  @Documented("queue-rest 5.2: no metadata equals no metadata")
  void aQueueWithoutMetadataIsFoundAgain() {
    ScratchQueue queue = ScratchQueue.create();
    expect(create(queue.name()).send()).status(204);
    expect(create(queue.name(), "a", "1").send()).error(409, "QueueAlreadyExists");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 300})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1, 14 create: ab, 64 characters")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aNameHasThreeToSixtyThreeCharacters(int length) {
    expect(create("a".repeat(length)).send())
        .error(
            400,
            "OutOfRangeInput",
            "The specified resource name length is not within the permissible limits.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a_b", "-ab", "ab-", "a--b", "Abc", "%C3%A4bc", "a.b", "a%20b", "abC"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1, 14 create: a_b, -ab, a--b, Abc")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 corrects the spelling error in the message")
  void aNameHasLowerCaseLettersDigitsAndSingleDashes(String name) {
    expect(create(name).send()).error(400, "InvalidResourceName", BAD_CHARACTERS);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 63})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1")
  void namesUpToTheLimitAreGood(int length) {
    String longest = ScratchQueue.freshName() + "-9".repeat(15);
    ScratchQueue queue = ScratchQueue.named(longest.substring(longest.length() - length));
    expect(create(queue.name()).send()).status(201);
  }

  @ParameterizedTest
  @CsvSource({"GET, ?comp=metadata", "PUT, ?comp=metadata", "DELETE, ''", "GET, ?comp=acl"})
  @Documented("queue-rest 5.1")
  void everyOperationChecksTheName(String method, String query) {
    expect(wire.request(method, "/a--b" + query).send())
        .error(400, "InvalidResourceName", BAD_CHARACTERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"invalid-meta", "12345", "a.b"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void namesOfMetadataAreIdentifiers(String key) {
    expect(create(ScratchQueue.named(ScratchQueue.freshName()).name(), key, "v").send())
        .error(
            400,
            "InvalidMetadata",
            "The metadata specified is invalid. It has characters that are not permitted.");
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1, 8")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void metadataNeedsAName() {
    WireAnswer answer = create(ScratchQueue.named(ScratchQueue.freshName()).name(), "", "v").send();
    expect(answer)
        .error(
            400, "EmptyMetadataKey", "The key for one of the metadata key-value pairs is empty.");
    assertThat(answer.xml()).endsWith("<MetadataValue>v</MetadataValue></Error>");
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1: 8 KiB in total")
  void metadataIsLimited() {
    ScratchQueue queue = ScratchQueue.create();
    WireRequest most = wire.request("PUT", queue.path() + "?comp=metadata");
    WireRequest more = wire.request("PUT", queue.path() + "?comp=metadata");
    for (int i = 0; i < 8; i++) {
      most.header("x-ms-meta-k" + i, "v".repeat(1022));
      more.header("x-ms-meta-k" + i, "v".repeat(1022 + i / 7));
    }
    expect(most.send()).status(204);
    expect(more.send())
        .error(
            400,
            "MetadataTooLarge",
            "The size of the specified metadata exceeds the maximum size permitted.");
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 5.1: comparison ignores case, duplicates are refused")
  void metadataHasEachNameOnce() {
    WireRequest twice = create(ScratchQueue.named(ScratchQueue.freshName()).name(), "a", "1");
    expect(twice.anotherHeader("X-MS-META-A", "2").send()).refused();
  }

  @Test
  @Documented("queue-rest 5.4")
  void metadataIsReadAndReplacedAsAWhole() {
    ScratchQueue queue = ScratchQueue.named(ScratchQueue.freshName());
    expect(create(queue.name(), "Team", "sales", "b", "2").send()).status(201);
    expect(queue.metadata().send())
        .status(200)
        .emptyBody()
        .header("x-ms-meta-Team", "sales")
        .header("x-ms-meta-b", "2")
        .header("x-ms-approximate-messages-count", "0");
    expect(
            wire.request("PUT", queue.path() + "?comp=metadata")
                .header("x-ms-meta-c", "3 & <x>")
                .send())
        .status(204)
        .emptyBody();
    expect(queue.metadata().send())
        .status(200)
        .header("x-ms-meta-c", "3 & <x>")
        .lacksHeader("x-ms-meta-Team")
        .lacksHeader("x-ms-meta-b");
    expect(wire.request("PUT", queue.path() + "?comp=metadata").send()).status(204);
    expect(queue.metadata().send()).status(200).lacksHeader("x-ms-meta-c");
  }

  @Test
  @Documented("queue-rest 5.4, 2.2: HEAD as GET")
  void metadataIsReadWithHeadToo() {
    ScratchQueue queue = ScratchQueue.named(ScratchQueue.freshName());
    expect(create(queue.name(), "a", "1").send()).status(201);
    expect(wire.request("HEAD", queue.path() + "?comp=metadata").send())
        .status(200)
        .header("x-ms-meta-a", "1")
        .header("x-ms-approximate-messages-count", "0");
    expect(wire.request("HEAD", "/" + ScratchQueue.freshName() + "?comp=metadata").send())
        .status(404)
        .header("x-ms-error-code", "QueueNotFound")
        .emptyBody();
  }

  @Test
  @Documented("queue-rest 5.3: every later request finds no queue")
  void aDeletedQueueIsGoneWithAllThatWasInIt() {
    ScratchQueue queue = ScratchQueue.named(ScratchQueue.freshName());
    expect(create(queue.name(), "a", "1").send()).status(201);
    String policy = "<SignedIdentifier><Id>x</Id></SignedIdentifier>";
    expect(queue.setPolicies(policy).send()).status(204);
    queue.added("text");
    expect(wire.delete(queue.path()).send()).status(204).emptyBody();
    expect(queue.metadata().send()).error(404, "QueueNotFound");
    expect(queue.get("").send()).error(404, "QueueNotFound");
    expect(wire.delete(queue.path()).send()).error(404, "QueueNotFound");
    eventually(() -> expect(create(queue.name()).send()).status(201));
    expect(queue.metadata().send()).status(200).lacksHeader("x-ms-meta-a");
    assertThat(queue.count()).isZero();
    assertThat(queue.taken("")).isEmpty();
    assertThat(wire.get(queue.path() + "?comp=acl").send().xml())
        .isEqualTo("<SignedIdentifiers />");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, ''",
    "GET, ?comp=metadata",
    "PUT, ?comp=metadata",
    "GET, ?comp=acl",
    "PUT, ?comp=acl",
    "GET, /messages",
    "GET, /messages?peekonly=true",
    "DELETE, /messages",
    "POST, /messages",
    "DELETE, /messages/00000000-0000-0000-0000-000000000000?popreceipt=AAAA",
    "PUT, /messages/00000000-0000-0000-0000-000000000000?popreceipt=AAAA&visibilitytimeout=1"
  })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 5.3, 6.1, 8")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aMissingQueueIsNotFound(String method, String rest) {
    WireRequest request = wire.request(method, "/" + ScratchQueue.freshName() + rest);
    if (method.equals("POST")) {
      request.body(ScratchQueue.body("text"));
    }
    expect(request.send()).error(404, "QueueNotFound", "The specified queue does not exist.");
  }

  @Test
  @Differs("Azurite 3.37.0 counts expired messages until it removes them")
  @Documented(
      "queue-rest 1.4, 5.4, 14 count: includes invisible messages, but not deleted or expired ones")
  void theCountIsOfWhatIsNeitherDeletedNorExpired() {
    ScratchQueue queue = ScratchQueue.create();
    queue.added("visible");
    queue.added("invisible", "visibilitytimeout=100");
    String mayflyId = queue.added("mayfly", "messagettl=1").id();
    QueueMessage deleted = queue.added("deleted");
    expect(queue.delete(deleted.id(), deleted.receipt()).send()).status(204);
    assertThat(queue.count()).isBetween(2, 3);
    Waiting.until(() -> queue.peeked().stream().noneMatch(seen -> seen.id().equals(mayflyId)));
    eventually(() -> assertThat(queue.count()).isEqualTo(2));
    queue.takenOne("visibilitytimeout=100");
    assertThat(queue.count()).isEqualTo(2);
  }
}
