package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The routes about load and recent requests, through the admin port. */
@Timeout(60)
class ConsoleLoadTest {
  private static final String API = "/api/v1/accounts/" + ConsoleClient.ACCOUNT;

  private final ConsoleClient console = new ConsoleClient();

  @AfterEach
  void close() {
    console.close();
  }

  /** Sends a request with a wrong signature. Returns its id. */
  private String refused() throws IOException, InterruptedException {
    URI address =
        URI.create(
            "http://127.0.0.1:"
                + console.server().tablePort()
                + "/devstoreaccount1/Events(PartitionKey='p',RowKey='r')");
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("x-ms-version", "2019-02-02")
            .header("x-ms-date", "Wed, 18 Nov 2020 06:00:00 GMT")
            .header("Authorization", "SharedKey devstoreaccount1:QUJDREVGR0hJSktMTU5PUA==")
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(403);
    return answer.headers().firstValue("x-ms-request-id").orElseThrow();
  }

  @Test
  void aRefusedRequestAppearsAndIsExplainedToAnAdministrator() throws Exception {
    String id = refused();
    Answer recent = console.admin("GET", "/live/requests", "");
    assertThat(recent.status()).isEqualTo(200);
    assertThat(recent.body()).contains(id, "AuthenticationFailed").doesNotContain("QUJDREVGR0");
    Answer errors = console.admin("GET", "/live/errors", "");
    assertThat(errors.body()).contains("\"code\":\"AuthenticationFailed\"", id);
    Answer why = console.admin("GET", "/live/requests/" + id + "/why", "");
    assertThat(why.status()).isEqualTo(200);
    assertThat(why.body()).contains("\"text\":", "\"fields\":[").doesNotContain("QUJDREVGR0");
    for (Role role : new Role[] {Role.READER, Role.EDITOR, Role.OPERATOR}) {
      Answer refused = console.as(role, "GET", API + "/live/requests/" + id + "/why", "");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("RoleTooSmall");
    }
    assertThat(console.admin("GET", "/live/requests/none/why", "").status()).isEqualTo(404);
  }

  @Test
  void theMapOfAnEmptyServerIsEmpty() {
    Answer map = console.as(Role.READER, "GET", API + "/load?rows=10&columns=10", "");
    assertThat(map.status()).isEqualTo(200);
    assertThat(map.body()).contains("\"rows\":[]", "\"cells\":\"\"", "\"gaps\":[]");
    Answer all = console.as(Role.READER, "GET", API + "/load?metric=all", "");
    assertThat(all.status()).isEqualTo(200);
    assertThat(all.body())
        .contains(
            "\"layers\":{\"reads\":\"\",\"writes\":\"\",\"entitiesRead\":\"\"",
            "\"entitiesWritten\":\"\",\"bytesOut\":\"\",\"bytesIn\":\"\"}")
        .doesNotContain("\"cells\"");
    Answer sides = console.as(Role.READER, "GET", API + "/load?side=apart&columns=2", "");
    assertThat(sides.body()).contains("\"rows\":[],\"reads\":[", "],\"writes\":[");
    for (String wrong :
        new String[] {
          "metric=all&rows=0", "rows=0", "rows=999", "columns=x", "metric=a", "from=b", "side=left"
        }) {
      assertThat(console.admin("GET", "/load?" + wrong, "").status()).isEqualTo(400);
    }
    assertThat(console.admin("GET", "/load/diagnoses", "").body()).isEqualTo("{\"diagnoses\":[]}");
    assertThat(console.admin("GET", "/live/shapes", "").body()).isEqualTo("{\"shapes\":[]}");
  }

  @Test
  void onlyOperatorsSilence() {
    String path = API + "/load/diagnoses/silence";
    String body = "{\"id\":\"append:x\",\"days\":7}";
    assertThat(console.as(Role.READER, "POST", path, body).status()).isEqualTo(403);
    assertThat(console.as(Role.EDITOR, "POST", path, body).status()).isEqualTo(403);
    assertThat(console.as(Role.OPERATOR, "POST", path, body).status()).isEqualTo(404);
    assertThat(console.as(Role.OPERATOR, "POST", path, "{\"id\":\"a\",\"days\":0}").status())
        .isEqualTo(400);
  }

  @Test
  void requestsAreStreamed() throws Exception {
    String id = refused();
    HttpRequest stream =
        HttpRequest.newBuilder(
                URI.create(
                    "http://"
                        + console.host()
                        + "/api/v1/live?after=0&account="
                        + ConsoleClient.ACCOUNT))
            .header("Cookie", "lazuli=" + console.session(Role.READER))
            .build();
    var answer = HttpClient.newHttpClient().send(stream, BodyHandlers.ofLines());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body().filter(line -> line.startsWith("data: ")).findFirst().orElseThrow())
        .contains(id);
    assertThat(console.raw("GET", "/api/v1/live?account=" + ConsoleClient.ACCOUNT, "").status())
        .isEqualTo(401);
  }

  @Test
  void aStreamGoesOnAfterTheLastEventThatTheClientHas() throws Exception {
    String first = refused();
    String body = console.admin("GET", "/live/requests", "").body();
    String last = body.replaceAll("^\\{\"last\":(\\d+).*$", "$1");
    assertThat(last).matches("\\d+");
    String second = refused();
    HttpRequest stream =
        HttpRequest.newBuilder(
                URI.create(
                    "http://" + console.host() + "/api/v1/live?account=" + ConsoleClient.ACCOUNT))
            .header("Cookie", "lazuli=" + console.session(Role.READER))
            .header("Last-Event-ID", last)
            .build();
    var answer = HttpClient.newHttpClient().send(stream, BodyHandlers.ofLines());
    assertThat(answer.body().filter(line -> line.startsWith("data: ")).findFirst().orElseThrow())
        .contains(second)
        .doesNotContain(first);
  }
}
