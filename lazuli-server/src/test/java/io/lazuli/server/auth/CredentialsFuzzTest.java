package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.Mutations;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.storage.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Credentials of any content are accepted or answered with 400 or 403. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CredentialsFuzzTest {
  private static final String TABLE = "/devstoreaccount1/MyTable";
  private static final WorkerPool WORKERS = new WorkerPool("test-worker", 1, 10);
  private static final Account ACCOUNT = Account.development();

  private static final Mutations HEADERS =
      new Mutations(
          List.of(
              "SharedKey devstoreaccount1:zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=",
              "SharedKeyLite devstoreaccount1:cEBSug72owy6q1KC8NApluYnzuqec+joeP89eA8+B0M=",
              "Bearer abc.def.ghi"),
          "SharedKey",
          " ",
          ":",
          "=");
  private static final Mutations DATES =
      new Mutations(
          List.of("Mon, 15 Jan 2024 10:30:00 GMT", "Monday, 15-Jan-24 10:30:00 GMT"), " GMT", ", ");
  private static final Mutations TERMS =
      new Mutations(
          List.of(
              "sv=2019-02-02&tn=MyTable&sp=raud&st=2024-01-01&se=2034-01-01T00:00:00.1234567Z"
                  + "&sip=127.0.0.1-127.0.0.9&spr=https,http&spk=a&srk=b&epk=c&erk=d",
              "sv=2024-11-04&ss=btq&srt=sco&sp=rwdlacup&se=2034-01-01T00:00Z&sip=10.0.0.1&ses=x",
              "sv=2019-02-02&tn=MyTable&si=policy1"),
          "&sp=r",
          "&sv=",
          "&si=p",
          "&skoid=x",
          "&sr=b",
          "&se=2034-13-45");

  private final Authenticator authenticator =
      new Authenticator(
          new AccountRegistry(List.of(ACCOUNT)),
          SharedKey.ofTables(Clock.systemUTC(), Duration.ofMinutes(15)),
          SharedAccessSignature.ofTables(
              (account, table, id) -> CompletableFuture.completedFuture(null),
              WORKERS,
              Clock.systemUTC()),
          Anonymous.REFUSED,
          "table",
          null);

  @AfterAll
  static void close() {
    WORKERS.close();
  }

  @Test
  void authorizationHeaders() {
    Fuzz.run(
        5_000,
        HEADERS::next,
        header -> assertRefused(TestRequests.of("GET", TABLE, "Authorization", header)));
  }

  @Test
  void dates() {
    Fuzz.run(
        5_000,
        DATES::next,
        date ->
            assertRefused(
                TestRequests.of(
                    "GET",
                    TABLE,
                    "x-ms-date",
                    date,
                    "Authorization",
                    "SharedKey devstoreaccount1:x")));
  }

  /** The terms are signed as they are, so that the server checks their content. */
  @Test
  void signedTerms() {
    Fuzz.run(
        5_000,
        TERMS::next,
        terms ->
            assertAnswered(
                TestRequests.of("GET", TABLE + "?" + terms + "&sig=" + signature(terms))));
  }

  private static String signature(String terms) {
    Query query = Query.tryParse(terms);
    if (query == Query.UNREADABLE) {
      return "unreadable";
    }
    try {
      SasParameters sas = SasParameters.of(query);
      String text =
          sas.has("ss") || sas.has("srt")
              ? SasForm.accountText(sas, ACCOUNT.name())
              : SasForm.ofTables().serviceText(sas, ACCOUNT.name(), "mytable");
      byte[] message = ("" + text).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder()
          .encodeToString(ACCOUNT.keys().get(0).sign(message))
          .replace("-", "%2B")
          .replace("_", "%2F");
    } catch (ServiceException twice) {
      return "twice";
    }
  }

  private void assertRefused(Request request) {
    assertThat(status(request)).isIn(400, 403);
  }

  private void assertAnswered(Request request) {
    assertThat(status(request)).isIn(200, 400, 403);
  }

  private int status(Request request) {
    Request addressed =
        request.withAddress(new Address("devstoreaccount1", false, "/MyTable", "http://localhost"));
    try {
      return authenticator
          .handle(addressed, proved -> CompletableFuture.completedFuture(Response.of(200).build()))
          .toCompletableFuture()
          .join()
          .status();
    } catch (ServiceException e) {
      return e.error().status();
    }
  }
}
