package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The methods and paths of all operations, and requests that are not operations. */
@Covers(value = Area.ADDRESSING, service = StorageService.QUEUE)
class QueueRoutingConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();
  private final WireClient wire = queue.wire();

  /** The operations on queues and messages in queue-rest 2.2, and two reads of the service. */
  @ParameterizedTest
  @CsvSource({
    "GET, /?comp=list, 200",
    "GET, /?restype=service&comp=properties, 200",
    "PUT, /new, 201",
    "PUT, /%s, 204",
    "DELETE, /%s, 204",
    "GET, /%s?comp=metadata, 200",
    "HEAD, /%s?comp=metadata, 200",
    "PUT, /%s?comp=metadata, 204",
    "GET, /%s?comp=acl, 200",
    "HEAD, /%s?comp=acl, 200",
    "PUT, /%s?comp=acl, 204",
    "POST, /%s/messages, 201",
    "GET, /%s/messages, 200",
    "GET, /%s/messages?peekonly=true, 200",
    "DELETE, /%s/messages, 204",
    "PUT, /%s/messages/ID?popreceipt=RECEIPT&visibilitytimeout=1, 204",
    "DELETE, /%s/messages/ID?popreceipt=RECEIPT, 204"
  })
  @Documented("queue-rest 2.2")
  void everyOperationHasItsAddress(String method, String template, int status) {
    QueueMessage message = queue.added("text");
    String resource =
        template.equals("/new")
            ? ScratchQueue.named(ScratchQueue.freshName()).path()
            : template
                .formatted(queue.name())
                .replace("ID", message.id())
                .replace("RECEIPT", Keys.encode(message.receipt()));
    WireRequest request = wire.request(method, resource);
    if (method.equals("POST")) {
      request.body(ScratchQueue.body("text"));
    }
    expect(request.send()).status(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%s/other", "/%s/messages/a/b", "/%s/messages//x"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.2: do, the reference is uncertain")
  void aPathThatMakesNoSenseIsInvalid(String path) {
    expect(wire.get(path.formatted(queue.name())).send())
        .error(
            400, "InvalidUri", "The requested URI does not represent any resource on the server.");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /%s",
    "GET, /%s",
    "POST, /%s?comp=metadata",
    "DELETE, /%s?comp=metadata",
    "PUT, /%s/messages",
    "HEAD, /%s/messages",
    "GET, /%s/messages/x?popreceipt=AAAA",
    "POST, /%s/messages/x?popreceipt=AAAA",
    "POST, /?comp=list",
    "DELETE, /?restype=service&comp=properties"
  })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.2: do, the reference is uncertain")
  void aWrongMethodIsUnsupported(String method, String path) {
    WireAnswer answer = wire.request(method, path.formatted(queue.name())).send();
    expect(answer).status(405).header("x-ms-error-code", "UnsupportedHttpVerb");
    if (!method.equals("HEAD")) {
      expect(answer)
          .error(405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%s?comp=other", "/?comp=other", "/?restype=service&comp=other"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 2.2: do, the reference is uncertain")
  void anUnknownComponentIsInvalid(String path) {
    expect(wire.get(path.formatted(queue.name())).send())
        .error(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid.");
  }

  @Test
  @Documented("queue-rest 2.1: percent-decode path segments")
  void segmentsMayBePercentEncoded() {
    String encoded = "/%" + Integer.toHexString(queue.name().charAt(0)) + queue.name().substring(1);
    expect(wire.get(encoded + "?comp=metadata").send()).status(200);
    queue.added("text");
    expect(wire.get(encoded + "/%6Dessages?peekonly=true").send()).status(200);
  }

  @Test
  @Documented("queue-rest 2.1: the secondary is signed like the primary and is read-only")
  @Differs("Azurite 3.37.0 accepts writes there")
  void theSecondaryIsReadOnly() {
    Account secondary = wire.account().secondary();
    WireClient reader = new WireClient(secondary);
    expect(reader.request("DELETE", queue.path()).send()).refused();
    expect(queue.metadata().send()).status(200);
    if (secondary.isPathStyle()) {
      expect(reader.get(queue.path() + "?comp=metadata").send()).status(200);
    }
  }

  @Test
  @Documented("queue-rest 2.9: do: the name before the ranges before the body before the queue")
  void checksHaveTheirOrder() {
    String missing = "/" + ScratchQueue.freshName() + "/messages";
    WireRequest all = wire.request("POST", "/a--b/messages?visibilitytimeout=-1").body("<");
    expect(all.send()).error(400, "InvalidResourceName");
    WireRequest range = wire.request("POST", missing + "?visibilitytimeout=-1").body("<");
    expect(range.send()).error(400, "OutOfRangeQueryParameterValue");
    expect(wire.request("POST", missing).body("<").send()).error(400, "InvalidXmlDocument");
    expect(wire.request("POST", missing).body(ScratchQueue.body("a")).send())
        .error(404, "QueueNotFound");
    WireRequest unsigned = wire.request("PUT", "/a--b").header("Authorization", "SharedKey a:b");
    assertThat(unsigned.send().status()).isEqualTo(403);
  }
}
