package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.access.Caller;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.Addressing;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors of auth 10.1 and table-rest 13, and requests that must not pass. */
class AuthenticatorTest {
  private static final String DATE = "Mon, 15 Jan 2024 10:30:00 GMT";
  private static final String HOST = "devstoreaccount1.table.local";
  private static final AccountKey SECOND_KEY = new AccountKey("c2Vjb25kIGtleQ==");

  private static final WorkerPool WORKERS = new WorkerPool("test-worker", 1, 1);

  private final AccountRegistry accounts =
      new AccountRegistry(
          List.of(
              new Account(
                  "devstoreaccount1", List.of(Account.development().keys().get(0), SECOND_KEY)),
              new Account("other", List.of(SECOND_KEY))));

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "POST,/devstoreaccount1/Tables,application/json,zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=",
        "GET,/devstoreaccount1/?restype=service&comp=properties,,FmUyq64oa6/Hy5OwHzJc566RZEDiTj3NA3vapH1tU5I=",
        "POST,/devstoreaccount1/$batch,multipart/mixed; boundary=batch_1,KnzwTLipbjITVH4ucltwl/WpreR4Hs8zFXdSceGkTTg=",
      })
  void sharedKeyVectorsPass(String method, String target, String contentType, String signature) {
    Request request =
        contentType == null
            ? sharedKey(method, target, signature)
            : sharedKey(method, target, signature, "Content-Type", contentType);
    assertThat(caller(request)).isEqualTo(new Caller("devstoreaccount1", false));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "POST;/devstoreaccount1/Tables;cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=",
        "PATCH;/devstoreaccount1/mytable(PartitionKey='O%27%27Neil%20%26%20Co',RowKey='r%C3%A9f');jFZMScUqzJeTiCWGz4k4djwq7QUqJWW9A5wgfMVg3Go=",
        "POST;/devstoreaccount1/Orders;L/dyI3CfucqB21hvvlZlcH++/4ZXqvf6y7N4HyYrG9s=",
        "GET;/devstoreaccount1/Orders(PartitionKey='cust-042',RowKey='order-0001');3fUU4J/R7jI8H6yMk9fi6e38xspUVygiUDUdhN3or7w=",
        "GET;/devstoreaccount1/Orders()?$filter=PartitionKey%20eq%20'cust-042'&$top=2;EebZEZAF8LjYxD0EokrLRFoOM9rz2VmIIyarD09nORg=",
        "PATCH;/devstoreaccount1/Orders(PartitionKey='cust-042',RowKey='summary');VAM7f1nQPxF47/LSQa3zYZ3FlRL8H0IIlO9EZcyNf7c=",
        "GET;/devstoreaccount1/Orders?comp=acl;uKV7HaEkY++mWdxNAjsRR/BEiFSlyhvPk2zUsNgkkhg=",
        "GET;/devstoreaccount1/?restype=service&comp=properties;t7C2rhEd/cYHZxw9VGXL3RqZ3SVz7Y9uLYEQZcOeWkg=",
        "DELETE;/devstoreaccount1/Tables('Orders');lfJ7VADVFFz+phfqNkocHfPcMJmQAzLF5c6IbAxZ63k=",
        "POST;/devstoreaccount1/$batch;uOt9pNimJLpci1h9sVYazWpjdmlznydLPOUOD/E1Ai8=",
      },
      delimiter = ';')
  void sharedKeyLiteVectorsPass(String method, String target, String signature) {
    assertThat(caller(lite(method, target, signature)))
        .isEqualTo(new Caller("devstoreaccount1", false));
  }

  @Test
  void vectorsInHostStylePass() {
    String target = "/mytable?comp=acl&timeout=30";
    Request full =
        sharedKey("GET", target, "LWD6yrkO9lAvNjn//k2dGqukFZ7USjc3KS4uxKc2Wks=", "Host", HOST);
    Request lite =
        lite("GET", target, "J/XO4QaIZ0zk24UQ8pt4OE1zgRBIfzJ/6iovAm3mk/E=", "Host", HOST);
    assertThat(caller(full).account()).isEqualTo("devstoreaccount1");
    assertThat(caller(lite).account()).isEqualTo("devstoreaccount1");
  }

  @Test
  void theDateHeaderCountsIfThereIsNoOther() {
    Request request =
        TestRequests.of(
            "POST",
            "/devstoreaccount1/Tables",
            "Date",
            DATE,
            "Authorization",
            "SharedKeyLite devstoreaccount1:cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=");
    assertThat(caller(request).account()).isEqualTo("devstoreaccount1");
  }

  @Test
  void aSignatureWithOneOtherCharacterFails() {
    assertFails(
        lite("POST", "/devstoreaccount1/Tables", "cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0N="));
  }

  @Test
  void sharedKeyCoversTheContentTypeAndLiteDoesNot() {
    String target = "/devstoreaccount1/Tables";
    assertFails(
        sharedKey(
            "POST",
            target,
            "zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=",
            "Content-Type",
            "application/xml"));
    Request lite =
        lite(
            "POST",
            target,
            "cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=",
            "Content-Type",
            "application/xml");
    assertThat(caller(lite).account()).isEqualTo("devstoreaccount1");
  }

  @Test
  void theSecondKeyPasses() {
    String text = DATE + "\n/devstoreaccount1/devstoreaccount1/Tables";
    assertThat(caller(lite("GET", "/devstoreaccount1/Tables", sign(text))).account())
        .isEqualTo("devstoreaccount1");
  }

  @Test
  void aSignatureOfTheDecodedPathFails() {
    String text = DATE + "\n/other/other/t(PartitionKey='a b',RowKey='é')";
    assertFails(
        signedByOther("/other/t(PartitionKey=%27a%20b%27,RowKey=%27%C3%A9%27)", sign(text)));
  }

  @ParameterizedTest
  @CsvSource({
    "/other/priv/a%20b,/other/priv/a%2520b",
    "/other/priv/a%2Fb,/other/priv/a%252Fb",
    "/other-secondary/priv/a%20b,/other-secondary/priv/a%2520b",
    "/other/priv/a%20b,/other-secondary/priv/a%2520b",
  })
  void aSignatureForOnePathOpensNoOther(String signed, String sent) {
    String signature = sign(DATE + "\n/other" + signed);
    assertThat(caller(signedByOther(signed, signature)).account()).isEqualTo("other");
    assertFails(signedByOther(sent, signature));
  }

  @Test
  void rawUtf8InThePathPasses() {
    String text = DATE + "\n/other/other/t(PartitionKey='é',RowKey='')";
    Request request = signedByOther("/other/t(PartitionKey='\u00c3\u00a9',RowKey='')", sign(text));
    assertThat(caller(request).account()).isEqualTo("other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/other/other-secondary/Orders", "/other/other/Orders"})
  void theSecondaryInPathStyleMayBeSignedBothWays(String resource) {
    Request request = signedByOther("/other-secondary/Orders", sign(DATE + "\n" + resource));
    assertThat(caller(request)).isEqualTo(new Caller("other", true));
  }

  @Test
  void theSecondaryInHostStyleIsSignedWithoutItsSuffix() {
    Request request =
        signedByOther(
            "/Orders()", sign(DATE + "\n/other/Orders()"), "Host", "other-secondary.table.local");
    assertThat(caller(request)).isEqualTo(new Caller("other", true));
  }

  @Test
  void anAccountWithoutPathIsSignedWithASlashInHostStyle() {
    Request request =
        signedByOther(
            "?comp=properties",
            sign(DATE + "\n/other/?comp=properties"),
            "Host",
            "other.table.local");
    assertThat(caller(request).account()).isEqualTo("other");
  }

  @Test
  void anotherAccountThanTheAddressedOneFails() {
    String text = DATE + "\n/other/devstoreaccount1/Tables";
    assertFails(signedByOther("/devstoreaccount1/Tables", sign(text)));
  }

  @ParameterizedTest
  @CsvSource({"0,true", "15,true", "16,false", "-15,true", "-16,false"})
  void theDateMayBeFifteenMinutesOff(int minutes, boolean passes) {
    Instant now = Instant.parse("2024-01-15T10:30:00Z").plus(Duration.ofMinutes(minutes));
    Request request =
        lite("POST", "/devstoreaccount1/Tables", "cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=");
    Authenticator strict = authenticator(Clock.fixed(now, ZoneOffset.UTC), Duration.ofMinutes(15));
    if (passes) {
      assertThat(caller(strict, request).account()).isEqualTo("devstoreaccount1");
    } else {
      assertFails(strict, request);
    }
  }

  @Test
  void aDateOfTheOldFormPasses() {
    String date = "Monday, 15-Jan-24 10:30:00 GMT";
    Request request =
        TestRequests.of(
            "GET",
            "/other/Tables",
            "x-ms-date",
            date,
            "Authorization",
            "SharedKeyLite other:" + sign(date + "\n/other/other/Tables"));
    assertThat(caller(request).account()).isEqualTo("other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "Mon, 15 Foo 2024 10:30:00 GMT"})
  void aMissingOrUnreadableDateFails(String date) {
    String authorization = "SharedKeyLite other:" + sign(date + "\n/other/other/Tables");
    Request request =
        date.isEmpty()
            ? TestRequests.of("GET", "/other/Tables", "Authorization", authorization)
            : TestRequests.of(
                "GET", "/other/Tables", "x-ms-date", date, "Authorization", authorization);
    assertFails(request);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SharedKey", "SharedKey nocolon", "Basic a:b", "sharedkey a:b", ""})
  void aHeaderThatDoesNotParseIsBadInput(String authorization) {
    Request request =
        TestRequests.of("GET", "/other/Tables", "x-ms-date", DATE, "Authorization", authorization);
    assertRefused(request, 400, "InvalidAuthenticationInfo");
  }

  @Test
  void noCredentialsFail() {
    assertFails(TestRequests.of("GET", "/other/Tables", "x-ms-date", DATE));
  }

  @Test
  void bearerTokensFail() {
    assertFails(TestRequests.of("GET", "/other/Tables", "Authorization", "Bearer abc"));
  }

  @Test
  void theHeaderDecidesOverASignatureInTheQuery() {
    String text = DATE + "\n/other/other/t";
    Request request = signedByOther("/other/t?sv=2019-02-02&tn=t&sp=r&sig=abc", sign(text));
    assertThat(caller(request)).isEqualTo(new Caller("other", false));
  }

  private void assertFails(Request request) {
    assertRefused(request, 403, "AuthenticationFailed");
  }

  private void assertFails(Authenticator authenticator, Request request) {
    assertThatThrownBy(() -> caller(authenticator, request))
        .isInstanceOf(ServiceException.class)
        .hasMessage("AuthenticationFailed");
  }

  private void assertRefused(Request request, int status, String code) {
    assertThatThrownBy(() -> caller(request))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> {
              assertThat(e.error().code()).isEqualTo(code);
              assertThat(e.error().status()).isEqualTo(status);
            });
  }

  private Caller caller(Request request) {
    return caller(authenticator(Clock.systemUTC(), Duration.ZERO), request);
  }

  private Caller caller(Authenticator authenticator, Request request) {
    AtomicReference<Caller> caller = new AtomicReference<>();
    Endpoint last =
        proved -> {
          caller.set(proved.caller());
          return CompletableFuture.completedFuture(Response.of(200).build());
        };
    new Addressing("table", accounts::exists)
        .handle(request, addressed -> authenticator.handle(addressed, last))
        .toCompletableFuture()
        .join();
    return caller.get();
  }

  private Authenticator authenticator(Clock clock, Duration window) {
    SharedAccessSignature unused =
        SharedAccessSignature.ofTables(
            (account, table, id) -> CompletableFuture.completedFuture(null), WORKERS, clock);
    return new Authenticator(
        accounts, SharedKey.ofTables(clock, window), unused, Anonymous.REFUSED, "table", null);
  }

  private static String sign(String text) {
    byte[] signature = SECOND_KEY.sign(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(signature);
  }

  private static Request signedByOther(String target, String signature, String... headers) {
    return signed("GET", target, "SharedKeyLite other:" + signature, headers);
  }

  private static Request lite(String method, String target, String signature, String... headers) {
    return signed(method, target, "SharedKeyLite devstoreaccount1:" + signature, headers);
  }

  private static Request sharedKey(
      String method, String target, String signature, String... headers) {
    return signed(method, target, "SharedKey devstoreaccount1:" + signature, headers);
  }

  private static Request signed(
      String method, String target, String authorization, String... headers) {
    String[] all = java.util.Arrays.copyOf(headers, headers.length + 4);
    all[headers.length] = "x-ms-date";
    all[headers.length + 1] = DATE;
    all[headers.length + 2] = "Authorization";
    all[headers.length + 3] = authorization;
    return TestRequests.of(method, target, all);
  }
}
