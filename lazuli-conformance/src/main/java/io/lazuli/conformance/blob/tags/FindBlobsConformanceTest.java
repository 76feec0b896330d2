package io.lazuli.conformance.blob.tags;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Find Blobs by Tags, in a container and in an account. The index of Azure lags behind. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class FindBlobsConformanceTest {
  private static final Pattern NAME = Pattern.compile("<Name>([^<]*)</Name>");
  private static final Pattern MARKER = Pattern.compile("<NextMarker>([^<]+)</NextMarker>");

  private final ScratchContainer container = ScratchContainer.create();

  private void store(String blob, String tags) {
    expect(container.put(blob, "x").header("x-ms-tags", tags).send()).status(201);
  }

  private WireRequest find(String where, String more) {
    return container.on("GET", "comp=blobs&where=" + Keys.encode(where) + more);
  }

  private WireRequest findInAccount(String where, String more) {
    return container.wire().get("/?comp=blobs&where=" + Keys.encode(where) + more);
  }

  private String here() {
    return "@container = '" + container.name() + "'";
  }

  private static List<String> names(WireAnswer answer) {
    expect(answer).status(200);
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(answer.text());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private void expectFound(String where, String... names) {
    Patience.eventually(() -> assertThat(names(find(where, "").send())).containsExactly(names));
  }

  @Test
  @Documented("blob-features 1.4: the answer has only the tags that the expression names")
  void theAnswerNamesBlobsAndTheirTags() {
    store("b", "colour=blue&size=10");
    expectFound("\"colour\" = 'blue'", "b");
    WireAnswer found = find("\"colour\" = 'blue'", "").send();
    expect(found).header("Content-Type", "application/xml");
    assertThat(found.text())
        .contains(
            "<Name>b</Name><ContainerName>"
                + container.name()
                + "</ContainerName><Tags><TagSet><Tag><Key>colour</Key><Value>blue</Value></Tag>"
                + "</TagSet></Tags>")
        .doesNotContain("size");
    Patience.eventually(
        () ->
            assertThat(names(findInAccount(here() + " AND colour='blue'", "").send()))
                .containsExactly("b"));
  }

  @Test
  @Documented("blob-features 1.5: operators, two keys, comparison by code units")
  void expressionsCompareTexts() {
    store("a", "colour=blue&size=10");
    store("b", "colour=blue&size=9");
    store("c", "colour=red");
    expectFound("colour='blue'", "a", "b");
    expectFound("colour='blue' AND size='9'", "b");
    expectFound("size > '10'", "b");
    expectFound("size >= '10' and size < '9'", "a");
    expectFound("size <= '10'", "a");
    expectFound("colour>'b' AND colour<'c'", "a", "b");
    expectFound("Colour='blue'");
  }

  @Test
  @Documented("blob-features 1.5: do: reserved words and parentheses; spaces and quotes")
  void expressionsAreFreeInTheirForm() {
    store("a", "Year=2026&two%20words=yes");
    expectFound("Year='2026'", "a");
    expectFound("(Year='2026')", "a");
    expectFound("\"two words\"   =   'yes'", "a");
    expectFound("Year>='2026' And (\"two words\"='yes')", "a");
  }

  @Test
  @Documented("blob-features 1.4: overwritten, tagged again and deleted blobs")
  void theTagsOfTheMomentCount() {
    store("a", "k=1");
    store("b", "k=1");
    store("c", "k=1");
    expectFound("k='1'", "a", "b", "c");
    container.stored("a", "without");
    String set = "<Tags><TagSet><Tag><Key>k</Key><Value>2</Value></Tag></TagSet></Tags>";
    expect(container.on("PUT", "b", "comp=tags").body(set).send()).status(204);
    expectFound("k='1'", "c");
    expectFound("k='2'", "b");
    expect(container.delete("c").send()).status(202);
    expectFound("k='1'");
  }

  @Test
  @Documented("blob-features 1.2, 1.4: append blobs, block lists and copies; no snapshots")
  void everyBlobWithTagsIsFound() {
    expect(container.putLog("append").header("x-ms-tags", "k=1").send()).status(201);
    expect(container.commit("blocks").header("x-ms-tags", "k=1").send()).status(201);
    store("put", "k=1");
    String url = container.url("put");
    expect(container.copy("copy", url).header("x-ms-tags", "k=1").send()).status(202);
    expect(container.copy("untagged", url).send()).status(202);
    expect(
            container
                .copy("sync", url)
                .header("x-ms-requires-sync", "true")
                .header("x-ms-copy-source-tag-option", "COPY")
                .send())
        .status(202);
    expect(container.on("PUT", "put", "comp=snapshot").send()).status(201);
    expectFound("k='1'", "append", "blocks", "copy", "put", "sync");
  }

  @Test
  @Documented("blob-features 1.4: maxresults and marker")
  void pagesFollowEachOther() {
    List<String> expected = List.of("a", "b", "c", "d", "e");
    expected.forEach(name -> store(name, "k=1"));
    expectFound("k='1'", "a", "b", "c", "d", "e");
    List<String> found = new ArrayList<>();
    String marker = "";
    do {
      WireAnswer page = find("k='1'", "&maxresults=2&marker=" + Keys.encode(marker)).send();
      assertThat(names(page)).hasSizeLessThanOrEqualTo(2);
      found.addAll(names(page));
      Matcher next = MARKER.matcher(page.text());
      marker = next.find() ? next.group(1) : "";
    } while (!marker.isEmpty());
    assertThat(found).isEqualTo(expected);
    refused(find("k='1'", "&maxresults=0").send(), 400, "OutOfRangeQueryParameterValue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k='1' OR k='2'",
        "k<>'1'",
        "word",
        "@other='x'",
        "k='1' AND k='2'",
        "k>'1' AND k>='2'",
        "k='1",
        "\"\"='1'",
        "k='*'",
      })
  @Documented("blob-features 1.5: what is not an expression")
  void otherExpressionsAreRefused(String where) {
    for (WireRequest find : List.of(find(where, ""), findInAccount(where, ""))) {
      WireAnswer answer = find.send();
      refused(answer, 400, "InvalidQueryParameterValue");
      assertThat(answer.text())
          .contains("Error parsing query", "<QueryParameterName>where</QueryParameterName>");
    }
  }

  @Test
  @Documented("blob-features 1.4, 1.5: where is needed; one place for the container; ten keys")
  void parametersAreChecked() {
    refused(container.on("GET", "comp=blobs").send(), 400, "MissingRequiredQueryParameter");
    WireAnswer twice = find(here() + " AND k='1'", "").send();
    refused(twice, 400, "InvalidQueryParameterValue");
    assertThat(twice.text()).contains("Cannot have container in both uri and query");
    StringBuilder keys = new StringBuilder("k0='v'");
    for (int i = 1; i < 10; i++) {
      keys.append(" AND k").append(i).append("='v'");
    }
    assertThat(names(find(keys.toString(), "").send())).isEmpty();
    refused(find(keys + " AND k10='v'", "").send(), 400, "InvalidQueryParameterValue");
    ScratchContainer missing = ScratchContainer.named(ScratchContainer.freshName());
    refused(
        missing.on("GET", "comp=blobs&where=" + Keys.encode("k='1'")).send(),
        404,
        "ContainerNotFound");
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-features 1.4, 9.1: the letter f")
  void aSignatureNeedsItsOwnLetter() {
    store("b", "k=1");
    expectFound("k='1'", "b");
    expect(find("k='1'", "").sas(container.access("f")).send()).status(200);
    refused(
        find("k='1'", "").sas(container.access("racwdlt")).send(),
        403,
        "AuthorizationPermissionMismatch");
    SharedAccess account =
        SharedAccess.ofAccount(container.wire().account())
            .with("sv", WireRequest.NEWER_VERSION)
            .with("srt", "sco")
            .permissions("f");
    String where = here() + " AND k='1'";
    expect(findInAccount(where, "").sas(account).send()).status(200);
    expect(find("k='1'", "").sas(account).send()).status(200);
    refused(
        findInAccount(where, "").sas(account.permissions("rlt")).send(),
        403,
        "AuthorizationPermissionMismatch");
  }
}
