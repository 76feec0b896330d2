package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches: several deletions or several changes of tier in one request. */
@Covers(value = Area.BATCH, service = StorageService.BLOB)
class BlobBatchConformanceTest {

  private static final String BOUNDARY = "batch_b1";

  private final ScratchContainer container = ScratchContainer.create();

  /** Returns a part with its own signature. */
  private String part(int id, WireRequest request) {
    return "--"
        + BOUNDARY
        + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: "
        + id
        + "\r\n\r\n"
        + new String(request.bytes(), StandardCharsets.UTF_8);
  }

  private String deletions(List<String> blobs) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < blobs.size(); i++) {
      body.append(part(i, container.delete(blobs.get(i)).header("Content-Length", "0")));
    }
    return body.toString();
  }

  private WireRequest batch(String parts) {
    return container
        .on("POST", "comp=batch")
        .header("Content-Type", "multipart/mixed; boundary=" + BOUNDARY)
        .body(parts + "--" + BOUNDARY + "--\r\n");
  }

  private WireRequest accountBatch(String resource, String parts) {
    return container
        .wire()
        .request("POST", resource)
        .header("Content-Type", "multipart/mixed; boundary=" + BOUNDARY)
        .body(parts + "--" + BOUNDARY + "--\r\n");
  }

  private static List<Integer> statuses(WireAnswer answer) {
    expect(answer).status(202);
    return answer.parts().stream().map(WireAnswer::status).toList();
  }

  private void store(String... names) {
    Arrays.stream(names).parallel().forEach(name -> container.stored(name, "x"));
  }

  @Test
  @Documented("blob-rest 8.5, 20.13: mixed results")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void eachPartHasItsOwnAnswer() {
    store("a", "b");
    WireAnswer answer = batch(deletions(List.of("a", "none", "b"))).send();
    assertThat(statuses(answer)).containsExactly(202, 404, 202);
    List<WireAnswer> parts = answer.parts();
    expect(parts.get(0))
        .header("x-ms-delete-type-permanent", "true")
        .hasHeader("x-ms-request-id")
        .hasHeader("x-ms-version");
    expect(parts.get(1))
        .header("x-ms-error-code", "BlobNotFound")
        .header("Content-Type", "application/xml")
        .error(404, "BlobNotFound");
    assertThat(answer.text()).contains("Content-ID: 0", "Content-ID: 1", "Content-ID: 2");
    assertThat(BlobListing.of(container, "").items()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?comp=batch", "?comp=batch", "?comp=batch&restype=container"})
  @Documented(
      "blob-rest 8.5, 20.13: batches of the account, also in the form that JavaScript sends")
  void theAccountHasBatchesToo(String resource) {
    store("a", "b");
    if (container.wire().account().isPathStyle() || !resource.contains("restype")) {
      assertThat(statuses(accountBatch(resource, deletions(List.of("a", "b"))).send()))
          .containsExactly(202, 202);
    }
  }

  @Test
  @Documented("blob-rest 8.5, 20.13: 256 parts and no more")
  void aBatchHasAtMost256Parts() {
    List<String> names = IntStream.range(0, 257).mapToObj("n%03d"::formatted).toList();
    store(names.subList(0, 256).toArray(String[]::new));
    expect(batch(deletions(names)).send()).refused();
    assertThat(BlobListing.of(container, "").items()).hasSize(256);
    assertThat(statuses(batch(deletions(names.subList(0, 256))).send()))
        .hasSize(256)
        .containsOnly(202);
    assertThat(BlobListing.of(container, "").items()).isEmpty();
  }

  @Test
  @Documented("blob-rest 8.5, 20.13: each part is authorised by itself")
  void eachPartIsAuthorisedByItself() {
    store("a", "b", "c");
    String parts =
        part(0, container.delete("a"))
            + part(1, container.delete("b").key("b3RoZXIga2V5"))
            + part(2, container.delete("c").sas(container.access("r")));
    assertThat(statuses(batch(parts).send())).containsExactly(202, 403, 403);
    assertThat(BlobListing.of(container, "").items()).containsExactly("b", "c");
    String signed = part(0, container.delete("c").sas(container.access("c", "d")));
    assertThat(statuses(batch(signed).send())).containsExactly(202);
  }

  @Test
  @Documented("blob-rest 8.5: azure-storage-blob 12.14.1 for Python leaves out the account")
  void partsInPathStyleMayBeginWithTheContainer() {
    store("a", "b");
    String account = "/" + container.wire().account().name() + "/";
    String parts =
        part(0, container.delete("a").sas(container.access("a", "d"))).replace(account, "/")
            + part(1, container.delete("b").sas(container.access("a", "d"))).replace(account, "/");
    assertThat(statuses(batch(parts).send())).containsExactly(202, 403);
    assertThat(BlobListing.of(container, "").items()).containsExactly("b");
  }

  @Test
  @Documented("blob-features 10.2 A5: a backslash in a name is a slash")
  void partsMayHaveBackslashesInNames() {
    store("a/b", "a/c");
    String parts =
        part(0, container.delete("a\\b"))
            + part(1, container.delete("a\\c").sas(container.access("a/c", "d")));
    assertThat(statuses(batch(parts).send())).containsExactly(202, 202);
    assertThat(BlobListing.of(container, "").items()).isEmpty();
  }

  @Test
  @Documented("blob-rest 8.5: tiers")
  void tiersAreSetInOneRequest() {
    store("a", "b");
    String parts = "";
    for (String blob : List.of("a", "b")) {
      parts += part(0, container.on("PUT", blob, "comp=tier").header("x-ms-access-tier", "Cool"));
    }
    assertThat(statuses(batch(parts).send())).containsExactly(200, 200);
    assertThat(container.property("a", "x-ms-access-tier")).isEqualTo("Cool");
  }

  @Test
  @Documented(
      "blob-features 10.2 A8: the tiers of snapshots, as in blobbatch.spec.ts of JavaScript")
  void partsMaySetTheTiersOfSnapshots() {
    store("a");
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("a"));
    WireRequest set = container.on("PUT", "a", "comp=tier&" + snapshot);
    assertThat(statuses(batch(part(0, set.header("x-ms-access-tier", "Cool"))).send()))
        .containsExactly(200);
    expect(container.on("HEAD", "a", snapshot).send()).header("x-ms-access-tier", "Cool");
    assertThat(container.property("a", "x-ms-access-tier")).isEqualTo("Hot");
  }

  @Test
  @Documented("blob-rest 8.5: snapshots, leases and conditions also apply to parts")
  void partsAreOrdinaryRequests() {
    store("a", "b");
    String snapshot = container.snapshot("a");
    container.leased("b", "11111111-aaaa-4aaa-8aaa-111111111111");
    String parts =
        part(0, container.delete("a"))
            + part(1, container.delete("b"))
            + part(2, container.on("DELETE", "a", "snapshot=" + Keys.encode(snapshot)));
    List<Integer> statuses = statuses(batch(parts).send());
    assertThat(statuses).element(1).isEqualTo(412);
    assertThat(statuses).element(2).isEqualTo(202);
  }

  @Test
  @Documented("blob-rest 8.5: lines may end in LF only")
  void linesMayEndInLineFeeds() {
    store("a");
    String body = deletions(List.of("a")).replace("\r\n", "\n");
    assertThat(statuses(batch(body).send())).containsExactly(202);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--batch_b1\r\nhello\r\n", "hello"})
  @Documented("blob-rest 8.5: a body that is not a batch, or an empty batch")
  void aMalformedBatchIsRefused(String parts) {
    expect(batch(parts).send()).status(400);
  }

  @Test
  @Documented("blob-rest 8.5: reads and writes are not allowed as parts")
  void onlyDeletionsAndTiersAreParts() {
    store("a");
    WireAnswer answer = batch(part(0, container.get("a"))).send();
    if (answer.status() == 202) {
      assertThat(answer.parts().get(0).status()).isBetween(400, 499);
    } else {
      expect(answer).refused();
    }
    assertThat(container.content("a")).isEqualTo("x");
  }
}
