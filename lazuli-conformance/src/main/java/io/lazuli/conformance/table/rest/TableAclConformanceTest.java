package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.support.Patience.eventually;
import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored access policies: how they are set and read, their limits and their effect. */
@Covers(Area.ACCESS)
@Differs("Azurite 3.37.0 requires all three terms in every policy")
class TableAclConformanceTest {

  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
  private static final String NOT_VALID = "XML specified is not syntactically valid.";

  private final ScratchTable table = ScratchTable.create();

  private WireAnswer put(String document) {
    return putTo(table.path(), document);
  }

  private WireAnswer putTo(String path, String document) {
    return table
        .wire()
        .request("PUT", path + "?comp=acl")
        .header("Content-Type", "application/xml")
        .body(document)
        .send();
  }

  private WireAnswer set(String policies) {
    return put(DECLARATION + "<SignedIdentifiers>" + policies + "</SignedIdentifiers>");
  }

  private WireAnswer get() {
    return table.wire().get(table.path() + "?comp=acl").send();
  }

  private static String policy(String id, String terms) {
    return "<SignedIdentifier><Id>%s</Id><AccessPolicy>%s</AccessPolicy></SignedIdentifier>"
        .formatted(id, terms);
  }

  private static String reader(String id) {
    return policy(
        id,
        "<Expiry>"
            + SharedAccess.time(Duration.ofHours(1))
            + "</Expiry><Permission>r</Permission>");
  }

  private void expectPolicies(String policies) {
    String list =
        policies.isEmpty()
            ? "<SignedIdentifiers />"
            : "<SignedIdentifiers>" + policies + "</SignedIdentifiers>";
    eventually(() -> assertThat(get().xml()).isEqualTo(list));
  }

  private void expectInvalid(WireAnswer answer) {
    expect(answer)
        .error(400, "InvalidXmlDocument", NOT_VALID)
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", "InvalidXmlDocument");
  }

  @Test
  @Documented("table-rest 6.5")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aNewTableHasNone() {
    expect(get())
        .status(200)
        .header("Content-Type", "application/xml")
        .lacksHeader("Cache-Control")
        .lacksHeader("X-Content-Type-Options");
    expectPolicies("");
  }

  @Test
  @Documented("table-rest 6.5, 15 ACL: times have seven digits, what is not set is left out")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void policiesComeBackInTheServicesForm() {
    WireAnswer answer =
        set(
            policy(
                    "all",
                    "<Start>2024-01-01T00:00:00Z</Start><Expiry>2034-01-01T00:00:00Z</Expiry>"
                        + "<Permission>raud</Permission>")
                + policy("expiry", "<Expiry>2034-01-01T10:30:15.25Z</Expiry>")
                + policy("letters", "<Permission>au</Permission>")
                + policy("nothing", "")
                + "<SignedIdentifier><Id>bare</Id></SignedIdentifier>");
    expect(answer).status(204).emptyBody().lacksHeader("Content-Type");
    expectPolicies(
        policy(
                "all",
                "<Start>2024-01-01T00:00:00.0000000Z</Start>"
                    + "<Expiry>2034-01-01T00:00:00.0000000Z</Expiry><Permission>raud</Permission>")
            + policy("expiry", "<Expiry>2034-01-01T10:30:15.2500000Z</Expiry>")
            + policy("letters", "<Permission>au</Permission>")
            + "<SignedIdentifier><Id>nothing</Id></SignedIdentifier>"
            + "<SignedIdentifier><Id>bare</Id></SignedIdentifier>");
  }

  @ParameterizedTest
  @CsvSource({
    "2034-05-06, 2034-05-06T00:00:00.0000000Z",
    "2034-05-06T07:08Z, 2034-05-06T07:08:00.0000000Z",
    "2034-05-06T07:08:09Z, 2034-05-06T07:08:09.0000000Z",
    "2034-05-06T07:08:09.1Z, 2034-05-06T07:08:09.1000000Z",
    "2034-05-06T07:08:09.1234567Z, 2034-05-06T07:08:09.1234567Z"
  })
  @Documented("table-rest 6.5: input times")
  void timesAreReadInTheirForms(String sent, String kept) {
    expect(set(policy("id", "<Expiry>" + sent + "</Expiry>"))).status(204);
    expectPolicies(policy("id", "<Expiry>" + kept + "</Expiry>"));
  }

  @Test
  @Documented("table-rest 6.5: empty elements are not set")
  void emptyElementsAreNotSet() {
    expect(set(policy("id", "<Start /><Expiry></Expiry><Permission>r</Permission>"))).status(204);
    expectPolicies(policy("id", "<Permission>r</Permission>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<SignedIdentifiers/>",
        "<SignedIdentifiers></SignedIdentifiers>",
        DECLARATION + "<SignedIdentifiers />"
      })
  @Documented("table-rest 6.5: replaces the whole list; an empty one clears it")
  void anEmptyListClears(String document) {
    expect(set(policy("id", "<Permission>r</Permission>"))).status(204);
    expect(set(policy("other", "<Permission>a</Permission>"))).status(204);
    expectPolicies(policy("other", "<Permission>a</Permission>"));
    expect(put(document)).status(204);
    expectPolicies("");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
        "<?xml version='1.0' encoding='utf-8'?>\n",
        "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?>",
        ""
      })
  @Documented("table-rest 6.5: declarations of Java, JavaScript and Python; order and blanks free")
  void documentsOfAllClientsAreRead(String declaration) {
    String document =
        declaration
            + "<SignedIdentifiers>\n  <SignedIdentifier>\n    <AccessPolicy>\n"
            + "      <Permission>r</Permission>\n      <Start>2024-01-01</Start>\n"
            + "    </AccessPolicy>\n    <Id>id</Id>\n  </SignedIdentifier>\n</SignedIdentifiers>\n";
    expect(put(document)).status(204);
    expectPolicies(
        policy("id", "<Start>2024-01-01T00:00:00.0000000Z</Start><Permission>r</Permission>"));
  }

  private static String policies(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> policy("id" + i, "<Permission>r</Permission>"))
        .collect(Collectors.joining());
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("table-rest 5.4, 6.5, 15 ACL: six policies")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void fivePoliciesAreTheMost() {
    expect(set(policies(5))).status(204);
    expectInvalid(set(policies(6)));
    expectPolicies(policies(5));
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("table-rest 6.5, auth 6.1")
  void anIdHas64CharactersAndIsCaseSensitive() {
    String id = "i".repeat(64);
    String two =
        policy(id, "<Permission>r</Permission>")
            + policy(id.toUpperCase(Locale.ROOT), "<Permission>a</Permission>");
    expect(set(two)).status(204);
    expectPolicies(two);
    expectInvalid(set(policy(id + "i", "<Permission>r</Permission>")));
    expectPolicies(two);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<SignedIdentifiers>",
        "<SignedIdentifiers><SignedIdentifier></SignedIdentifiers>",
        "nonsense",
        "{}",
        "<Other />",
        "<SignedIdentifiers><Other /></SignedIdentifiers>",
        "<SignedIdentifiers><SignedIdentifier><Id></Id></SignedIdentifier></SignedIdentifiers>",
        "<SignedIdentifiers><SignedIdentifier /></SignedIdentifiers>",
        "<SignedIdentifiers><SignedIdentifier><Id>a</Id></SignedIdentifier>"
            + "<SignedIdentifier><Id>a</Id></SignedIdentifier></SignedIdentifiers>",
        "<!DOCTYPE x [<!ENTITY e \"e\">]><SignedIdentifiers><SignedIdentifier><Id>&e;</Id>"
            + "</SignedIdentifier></SignedIdentifiers>"
      })
  @Documented(
      "table-rest 6.5, 9.2: malformed XML, unknown elements, a missing id or the same id twice")
  void aDocumentThatIsNoneIsInvalidXml(String document) {
    expect(set(policies(1))).status(204);
    expectInvalid(put(document));
    expectPolicies(policies(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Start>tomorrow</Start>",
        "<Expiry>2034-13-01</Expiry>",
        "<Permission>x</Permission>",
        "<Permission>rz</Permission>"
      })
  @Documented("table-rest 6.5: the code is uncertain, do InvalidXmlNodeValue")
  void badTimesAndLettersAreRefused(String term) {
    expect(set(policy("id", term))).error(400, "InvalidXmlNodeValue");
    expectPolicies("");
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("table-rest 6.5: the code is uncertain, do ResourceNotFound")
  void aMissingTableHasNone() {
    String missing = "/" + ScratchTable.freshName();
    expect(table.wire().get(missing + "?comp=acl").send())
        .error(404, "ResourceNotFound")
        .header("Content-Type", "application/xml");
    expect(putTo(missing, "<SignedIdentifiers />")).error(404, "ResourceNotFound");
  }

  @ParameterizedTest
  @CsvSource({"ab, OutOfRangeInput", "1abc, InvalidResourceName", "a-bc, InvalidResourceName"})
  @Covers(Area.ERRORS)
  @Documented("table-rest 5.1, 6.5: bad names as XML errors, before any look-up")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aBadNameIsAnXmlError(String name, String code) {
    expect(table.wire().get("/" + name + "?comp=acl").send())
        .error(400, code)
        .header("Content-Type", "application/xml")
        .header("x-ms-error-code", code);
    expect(putTo("/" + name, "<SignedIdentifiers />")).error(400, code);
  }

  @Test
  @Documented("table-rest 5.1, 6.5")
  void policiesBelongToTheTableInAnyLetterCase() {
    expect(
            putTo(
                table.path().toLowerCase(Locale.ROOT),
                DECLARATION + "<SignedIdentifiers>" + policies(1) + "</SignedIdentifiers>"))
        .status(204);
    expectPolicies(policies(1));
  }

  @Test
  @Documented("table-rest 6.4, 6.5")
  void policiesGoWithTheirTable() {
    expect(set(reader("id"))).status(204);
    SharedAccess access = table.access("").without("sp").without("se").with("si", "id");
    eventually(() -> expect(table.query().sas(access).send()).status(200));
    expect(table.wire().delete("/Tables('" + table.name() + "')").send()).status(204);
    eventually(
        () ->
            expect(table.wire().post("/Tables", "{\"TableName\":\"" + table.name() + "\"}").send())
                .status(201));
    expectPolicies("");
    eventually(() -> expect(table.query().sas(access).send()).error(403, "AuthenticationFailed"));
  }

  @Test
  @Documented("auth 6.1, 10.5: before the policy exists, while it exists, and after its removal")
  void aPolicyOpensAndClosesTheTable() {
    SharedAccess access = table.access("").without("sp").without("se").with("si", "policy1");
    expect(table.query().sas(access).send()).error(403, "AuthenticationFailed");
    expect(set(reader("policy1"))).status(204);
    eventually(() -> expect(table.query().sas(access).send()).status(200));
    expect(table.insert(entity("r")).sas(access).send())
        .error(403, "AuthorizationPermissionMismatch");
    expect(set(reader("Policy1"))).status(204);
    eventually(() -> expect(table.query().sas(access).send()).error(403, "AuthenticationFailed"));
    expect(put("")).status(204);
    expect(table.query().sas(access).send()).error(403, "AuthenticationFailed");
  }

  @Test
  @Documented("auth 6.1: changing a policy changes all SAS that name it")
  void aChangedPolicyChangesItsSignatures() {
    SharedAccess access = table.access("").without("sp").without("se").with("si", "id");
    String until = "<Expiry>" + SharedAccess.time(Duration.ofHours(1)) + "</Expiry>";
    expect(set(policy("id", until + "<Permission>a</Permission>"))).status(204);
    eventually(() -> expect(table.insert(entity("r")).sas(access).send()).status(201));
    expect(set(policy("id", until + "<Permission>r</Permission>"))).status(204);
    eventually(
        () ->
            expect(table.insert(entity("s")).sas(access).send())
                .error(403, "AuthorizationPermissionMismatch"));
    expect(table.query().sas(access).send()).status(200);
    String past = "<Expiry>" + SharedAccess.time(Duration.ofHours(-1)) + "</Expiry>";
    expect(set(policy("id", past + "<Permission>r</Permission>"))).status(204);
    eventually(() -> expect(table.query().sas(access).send()).error(403, "AuthenticationFailed"));
    String later = "<Start>" + SharedAccess.time(Duration.ofMinutes(30)) + "</Start>";
    expect(set(policy("id", later + until + "<Permission>r</Permission>"))).status(204);
    expect(table.query().sas(access).send()).error(403, "AuthenticationFailed");
  }

  @Test
  @Documented("auth 6.1: each field that the SAS leaves out comes from the policy")
  void aSignatureTakesFromItsPolicyWhatItLeavesOut() {
    String expiry = "<Expiry>" + SharedAccess.time(Duration.ofHours(1)) + "</Expiry>";
    expect(
            set(
                policy("until", expiry)
                    + policy("letters", "<Permission>r</Permission>")
                    + policy("nothing", "")))
        .status(204);
    SharedAccess letters = table.access("r").without("se").with("si", "until");
    eventually(() -> expect(table.query().sas(letters).send()).status(200));
    SharedAccess until = table.access("").without("sp").with("si", "letters");
    expect(table.query().sas(until).send()).status(200);
    expect(table.query().sas(table.access("r").with("si", "nothing")).send()).status(200);
    SharedAccess neither = table.access("").without("sp").without("se").with("si", "nothing");
    expect(table.query().sas(neither).send()).error(403, "AuthenticationFailed");
    SharedAccess noExpiry = table.access("").without("sp").without("se").with("si", "letters");
    expect(table.query().sas(noExpiry).send()).error(403, "AuthenticationFailed");
  }

  @Test
  @Documented("auth 6.1: the docs say 400, do 403 AuthenticationFailed")
  @Differs("Azure documents 400")
  void aFieldInBothIsRefused() {
    expect(set(reader("id"))).status(204);
    SharedAccess good = table.access("").without("sp").without("se").with("si", "id");
    eventually(() -> expect(table.query().sas(good).send()).status(200));
    expect(table.query().sas(table.access("r").without("se").with("si", "id")).send())
        .error(403, "AuthenticationFailed");
    expect(table.query().sas(table.access("").without("sp").with("si", "id")).send())
        .error(403, "AuthenticationFailed");
  }

  @Test
  @Documented("auth 6.1, 6.2: a SAS names key ranges in addition to its policy")
  void aPolicyGoesWithARangeOfKeys() {
    expect(set(reader("id"))).status(204);
    table.inserted("{\"PartitionKey\":\"a\",\"RowKey\":\"in\"}");
    table.inserted("{\"PartitionKey\":\"b\",\"RowKey\":\"out\"}");
    SharedAccess access =
        table.access("").without("sp").without("se").with("si", "id").with("epk", "a");
    eventually(() -> expect(table.query().sas(access).send()).status(200));
    WireAnswer answer = table.query().sas(access).send();
    assertThat(answer.values()).hasSize(1);
    assertThat(answer.values().get(0).path("RowKey").asText()).isEqualTo("in");
  }

  @Test
  @Documented("auth 4.2, 6.1: policies in every version of the string-to-sign")
  void policiesWorkInEveryVersion() {
    expect(set(reader("id"))).status(204);
    for (String version :
        new String[] {"2012-02-12", "2015-02-21", "2015-04-05", "2019-02-02", "2024-11-04"}) {
      SharedAccess access =
          table.access("").without("sp").without("se").with("si", "id").with("sv", version);
      eventually(() -> expect(table.query().sas(access).send()).status(200));
    }
  }
}
