package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.Signing;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Access to the blob service with shared keys, with signatures for containers, blobs and accounts,
 * and without credentials.
 */
@Covers(value = Area.ACCESS, service = StorageService.BLOB)
class BlobAccessConformanceTest {

  private static final Pattern DETAIL =
      Pattern.compile("</Message><AuthenticationErrorDetail>([^<]*)</AuthenticationErrorDetail>");

  private static final String OTHER_KEY = "b3RoZXIga2V5";
  private static final String FAILED =
      "Server failed to authenticate the request. Make sure the value of Authorization header is"
          + " formed correctly including the signature.";

  private final ScratchContainer container = ScratchContainer.create();

  private SharedAccess ofAccount(String letters) {
    return SharedAccess.ofAccount(container.wire().account())
        .with("sv", WireRequest.NEWER_VERSION)
        .permissions(letters);
  }

  private static void expectAllowed(BlobCall call, WireAnswer answer) {
    expect(answer).status(call.success);
  }

  private static void expectForbidden(WireAnswer answer) {
    expect(answer).status(403).hasHeader("x-ms-error-code");
  }

  private static String without(String all, String letters) {
    return all.replaceAll("[" + letters + "]", "");
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 7: SharedKey on every operation")
  void theKeyOpensEverything(BlobCall call) {
    call.prepare(container);
    expectAllowed(call, call.on(container).signing(Signing.SHARED_KEY).send());
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 7: SharedKeyLite on every operation")
  @Differs("Azurite 3.37.0 refuses it")
  void theShortSchemeOpensEverythingToo(BlobCall call) {
    call.prepare(container);
    expectAllowed(call, call.on(container).signing(Signing.SHARED_KEY_LITE).send());
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("blob-rest 7; auth 7: another key")
  void aWrongKeyIsRefused(Signing scheme) {
    refused(
        container.list("").signing(scheme).key(OTHER_KEY).send(),
        403,
        "AuthenticationFailed",
        FAILED);
  }

  @Test
  @Documented("blob-rest 7: conditions and ranges are signed")
  void theSignatureCoversConditionsAndRanges() {
    container.stored("b", "hello");
    WireRequest read = container.get("b").header("Range", "bytes=0-1");
    expect(read.send()).status(206);
    refused(read.header("Range", "bytes=0-2").send(), 403, "AuthenticationFailed");
    WireRequest write = container.put("b", "x").header("If-None-Match", "\"0x1\"");
    expect(write.send()).status(201);
    refused(write.without("If-None-Match").send(), 403, "AuthenticationFailed");
    WireRequest tagged = container.get("b").header("x-ms-range", "bytes=0-0");
    expect(tagged.send()).status(206);
    refused(tagged.without("x-ms-range").send(), 403, "AuthenticationFailed");
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED_KEY", "SHARED_KEY_LITE"})
  @Documented("auth 3.1: the path is signed as it is sent")
  void theSignatureOfOnePathOpensNoOther(Signing scheme) {
    container.stored("a b", "one");
    container.stored("a%20b", "other");
    String prefix = container.wire().account().pathPrefix();
    WireRequest read = container.get("a%20b").signing(scheme);
    refused(
        read.signedFor(prefix + container.path("a b")).send(), 403, "AuthenticationFailed", FAILED);
    expect(container.get("a%20b").signing(scheme).send()).status(200);
  }

  @Test
  @Documented("blob-features 1.7: to list tags needs l and t; Azure/azure-sdk-for-rust#1318")
  void listedTagsNeedTheirPermission() {
    expect(container.put("b", "x").header("x-ms-tags", "owner=ann").send()).status(201);
    for (String include : List.of("tags", "metadata,tags")) {
      String query = "include=" + include;
      refused(
          container.list(query).sas(container.access("rl")).send(),
          403,
          "AuthorizationPermissionMismatch");
      WireAnswer listed = container.list(query).sas(container.access("lt")).send();
      expect(listed).status(200);
      assertThat(listed.text()).contains("<Key>owner</Key>");
    }
    expect(container.list("").sas(container.access("l")).send()).status(200);
  }

  @Test
  @Documented("blob-features 1.2: to write a blob with tags needs t as well")
  void writtenTagsNeedTheirPermission() {
    container.stored("source", "x");
    String source = container.url("source") + "?" + container.access("source", "r").token();
    for (String letters : List.of("c", "w", "cw")) {
      SharedAccess access = container.access(letters);
      for (WireRequest write :
          List.of(
              container.put("b", "x"),
              container.putLog("b"),
              container.commit("b"),
              container.copy("b", source),
              container.put("b", "").header("x-ms-copy-source", source))) {
        refused(
            write.header("x-ms-tags", "owner=ann").sas(access).send(),
            403,
            "AuthorizationPermissionMismatch");
      }
    }
    refused(container.get("b").send(), 404, "BlobNotFound");
    expect(
            container
                .put("b", "x")
                .header("x-ms-tags", "owner=ann")
                .sas(container.access("ct"))
                .send())
        .status(201);
  }

  @Test
  @Documented("blob-rest 7: only committed blocks are public")
  void uncommittedBlobsAreNotPublic() {
    expect(container.block("staged", "1", "one").send()).status(201);
    container.stored("b", "x");
    expect(container.on("PUT", "comp=acl").header("x-ms-blob-public-access", "container").send())
        .status(200);
    Patience.eventually(() -> expectAnonymous(container.list(""), 200));
    expectAnonymous(container.list("include=uncommittedblobs"), 401);
    expectAnonymous(container.list("include=tags"), 401);
    expectAnonymous(container.on("GET", "b", "comp=blocklist&blocklisttype=all"), 401);
    expectAnonymous(container.on("GET", "staged", "comp=blocklist&blocklisttype=uncommitted"), 401);
    expectAnonymous(container.on("GET", "staged", "comp=blocklist"), 404);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 7, 20.14: a container's signature allows exactly what its letters say")
  void aContainersSignatureOpensWhatItsLettersSay(BlobCall call) {
    if (call.isElsewhere() || call.letters.isEmpty()) {
      call.prepare(container);
      expectForbidden(call.on(container).sas(container.access(BlobCall.SERVICE_LETTERS)).send());
      return;
    }
    for (char letter : call.letters.toCharArray()) {
      call.prepare(container);
      expectAllowed(call, call.on(container).sas(container.access("" + letter)).send());
    }
    call.prepare(container);
    String others = without(BlobCall.SERVICE_LETTERS, call.letters);
    expectForbidden(call.on(container).sas(container.access(others)).send());
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 7, 20.14: a blob's signature is valid for that blob only")
  void aBlobsSignatureIsForThatBlob(BlobCall call) {
    call.prepare(container);
    String letters = without(BlobCall.SERVICE_LETTERS, "l");
    if (!call.isAboutABlob()) {
      expectForbidden(call.on(container).sas(container.access("b", letters)).send());
      return;
    }
    expectForbidden(call.on(container).sas(container.access("other", letters)).send());
    expectAllowed(call, call.on(container).sas(container.access(call.blob(), letters)).send());
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 7, 20.14; auth 5: each letter and type of an account's signature")
  void anAccountsSignatureOpensWhatItsLettersAndTypesSay(BlobCall call) {
    call.prepare(container);
    if (call.accountLetters.isEmpty()) {
      expectForbidden(call.on(container).sas(ofAccount(BlobCall.ACCOUNT_LETTERS)).send());
      return;
    }
    String others = without(BlobCall.ACCOUNT_LETTERS, call.accountLetters);
    expectForbidden(call.on(container).sas(ofAccount(others)).send());
    String otherTypes = without("sco", "" + call.type);
    expectForbidden(
        call.on(container).sas(ofAccount(BlobCall.ACCOUNT_LETTERS).with("srt", otherTypes)).send());
    String letter = call.accountLetters.substring(0, 1);
    expectAllowed(
        call, call.on(container).sas(ofAccount(letter).with("srt", "" + call.type)).send());
  }

  @Test
  @Documented("blob-rest 7, 16: overwriting needs another permission than creating")
  void creatingIsNotOverwriting() {
    container.stored("b", "old");
    refused(
        container.put("b", "new").sas(container.access("c")).send(),
        403,
        "UnauthorizedBlobOverwrite",
        "This request is not authorized to perform blob overwrites.");
    assertThat(container.content("b")).isEqualTo("old");
    expect(container.put("c", "new").sas(container.access("c")).send()).status(201);
  }

  @Test
  @Documented(
      "blob-features 10.2 A16: sas.spec.ts of JavaScript, stageBlock with create permission should"
          + " work")
  void aNewBlobIsCreatedBlockByBlock() {
    SharedAccess create = container.access("b", "c");
    String source = container.url("source") + "?" + container.access("source", "r").token();
    container.stored("source", "three");
    expect(container.block("b", "1", "one").sas(create).send()).status(201);
    expect(container.block("b", "2", "two").sas(create).send()).status(201);
    expect(
            container
                .on("PUT", "b", "comp=block&blockid=" + Keys.encode(ScratchContainer.blockId("3")))
                .header("x-ms-copy-source", source)
                .sas(create)
                .send())
        .status(201);
    expect(container.commit("b", "Latest:1", "Latest:2", "Latest:3").sas(create).send())
        .status(201);
    assertThat(container.content("b")).isEqualTo("onetwothree");
    expectForbidden(container.block("b", "4", "four").sas(create).send());
    expectForbidden(container.commit("b", "Latest:1").sas(create).send());
    assertThat(container.content("b")).isEqualTo("onetwothree");
  }

  @Test
  @Documented("blob-rest 7, 20.14: a snapshot's signature")
  void aSnapshotsSignatureIsForThatSnapshot() {
    container.stored("b", "old");
    String snapshot = container.snapshot("b");
    container.stored("b", "new");
    SharedAccess access =
        SharedAccess.ofSnapshot(container.wire().account(), container.name(), "b", snapshot)
            .permissions("rd");
    String query = "snapshot=" + Keys.encode(snapshot);
    WireAnswer read = container.on("GET", "b", query).sas(access).send();
    expect(read).status(200);
    assertThat(read.text()).isEqualTo("old");
    expectForbidden(container.get("b").sas(access).send());
    expect(container.on("DELETE", "b", query).sas(access).send()).status(202);
  }

  private SharedAccess ofDirectory(String directory, int depth, String letters) {
    return SharedAccess.ofDirectory(container.wire().account(), container.name(), directory, depth)
        .permissions(letters);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dir/sub", "dir/sub/"})
  @Documented("blob-features 9.2: a directory's signature opens what is in it, and nothing else")
  @Differs("Azurite 3.37.0 does not know sr=d")
  void aDirectorysSignatureIsForThatDirectory(String directory) {
    List<String> inside = List.of("dir/sub/x", "dir/sub/a b/c");
    List<String> outside = List.of("dir/subx", "dir/x", "dirx/sub/x", "dir/su", "x");
    inside.forEach(name -> container.stored(name, "in"));
    outside.forEach(name -> container.stored(name, "out"));
    SharedAccess access = ofDirectory(directory, 2, "rcwd");
    for (String name : inside) {
      expect(container.get(name).sas(access).send()).status(200);
      expect(container.put(name, "new").sas(access).send()).status(201);
      expect(container.delete(name).sas(access).send()).status(202);
    }
    for (String name : outside) {
      refused(container.get(name).sas(access).send(), 403, "AuthenticationFailed");
      refused(container.put(name, "new").sas(access).send(), 403, "AuthenticationFailed");
    }
    refused(
        container.put("dir/sub/y", "x").sas(ofDirectory(directory, 2, "r")).send(),
        403,
        "AuthorizationPermissionMismatch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "3", "a", ""})
  @Documented("blob-features 9.2: a wrong sdd is a wrong signature")
  @Differs("Azurite 3.37.0 does not know sr=d")
  void theDepthOfADirectoryMustFit(String depth) {
    container.stored("dir/sub/x", "x");
    SharedAccess access = ofDirectory("dir/sub", 2, "r");
    expect(container.get("dir/sub/x").sas(access).send()).status(200);
    refused(
        container.get("dir/sub/x").sas(access.tokenAltered("sdd", depth)).send(),
        403,
        "AuthenticationFailed");
  }

  @Test
  @Documented("blob-features 9.1, 9.2: a directory is listed with l and a prefix inside of it")
  @Differs("Azurite 3.37.0 does not know sr=d")
  void aDirectoryIsListedWithAPrefix() {
    container.stored("dir/sub/x", "x");
    container.stored("dir/subx", "x");
    SharedAccess access = ofDirectory("dir/sub", 2, "l");
    WireAnswer listed = container.list("prefix=dir/sub/").sas(access).send();
    expect(listed).status(200);
    assertThat(listed.text()).contains("<Name>dir/sub/x</Name>").doesNotContain("dir/subx");
    for (String query : List.of("prefix=dir/sub", "prefix=dir/", "prefix=dir/subx", "")) {
      expectForbidden(container.list(query).sas(access).send());
    }
    expectForbidden(container.list("prefix=dir/sub/").sas(ofDirectory("dir/sub", 2, "rw")).send());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2015-04-05",
        "2017-11-09",
        "2018-11-09",
        "2020-10-02",
        "2020-12-06",
        "2030-01-01"
      })
  @Documented("blob-rest 7; auth 4.4: the signed fields of each version")
  void signaturesOfEveryVersionAreUnderstood(String version) {
    container.stored("dir/a b.txt", "x");
    SharedAccess blob = container.access("dir/a b.txt", "r").with("sv", version);
    expect(container.get("dir/a b.txt").sas(blob).send()).status(200);
    SharedAccess all = container.access("rl").with("sv", version);
    expect(container.list("").sas(all).send()).status(200);
    expectForbidden(container.get("dir/a b.txt").sas(blob.tokenAltered("sp", "rw")).send());
  }

  @Test
  @Documented("blob-rest 7: the letters may come in any order")
  void lettersMayComeInAnyOrder() {
    container.stored("b", "x");
    expect(container.get("b").sas(container.access("wdr")).send()).status(200);
  }

  @Test
  @Documented("blob-rest 7, 20.4: overridden headers")
  void aSignatureMayOverrideHeaders() {
    container.stored("b", "x");
    SharedAccess access =
        container
            .access("b", "r")
            .with("rscc", "no-store")
            .with("rscd", "inline")
            .with("rsce", "br")
            .with("rscl", "fr")
            .with("rsct", "image/png");
    for (String verb : List.of("GET", "HEAD")) {
      expect(container.on(verb, "b", "").sas(access).send())
          .status(200)
          .header("Cache-Control", "no-store")
          .header("Content-Disposition", "inline")
          .header("Content-Encoding", "br")
          .header("Content-Language", "fr")
          .header("Content-Type", "image/png");
    }
    expectForbidden(container.get("b").sas(access.tokenAltered("rsct", "text/html")).send());
  }

  @Test
  @Documented("auth 7; blob-features 10.2: A9; blrchen/azure-speed-test#12")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2016 and 2019")
  void theTimesOfASignatureThatIsNotValidNowAreNamed() {
    String start = "2019-06-13T16:18:07Z";
    String expiry = "2019-06-14T16:23:07Z";
    assertThat(detail(container.access("r").with("st", start).with("se", expiry)))
        .startsWith(
            "Signature not valid in the specified time frame: Start [Thu, 13 Jun 2019 16:18:07"
                + " GMT] - Expiry [Fri, 14 Jun 2019 16:23:07 GMT] - Current [")
        .endsWith(" GMT]");
    assertThat(detail(container.access("r").with("st", expiry).with("se", start)))
        .isEqualTo(
            "Signed expiry time [Thu, 13 Jun 2019 16:18:07 GMT] must be after signed start time"
                + " [Fri, 14 Jun 2019 16:23:07 GMT]");
    assertThat(detail(container.access("r").with("se", expiry)))
        .startsWith(
            "Signed expiry time [Fri, 14 Jun 2019 16:23:07 GMT] must be after signed start time [");
    assertThat(detail(container.access("r").with("se", expiry).key("bm9wZQ=="))).isEmpty();
  }

  private String detail(SharedAccess access) {
    WireAnswer answer = container.get("b").sas(access).send();
    expect(answer).error(403, "AuthenticationFailed");
    Matcher found = DETAIL.matcher(answer.xml());
    return found.find() ? found.group(1) : "";
  }

  @Test
  @Documented("auth 4.1; blob-rest 7: times and protocols of a signature")
  void aSignatureHasItsTimes() {
    container.stored("b", "x");
    String past = SharedAccess.time(Duration.ofHours(-1));
    String future = SharedAccess.time(Duration.ofHours(1));
    expectForbidden(container.get("b").sas(container.access("r").with("se", past)).send());
    expectForbidden(container.get("b").sas(container.access("r").with("st", future)).send());
    expect(container.get("b").sas(container.access("r").with("st", past)).send()).status(200);
    expectForbidden(container.get("b").sas(container.access("r").with("sip", "192.0.2.1")).send());
    expectForbidden(container.get("b").sas(container.access("r").key(OTHER_KEY)).send());
    expect(container.get("b").sas(container.access("r").with("spr", "https,http")).send())
        .status(200);
  }

  @Test
  @Documented("blob-rest 7, 9.6, 20.14; auth 6.1: policies of the container")
  void aSignatureMayNameAPolicy() {
    container.stored("b", "x");
    String identifier =
        "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy>"
            + "<Expiry>2050-01-01T00:00:00Z</Expiry><Permission>rl</Permission></AccessPolicy>"
            + "</SignedIdentifier></SignedIdentifiers>";
    expect(container.on("PUT", "comp=acl").body(identifier).send()).status(200);
    SharedAccess ofBlob = container.access("b", "").with("si", "readers");
    ofBlob.without("sp").without("se");
    SharedAccess all = container.access("").with("si", "readers").without("sp").without("se");
    Patience.eventually(() -> expect(container.get("b").sas(ofBlob).send()).status(200));
    expect(container.list("").sas(all).send()).status(200);
    expectForbidden(container.put("b", "y").sas(all).send());
    expect(container.on("PUT", "comp=acl").send()).status(200);
    Patience.eventually(() -> expectForbidden(container.get("b").sas(ofBlob).send()));
  }

  @ParameterizedTest
  @CsvSource({"none, 401, 401, 401", "blob, 200, 401, 401", "container, 200, 200, 200"})
  @Documented("blob-rest 7: what anonymous callers may read")
  void everybodyMayReadWhatIsPublic(String level, int blob, int list, int properties) {
    container.stored("b", "x");
    WireRequest set = container.on("PUT", "comp=acl");
    expect((level.equals("none") ? set : set.header("x-ms-blob-public-access", level)).send())
        .status(200);
    Patience.eventually(() -> expectAnonymous(container.get("b"), blob));
    expectAnonymous(container.head("b"), blob);
    expectAnonymous(container.on("GET", "b", "comp=metadata"), blob);
    expectAnonymous(container.on("GET", "b", "comp=blocklist"), blob);
    expectAnonymous(container.list(""), list);
    expectAnonymous(container.on("GET", ""), properties);
    expectAnonymous(container.on("GET", "comp=metadata"), properties);
    expectAnonymous(container.put("b", "y"), 401);
    expectAnonymous(container.delete("b"), 401);
    assertThat(container.content("b")).isEqualTo("x");
  }

  private static void expectAnonymous(WireRequest request, int status) {
    WireAnswer answer = request.signing(Signing.NONE).send();
    expect(answer).status(status);
    if (status == 401) {
      expect(answer)
          .header("x-ms-error-code", "NoAuthenticationInformation")
          .hasHeader("WWW-Authenticate");
    }
  }

  @Test
  @Documented("blob-rest 7: without credentials, by version")
  void withoutCredentialsTheAnswerDependsOnTheVersion() {
    container.stored("b", "x");
    refused(container.get("b").signing(Signing.NONE).send(), 401, "NoAuthenticationInformation");
    refused(
        container.get("b").header("x-ms-version", "2019-07-07").signing(Signing.NONE).send(),
        404,
        "ResourceNotFound");
  }

  @Test
  @Documented("blob-rest 7: any permission allows Get Account Information")
  void anyPermissionTellsAboutTheAccount() {
    container.stored("b", "x");
    for (String letter : List.of("r", "d", "w")) {
      expect(
              container
                  .on("GET", "b", "restype=account&comp=properties")
                  .sas(container.access(letter))
                  .send())
          .status(200)
          .hasHeader("x-ms-sku-name");
    }
  }
}
