package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Block blobs that consist of blocks: staging, committing and listing blocks. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class BlocksConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  private void staged(String id, String content) {
    expect(container.block("b", id, content).send()).status(201);
  }

  private void committed(String... entries) {
    expect(container.commit("b", entries).send()).status(201);
  }

  /** Returns the blocks of a list as {@code id=size}, with decoded ids. */
  private List<String> blocks(String type, String list) {
    WireAnswer answer = container.on("GET", "b", "comp=blocklist&blocklisttype=" + type).send();
    expect(answer).status(200);
    return XmlElement.rootOf(answer).child(list).children().stream()
        .map(block -> plain(block.text("Name")) + "=" + block.text("Size"))
        .toList();
  }

  private static String plain(String id) {
    return new String(Base64.getDecoder().decode(id), StandardCharsets.UTF_8);
  }

  @Test
  @Documented("blob-rest 11.1: the headers of the answer")
  void aBlockIsAnsweredWithoutATag() {
    expect(container.block("b", "1", "one").send())
        .status(201)
        .header("x-ms-request-server-encrypted", "true")
        .header("Content-Length", "0")
        .lacksHeader("ETag")
        .emptyBody();
  }

  @Test
  @Documented("blob-rest 11.2: the headers of the answer")
  void aListIsAnsweredWithATag() {
    staged("1", "one");
    expect(container.commit("b", "Latest:1").send())
        .status(201)
        .hasHeader("ETag")
        .hasHeader("Last-Modified")
        .header("x-ms-request-server-encrypted", "true")
        .emptyBody();
  }

  @Test
  @Documented("blob-rest 11.2, 20.7: the order of the list is the order of the content")
  void theListGivesTheOrder() {
    staged("3", "three ");
    staged("1", "one ");
    staged("2", "two ");
    committed("Latest:1", "Latest:2", "Latest:3");
    assertThat(container.content("b")).isEqualTo("one two three ");
    committed("Committed:3", "Committed:1");
    assertThat(container.content("b")).isEqualTo("three one ");
  }

  @Test
  @Documented("blob-rest 20.7: blocks in parallel")
  void blocksMayComeAllAtOnce() {
    List<String> ids = IntStream.range(0, 40).mapToObj("%03d"::formatted).toList();
    ids.parallelStream().forEach(id -> staged(id, id + ";"));
    committed(ids.stream().map(id -> "Latest:" + id).toArray(String[]::new));
    assertThat(container.content("b")).isEqualTo(String.join(";", ids) + ";");
  }

  @Test
  @Documented("blob-rest 11.1, 20.7: the same id again")
  void theLastBlockOfAnIdWins() {
    staged("1", "first");
    staged("1", "second!");
    assertThat(blocks("all", "UncommittedBlocks")).containsExactly("1=7");
    committed("Latest:1");
    assertThat(container.content("b")).isEqualTo("second!");
  }

  @Test
  @Documented("blob-rest 11.2, 20.7: Committed, Uncommitted, Latest")
  void anEntrySaysWhereItsBlockIs() {
    staged("1", "old1 ");
    staged("2", "old2 ");
    committed("Latest:1", "Latest:2");
    staged("1", "new1 ");
    committed("Committed:1", "Uncommitted:1", "Latest:2");
    assertThat(container.content("b")).isEqualTo("old1 new1 old2 ");
  }

  @Test
  @Documented("blob-rest 11.2, 20.7: Latest is the uncommitted block if there is one")
  void latestIsTheUncommittedOneFirst() {
    staged("1", "old ");
    staged("2", "same ");
    committed("Latest:1", "Latest:2");
    staged("1", "new ");
    committed("Latest:1", "Latest:2");
    assertThat(container.content("b")).isEqualTo("new same ");
  }

  @Test
  @Documented("blob-rest 11.2, 20.7: repeated ids")
  void anIdMayOccurSeveralTimes() {
    staged("1", "ha");
    committed("Latest:1", "Latest:1", "Latest:1");
    assertThat(container.content("b")).isEqualTo("hahaha");
    assertThat(blocks("committed", "CommittedBlocks")).containsExactly("1=2", "1=2", "1=2");
  }

  @Test
  @Documented("blob-rest 11.2: an empty list")
  void anEmptyListMakesAnEmptyBlob() {
    committed();
    assertThat(container.content("b")).isEmpty();
    assertThat(container.property("b", "x-ms-blob-type")).isEqualTo("BlockBlob");
  }

  @Test
  @Documented("blob-rest 11.2, 20.7, 16: a wrong list leaves the blob as it was")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aWrongListLeavesTheBlobAsItWas() {
    staged("1", "old ");
    committed("Latest:1");
    String tag = container.property("b", "ETag");
    staged("2", "new ");
    for (String wrong : List.of("Latest:9", "Committed:2", "Uncommitted:1")) {
      refused(
          container.commit("b", "Latest:2", wrong).send(),
          400,
          "InvalidBlockList",
          "The specified block list is invalid.");
    }
    assertThat(container.content("b")).isEqualTo("old ");
    assertThat(container.property("b", "ETag")).isEqualTo(tag);
    assertThat(blocks("all", "UncommittedBlocks")).containsExactly("2=4");
    committed("Latest:2");
    assertThat(container.content("b")).isEqualTo("new ");
  }

  @Test
  @Documented("blob-rest 11.2: blocks that are not listed are dropped")
  void blocksThatAreNotListedAreDropped() {
    staged("1", "one");
    staged("2", "two");
    committed("Latest:1");
    assertThat(blocks("all", "UncommittedBlocks")).isEmpty();
    refused(container.commit("b", "Latest:2").send(), 400, "InvalidBlockList");
  }

  @Test
  @Documented("blob-rest 11.2, 2.2: the request replaces all properties")
  void aListReplacesThePropertiesToo() {
    staged("1", "one");
    expect(
            PutBlobConformanceTest.described(container.commit("b", "Latest:1"))
                .header("x-ms-tags", "a=1")
                .send())
        .status(201);
    expect(container.head("b").send())
        .header("Content-Type", "text/plain")
        .header("Content-Language", "de")
        .header("x-ms-meta-owner", "ann")
        .header("x-ms-tag-count", "1");
    committed("Latest:1");
    expect(container.head("b").send())
        .header("Content-Type", "application/octet-stream")
        .lacksHeader("Content-Language")
        .lacksHeader("x-ms-meta-owner")
        .lacksHeader("x-ms-tag-count");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "<BlockList>", "<BlockList><Newest>MQ==</Newest></BlockList>", "hello"})
  @Documented("blob-rest 11.2; queue-rest 2.6: a body that is not a block list")
  void aBodyThatIsNoListIsRefused(String body) {
    staged("1", "one");
    WireAnswer answer = container.on("PUT", "b", "comp=blocklist").body(body).send();
    expect(answer).status(400);
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 11.3, 19: lists of blocks")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theListsOfBlocks() {
    staged("2", "two");
    staged("1", "one!");
    WireAnswer before = container.on("GET", "b", "comp=blocklist&blocklisttype=all").send();
    expect(before).status(200).lacksHeader("ETag").lacksHeader("x-ms-blob-content-length");
    assertThat(blocks("all", "CommittedBlocks")).isEmpty();
    assertThat(blocks("all", "UncommittedBlocks")).containsExactly("1=4", "2=3");
    committed("Latest:2", "Latest:1");
    staged("3", "x");
    WireAnswer after = container.on("GET", "b", "comp=blocklist&blocklisttype=all").send();
    expect(after)
        .header("ETag", container.property("b", "ETag"))
        .hasHeader("Last-Modified")
        .header("x-ms-blob-content-length", "7");
    assertThat(blocks("all", "CommittedBlocks")).containsExactly("2=3", "1=4");
    assertThat(blocks("all", "UncommittedBlocks")).containsExactly("3=1");
  }

  @ParameterizedTest
  @CsvSource({
    "'', CommittedBlocks",
    "&blocklisttype=committed, CommittedBlocks",
    "&blocklisttype=uncommitted, UncommittedBlocks",
    "&blocklisttype=all, CommittedBlocks UncommittedBlocks"
  })
  @Documented("blob-rest 11.3: only the list that is asked for")
  void onlyTheListThatIsAskedForIsGiven(String query, String lists) {
    staged("1", "one");
    committed("Latest:1");
    WireAnswer answer = container.on("GET", "b", "comp=blocklist" + query).send();
    assertThat(XmlElement.rootOf(answer).names()).containsExactly(lists.split(" ", -1));
  }

  @Test
  @Documented("blob-rest 2, 11.3: Put Blob creates no blocks")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void putBlobMakesNoBlocks() {
    container.stored("b", "whole");
    assertThat(blocks("all", "CommittedBlocks")).isEmpty();
  }

  @Test
  @Documented("blob-rest 11.3, 16: a missing blob, or not a block blob")
  void onlyBlockBlobsHaveBlocks() {
    refused(container.on("GET", "b", "comp=blocklist").send(), 404, "BlobNotFound");
    container.storedLog("b");
    refused(container.on("GET", "b", "comp=blocklist").send(), 409, "InvalidBlobType");
    refused(container.block("b", "1", "x").send(), 409, "InvalidBlobType");
    refused(container.commit("b").send(), 409, "InvalidBlobType");
  }

  @Test
  @Documented("blob-rest 11.3: the blocks of a snapshot")
  void aSnapshotHasTheBlocksOfItsTime() {
    staged("1", "one");
    committed("Latest:1");
    String snapshot = container.snapshot("b");
    staged("2", "second");
    committed("Latest:2");
    WireAnswer answer =
        container.on("GET", "b", "comp=blocklist&snapshot=" + Keys.encode(snapshot)).send();
    assertThat(XmlElement.rootOf(answer).child("CommittedBlocks").children())
        .singleElement()
        .extracting(block -> block.text("Size"))
        .isEqualTo("3");
  }

  @Test
  @Documented("blob-rest 11.1: invalid block ids")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void anIdMustBeBase64() {
    WireAnswer answer = block("%21%21%21").send();
    refused(answer, 400, "InvalidQueryParameterValue");
    assertThat(answer.text())
        .contains("<QueryParameterName>blockid</QueryParameterName>")
        .contains("<Reason>Not a valid base64 string.</Reason>");
    refused(
        container.on("PUT", "b", "comp=block").body("x").send(),
        400,
        "MissingRequiredQueryParameter");
  }

  private WireRequest block(String id) {
    return container.on("PUT", "b", "comp=block&blockid=" + id).body("x");
  }

  @Test
  @Documented("blob-rest 11.1, 15, 16: the length of ids")
  void theIdsOfABlobHaveOneLength() {
    staged("0001", "x");
    refused(
        container.block("b", "1", "y").send(),
        400,
        "InvalidBlobOrBlock",
        "The specified blob or block content is invalid.");
    committed("Latest:0001");
    staged("1", "y");
  }

  @Test
  @Documented("blob-rest 11.1, 15: at most 64 bytes")
  void anIdHasAtMost64Bytes() {
    staged("x".repeat(64), "x");
    expect(container.block("c", "x".repeat(65), "x").send()).refused();
  }

  @Test
  @Documented("blob-rest 11.1: a block has at least one byte")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aBlockIsNotEmpty() {
    Refusal.headerRefused(container.block("b", "1", "").send(), "Content-Length", "0");
  }

  @Test
  @Documented("blob-rest 11.1, 2.1: staging does not change the blob")
  void stagingLeavesTheBlobAlone() {
    String tag = container.stored("b", "whole").etag();
    staged("1", "one");
    assertThat(container.content("b")).isEqualTo("whole");
    assertThat(container.property("b", "ETag")).isEqualTo(tag);
  }

  @Test
  @Documented("blob-rest 10.6: deleting a blob that was never committed")
  void uncommittedBlocksCanBeDeleted() {
    staged("1", "one");
    expect(container.delete("b").send()).status(202);
    refused(container.commit("b", "Latest:1").send(), 400, "InvalidBlockList");
  }

  @Test
  @Documented("blob-rest 10.6, 2.2: deleting a blob also deletes its uncommitted blocks")
  void deletingABlobTakesItsBlocksAlong() {
    container.stored("b", "whole");
    staged("1", "one");
    expect(container.delete("b").send()).status(202);
    refused(container.commit("b", "Latest:1").send(), 400, "InvalidBlockList");
  }

  @Test
  @Documented("blob-rest 11.2, 15, 20.7: 50,000 blocks and no more")
  void aListHasAtMost50000Blocks() {
    staged("1", "ab");
    String[] most = new String[50_000];
    Arrays.fill(most, "Latest:1");
    committed(most);
    assertThat(container.property("b", "Content-Length")).isEqualTo("100000");
    assertThat(blocks("committed", "CommittedBlocks")).hasSize(50_000);
    String[] more = Arrays.copyOf(most, 50_001);
    more[50_000] = "Latest:1";
    refused(
        container.commit("b", more).send(),
        400,
        "BlockListTooLong",
        "The block list may not contain more than 50,000 blocks.");
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 20.7: 50,000 different blocks")
  void fiftyThousandBlocksAreOneBlob() {
    List<String> ids = IntStream.range(0, 50_000).mapToObj("%06d"::formatted).toList();
    ids.parallelStream().forEach(id -> staged(id, id));
    committed(ids.stream().map(id -> "Latest:" + id).toArray(String[]::new));
    assertThat(container.content("b")).isEqualTo(String.join("", ids));
  }
}
