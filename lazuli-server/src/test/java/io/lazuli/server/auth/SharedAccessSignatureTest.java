package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors of auth 10.3 and 10.4, and signatures that must not pass. */
class SharedAccessSignatureTest {
  private static final String ST = "2024-01-01T00:00:00Z";
  private static final String SE = "2034-01-01T00:00:00Z";
  private static final String S1 =
      "sv=2019-02-02&spr=https%2Chttp&st=2024-01-01T00%3A00%3A00Z&se=2034-01-01T00%3A00%3A00Z"
          + "&sp=raud&sig=4A9I94Pofp9QQ2LBup3OXwKXgX7yVwzbJSR2inxxR7U%3D&tn=MyTable&srk=rk1&spk=pkA"
          + "&epk=pkZ&erk=rk9";
  private static final String S2 =
      "sv=2019-02-02&tn=MyTable&sp=r&se=2034-01-01T00%3A00%3A00Z"
          + "&sig=mVMmUp3jvSWN5d6f263rgWbfymVRc2RTHfLrET1bw74%3D";
  private static final String S3 =
      "sv=2019-02-02&tn=MyTable&si=policy1&sig=7fk7F8vYktbK9ITerPezirtr6NZNSL8zDLE5ET8adv8%3D";
  private static final String S4 =
      "sv=2019-02-02&ss=t&srt=sco&sp=rwdlau&spr=https,http&st=2024-01-01T00:00:00Z"
          + "&se=2034-01-01T00:00:00Z&sig=zYBHBRI1j3DbNrt6VKnUX1Wx8WDD0h71g72uOvyhf7g%3D";
  private static final String S5 =
      "sv=2024-11-04&ss=btq&srt=sco&sp=rwdlacup&spr=https,http&st=2024-01-01T00:00:00Z"
          + "&se=2034-01-01T00:00:00Z&sig=JtGCA2ZF1wHlVs1%2Bj1ygO3CZweWy3iffBGJzaFJY1NQ%3D";
  private static final String CUSTOMER =
      "sv=2019-02-02&tn=Orders&se=2034-01-01T00%3A00%3A00Z&sp=r&spk=cust-042&epk=cust-042"
          + "&sig=C91ZmvJpjLb3JtQKioB79EReRLeYrE%2FtomGVMMRRreI%3D";
  private static final AccountKey SECOND_KEY = new AccountKey("c2Vjb25kIGtleQ==");
  private static final Account ACCOUNT =
      new Account("devstoreaccount1", List.of(Account.development().keys().get(0), SECOND_KEY));
  private static final WorkerPool WORKERS = new WorkerPool("test-worker", 1, 1);

  private final List<StoredAccessPolicy> policies = new ArrayList<>();

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void theVectorsOfTablesPass() {
    assertThat(access(S1))
        .isEqualTo(
            new Access.OfResource("mytable", "raud", new KeyLimits("pkA", "rk1", "pkZ", "rk9")));
    assertThat(access(S2)).isEqualTo(new Access.OfResource("mytable", "r", KeyLimits.NONE));
    assertThat(access(CUSTOMER))
        .isEqualTo(
            new Access.OfResource(
                "orders", "r", new KeyLimits("cust-042", null, "cust-042", null)));
  }

  @Test
  void theVectorsOfAccountsPass() {
    assertThat(access(S4)).isEqualTo(new Access.OfAccount("rwdlau", "sco"));
    assertThat(access(S5)).isEqualTo(new Access.OfAccount("rwdlacup", "sco"));
  }

  @ParameterizedTest
  @CsvSource({
    "2012-02-12,/devstoreaccount1/mytable,false",
    "2014-02-14,/devstoreaccount1/mytable,false",
    "2015-02-21,/table/devstoreaccount1/mytable,false",
    "2015-04-05,/table/devstoreaccount1/mytable,true",
    "2031-01-01,/table/devstoreaccount1/mytable,true",
  })
  void theSignedTextDependsOnTheVersion(String version, String canonical, boolean withAddress) {
    String middle = withAddress ? "\n\n\n" : "\n";
    String text = "r\n\n" + SE + "\n" + canonical + "\n" + middle + version + "\na\n\nb\n";
    String query = "sv=" + version + "&tn=MyTable&sp=r&se=" + SE + "&spk=a&epk=b";
    assertThat(access(query + "&sig=" + sign(text)))
        .isEqualTo(new Access.OfResource("mytable", "r", new KeyLimits("a", null, "b", null)));
  }

  @ParameterizedTest
  @CsvSource({"2015-04-05,0", "2020-10-02,0", "2020-12-06,1", "2031-01-01,1"})
  void anAccountSignatureKnowsTheEncryptionScopeSince2020(String version, int emptyLines) {
    String text = "devstoreaccount1\nr\nt\no\n\n" + SE + "\n\n\n" + version + "\n";
    String query = "sv=" + version + "&ss=t&srt=o&sp=r&se=" + SE;
    assertThat(access(query + "&sig=" + sign(text + "\n".repeat(emptyLines))))
        .isEqualTo(new Access.OfAccount("r", "o"));
  }

  @Test
  void versionsBeforeSignaturesExistedFail() {
    String table = "r\n\n" + SE + "\n/devstoreaccount1/mytable\n\n2011-08-18\n\n\n\n";
    assertFails("sv=2011-08-18&tn=mytable&sp=r&se=" + SE + "&sig=" + sign(table));
    String account = "devstoreaccount1\nr\nt\no\n\n" + SE + "\n\n\n2015-02-21\n";
    assertFails("sv=2015-02-21&ss=t&srt=o&sp=r&se=" + SE + "&sig=" + sign(account));
  }

  @ParameterizedTest
  @ValueSource(strings = {"MYTABLE", "mytable", "mYtAbLe"})
  void theTableMayBeNamedInAnyCase(String name) {
    assertThat(access(S1.replace("MyTable", name)).keys().firstPartition()).isEqualTo("pkA");
  }

  @Test
  void aRawPlusInTheSignaturePasses() {
    assertThat(access(S5.replace("%2B", "+"))).isInstanceOf(Access.OfAccount.class);
  }

  @Test
  void keysBeyondAsciiAreSignedAsUtf8() {
    String text = "r\n\n" + SE + "\n/table/devstoreaccount1/t\n\n\n\n2019-02-02\né ü\n\n日本\n";
    String query =
        "sv=2019-02-02&tn=t&sp=r&se=" + SE + "&spk=%C3%A9+%C3%BC&epk=%E6%97%A5%E6%9C%AC&sig=";
    assertThat(access(query + sign(text)).keys()).isEqualTo(new KeyLimits("é ü", null, "日本", null));
  }

  /** Changes each parameter of S1 alone: the signature covers all of them. */
  @ParameterizedTest
  @CsvSource({
    "sv=2019-02-02,sv=2019-07-07",
    "https%2Chttp,https",
    "st=2024,st=2023",
    "se=2034,se=2035",
    "sp=raud,sp=rau",
    "4A9I,4A9J",
    "tn=MyTable,tn=MyTables",
    "srk=rk1,srk=rk0",
    "spk=pkA,spk=pk0",
    "epk=pkZ,epk=pkz",
    "&erk=rk9,''",
    "&spk=pkA,''",
  })
  void aChangedParameterFails(String from, String to) {
    assertThat(S1).contains(from);
    assertFails(S1.replace(from, to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"&sp=raud", "&sp=r", "&sig=x", "&se=" + SE, "&tn=MyTable", "&spk=pkA", "&sv="})
  void aParameterGivenTwiceFails(String again) {
    assertFails(S1 + again);
  }

  @Test
  void anEmptyParameterCountsAsAbsent() {
    assertThat(access(S2 + "&epk=&erk=&sip=&si=").keys()).isEqualTo(KeyLimits.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sig=abc",
        "sv=2019-02-02&sp=r&se=" + SE + "&sig=abc",
        "sv=2019-02-02&sr=b&sp=r&se=" + SE + "&sig=abc",
        "sv=2019-02-02&ss=t&sp=r&se=" + SE + "&sig=abc",
      })
  void anIncompleteSignatureFails(String query) {
    assertFails(query);
  }

  /** An account signature without services or types is refused even if it is signed correctly. */
  @ParameterizedTest
  @CsvSource({"t,''", "'',o"})
  void anAccountSignatureMustNameServicesAndTypes(String services, String types) {
    String lines = "devstoreaccount1\nr\n" + services + "\n" + types + "\n\n" + SE + "\n\n\n";
    assertFails(
        "sv=2019-02-02&sp=r&se=%s&ss=%s&srt=%s&sig=%s"
            .formatted(SE, services, types, sign(lines + "2019-02-02\n")));
  }

  @Test
  void kindsOfSignaturesDoNotMix() {
    assertFails(S4 + "&tn=MyTable");
    assertFails(S4 + "&si=policy1");
    assertFails(S1 + "&skoid=x");
  }

  @Test
  void bothKeysAreGood() {
    String text = "r\n\n" + SE + "\n/table/devstoreaccount1/t\n\n\n\n2019-02-02\n\n\n\n";
    assertThat(access("sv=2019-02-02&tn=t&sp=r&se=" + SE + "&sig=" + sign(text)))
        .isInstanceOf(Access.OfResource.class);
  }

  @ParameterizedTest
  @CsvSource({
    "2023-12-31T23:59:59.999Z,false",
    "2024-01-01T00:00:00Z,true",
    "2033-12-31T23:59:59.999Z,true",
    "2034-01-01T00:00:00Z,false",
  })
  void theTimesHaveNoTolerance(String now, boolean valid) {
    SharedAccessSignature then = signatures(now);
    if (valid) {
      assertThat(access(then, request(S1))).isInstanceOf(Access.OfResource.class);
    } else {
      assertRefused("AuthenticationFailed", then, request(S1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2034-01-01,true",
    "2034-01-01T00:00Z,true",
    "2034-01-01T00:00:00.0000000Z,true",
    "2034-01-01T00:00:00,false",
    "2034-13-01,false",
    "tomorrow,false",
    "'',false",
  })
  void theFormsOfTimes(String expiry, boolean valid) {
    String text = "r\n\n" + expiry + "\n/table/devstoreaccount1/t\n\n\n\n2019-02-02\n\n\n\n";
    String query = "sv=2019-02-02&tn=t&sp=r&se=" + expiry + "&sig=" + sign(text);
    if (valid) {
      assertThat(access(query)).isInstanceOf(Access.OfResource.class);
    } else {
      assertFails(query);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https,http,AuthorizationProtocolMismatch",
    "https,https,''",
    "'https,http',http,''",
    "http,http,AuthenticationFailed",
    "ftp,http,AuthenticationFailed",
  })
  void theProtocolMustBeAllowed(String allowed, String scheme, String code) {
    String text =
        "r\n\n" + SE + "\n/table/devstoreaccount1/t\n\n\n" + allowed + "\n2019-02-02\n\n\n\n";
    String query = "sv=2019-02-02&tn=t&sp=r&se=" + SE + "&spr=" + allowed + "&sig=" + sign(text);
    assertCode(code, TestRequests.from(scheme, "127.0.0.1", "/devstoreaccount1/t?" + query));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,127.0.0.1,''",
    "127.0.0.2,127.0.0.1,AuthorizationSourceIPMismatch",
    "127.0.0.0-127.0.0.255,127.0.0.255,''",
    "127.0.0.0-127.0.0.9,127.0.0.10,AuthorizationSourceIPMismatch",
    "127.0.0.1,0:0:0:0:0:0:0:1,AuthorizationSourceIPMismatch",
    "localhost,127.0.0.1,AuthenticationFailed",
    "127.0.0.256,127.0.0.1,AuthenticationFailed",
    "127.0.1,127.0.0.1,AuthenticationFailed",
  })
  void theAddressMustBeAllowed(String allowed, String peer, String code) {
    String text =
        "r\n\n" + SE + "\n/table/devstoreaccount1/t\n\n" + allowed + "\n\n2019-02-02\n\n\n\n";
    String query = "sv=2019-02-02&tn=t&sp=r&se=" + SE + "&sip=" + allowed + "&sig=" + sign(text);
    assertCode(code, TestRequests.from("http", peer, "/devstoreaccount1/t?" + query));
  }

  @Test
  void anAccountSignatureForOtherServicesIsRefused() {
    String text = "devstoreaccount1\nr\nbq\nsco\n\n" + SE + "\n\n\n2019-02-02\n";
    String query = "sv=2019-02-02&ss=bq&srt=sco&sp=r&se=" + SE + "&sig=" + sign(text);
    assertCode("AuthorizationServiceMismatch", request(query));
  }

  @ParameterizedTest
  @CsvSource({"srk,'\nx\n\n'", "erk,'\n\n\nx'"})
  void aRowWithoutItsPartitionFails(String row, String keys) {
    String text = "r\n\n" + SE + "\n/table/devstoreaccount1/t\n\n\n\n2019-02-02\n" + keys;
    assertFails("sv=2019-02-02&tn=t&sp=r&se=" + SE + "&" + row + "=x&sig=" + sign(text));
  }

  @Test
  void aSignatureTakesItsTermsFromItsPolicy() {
    assertFails(S3);
    policies.add(new StoredAccessPolicy("policy1", null, Instant.parse(SE), "r"));
    assertThat(access(S3)).isEqualTo(new Access.OfResource("mytable", "r", KeyLimits.NONE));
    policies.clear();
    assertFails(S3);
  }

  @Test
  void aPolicyMustGiveWhatTheSignatureLacksAndMustBeValid() {
    for (StoredAccessPolicy policy :
        List.of(
            new StoredAccessPolicy("policy1", null, null, "r"),
            new StoredAccessPolicy("policy1", null, Instant.parse(SE), null),
            new StoredAccessPolicy("policy1", null, Instant.parse(ST), "r"),
            new StoredAccessPolicy("policy1", Instant.parse(SE), Instant.parse(SE), "r"),
            new StoredAccessPolicy("Policy1", null, Instant.parse(SE), "r"))) {
      policies.clear();
      policies.add(policy);
      assertFails(S3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sp", "st", "se"})
  void aTermInBothSignatureAndPolicyFails(String term) {
    String sp = term.equals("sp") ? "r" : "";
    String st = term.equals("st") ? ST : "";
    String se = term.equals("se") ? SE : "";
    String text =
        String.join("\n", sp, st, se, "/table/devstoreaccount1/t", "all", "", "", "2019-02-02")
            + "\n\n\n\n";
    String query = "sv=2019-02-02&tn=t&si=all&sp=" + sp + "&st=" + st + "&se=" + se;
    policies.add(new StoredAccessPolicy("all", Instant.parse(ST), Instant.parse(SE), "r"));
    assertFails(query + "&sig=" + sign(text));
  }

  @Test
  void noPolicyIsLookedUpForAForgedSignature() {
    PolicyLookup never =
        (account, table, id) -> {
          throw new AssertionError("looked up " + id);
        };
    SharedAccessSignature signatures =
        SharedAccessSignature.ofTables(never, WORKERS, fixed("2026-01-01T00:00:00Z"));
    assertRefused("AuthenticationFailed", signatures, request(S3.replace("7fk7", "7fk8")));
  }

  /**
   * A damaged token is refused, unless the damage has no meaning, such as the case of the table.
   */
  @Test
  void damagedSignaturesGrantNothingElse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Access granted = access(S1);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      StringBuilder query = new StringBuilder(S1);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        query.setCharAt(random.nextInt(query.length()), (char) (' ' + random.nextInt(224)));
      }
      try {
        assertThat(access(query.toString())).as("seed %s: %s", seed, query).isEqualTo(granted);
      } catch (ServiceException e) {
        assertThat(e.error().status()).as("seed %s: %s", seed, query).isEqualTo(403);
        refused++;
      }
    }
    assertThat(refused).as("seed %s", seed).isGreaterThan(4_000);
  }

  private Access access(String query) {
    return access(signatures("2026-01-01T00:00:00Z"), request(query));
  }

  private static Access access(SharedAccessSignature signatures, Request request) {
    return signatures.access(request, ACCOUNT).toCompletableFuture().join();
  }

  private void assertFails(String query) {
    assertCode("AuthenticationFailed", request(query));
  }

  private void assertCode(String code, Request request) {
    SharedAccessSignature signatures = signatures("2026-01-01T00:00:00Z");
    if (code.isEmpty()) {
      assertThat(access(signatures, request)).isInstanceOf(Access.OfResource.class);
    } else {
      assertRefused(code, signatures, request);
    }
  }

  private static void assertRefused(
      String code, SharedAccessSignature signatures, Request request) {
    Throwable failure = catchThrowable(() -> access(signatures, request));
    Throwable cause = Futures.cause(failure);
    assertThatThrownBy(
            () -> {
              throw cause;
            })
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> {
              assertThat(e.error().code()).isEqualTo(code);
              assertThat(e.error().status()).isEqualTo(403);
            });
  }

  private SharedAccessSignature signatures(String now) {
    return SharedAccessSignature.ofTables(this::find, WORKERS, fixed(now));
  }

  private CompletionStage<StoredAccessPolicy> find(String account, String table, String id) {
    assertThat(account).isEqualTo("devstoreaccount1");
    return CompletableFuture.completedFuture(
        policies.stream().filter(policy -> policy.id().equals(id)).findFirst().orElse(null));
  }

  private static Clock fixed(String now) {
    return Clock.fixed(Instant.parse(now), ZoneOffset.UTC);
  }

  private static Request request(String query) {
    return TestRequests.from("http", "127.0.0.1", "/devstoreaccount1/MyTable?" + query);
  }

  private static String sign(String text) {
    byte[] signature = SECOND_KEY.sign(text.getBytes(StandardCharsets.UTF_8));
    return URLEncoder.encode(Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8);
  }
}
