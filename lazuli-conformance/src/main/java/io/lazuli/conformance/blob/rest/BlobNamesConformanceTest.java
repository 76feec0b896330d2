package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of blobs and their URLs. */
@Covers(value = Area.ADDRESSING, service = StorageService.BLOB)
class BlobNamesConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dir/a b+ü#?%.txt",
        "a",
        "..",
        ".",
        "../x",
        "a/../b",
        "a//b",
        "a/",
        "a.",
        "a./b.",
        "%41",
        "100%",
        "a b",
        "a+b",
        "~-._!$&'()*,;=:@",
        "\u65E5\u672C\u8A9E",
        "\uD83D\uDE00",
        "restype=container",
        "$x",
        "a?b#c",
        "tab\u00A0here"
      })
  @Documented("blob-rest 3.1, 20.1: a name is kept unchanged")
  void aNameIsKeptAsItIs(String name) {
    container.stored(name, name);
    assertThat(container.content(name)).isEqualTo(name);
    assertThat(BlobListing.of(container, "").items()).containsExactly(name);
    expect(container.delete(name).send()).status(202);
    refused(container.get(name).send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 3.1, 20.1: %2F and / are the same")
  void aSlashMayBeEncoded() {
    container.stored("dir/a b+ü.txt", "x");
    List<String> ways =
        List.of("dir%2Fa%20b+%C3%BC.txt", "dir/a%20b%2B%C3%BC.txt", "dir%2fa%20b%2b%c3%bc%2etxt");
    for (String way : ways) {
      WireAnswer answer = container.wire().get(container.path() + "/" + way).send();
      expect(answer).status(200);
      assertThat(answer.text()).isEqualTo("x");
    }
  }

  @Test
  @Documented("blob-features 10.2 A5: specialnaming.spec.ts of JavaScript; Java signs slashes")
  void aBackslashIsASlash() {
    container.stored("a\\b\\c", "x");
    assertThat(BlobListing.of(container, "").items()).containsExactly("a/b/c");
    assertThat(BlobListing.of(container, "delimiter=/").kinds()).containsExactly("BlobPrefix a/");
    for (String name : List.of("a/b/c", "a\\b\\c", "a/b\\c")) {
      assertThat(container.content(name)).isEqualTo("x");
      expect(container.get(name).sas(container.access("a/b/c", "r")).send()).status(200);
      expect(container.copy("copy", container.url(name)).send()).status(202);
    }
    expect(container.get("a/b/c").sas(container.access("a\\b\\c", "r")).send()).status(403);
    expect(container.delete("a\\b/c").send()).status(202);
    refused(container.get("a/b/c").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 15, 20.1: names of 1,024 characters and no more")
  void aNameHasAtMost1024Characters() {
    String longest = "n".repeat(1024);
    container.stored(longest, "x");
    assertThat(container.content(longest)).isEqualTo("x");
    refused(container.put(longest + "n", "x").send(), 400, "OutOfRangeInput");
  }

  @Test
  @Documented("blob-rest 15, 20.1: names of 1,024 non-ASCII letters")
  void aLongNameMayBeOfAnyLetters() {
    String longest = "ü".repeat(1024);
    container.stored(longest, "x");
    assertThat(BlobListing.of(container, "").items()).containsExactly(longest);
  }

  @Test
  @Documented("blob-rest 15: 254 segments")
  void aNameHasAtMost254Segments() {
    String most = "a/".repeat(253) + "b";
    container.stored(most, "x");
    assertThat(container.content(most)).isEqualTo("x");
    expect(container.put("a/".repeat(254) + "b", "x").send()).refused();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%00b", "a%1Fb", "%0A", "a%0D%0Ab"})
  @Documented("blob-rest 15: do: no control characters")
  void aNameHasNoControlCharacters(String name) {
    WireRequest put = container.wire().request("PUT", container.path() + "/" + name);
    expect(put.header("x-ms-blob-type", "BlockBlob").header("Content-Length", "0").send())
        .refused();
  }

  @Test
  @Documented("blob-rest 15: names are case-sensitive")
  void caseMatters() {
    container.stored("Name", "upper");
    container.stored("name", "lower");
    assertThat(container.content("Name")).isEqualTo("upper");
    assertThat(BlobListing.of(container, "").items()).containsExactly("Name", "name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%zz", "a%2"})
  @Documented("blob-rest 3.1: a URL that cannot be decoded")
  void aBrokenAddressIsRefused(String name) {
    WireAnswer answer = container.wire().get(container.path() + "/" + name).send();
    assertThat(answer.status()).as("%s", answer).isBetween(400, 499);
  }

  @Test
  @Documented("blob-rest 3.1: the root of the service with and without a slash")
  void theRootMayHaveASlash() {
    for (String root : List.of("?comp=list", "/?comp=list")) {
      expect(container.wire().get(root + "&prefix=" + container.name()).send()).status(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"$blobchangefeed", "$mine"})
  @Documented("blob-rest 3.1: names that begin with a dollar are reserved")
  void reservedContainersAreNotCreated(String name) {
    WireRequest create = container.wire().request("PUT", "/" + name + "?restype=container");
    expect(create.header("Content-Length", "0").send()).refused();
  }
}
