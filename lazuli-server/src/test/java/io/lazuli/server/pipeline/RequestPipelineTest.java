package io.lazuli.server.pipeline;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.DocumentedOperation;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.http.EchoService;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.ApiVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the order of the checks, and how failures are reported. */
class RequestPipelineTest {
  private static final OperationType ECHO = new DocumentedOperation("Echo");

  private static EchoService service;

  @BeforeAll
  static void start() {
    service = new EchoService(RequestPipelineTest::answer);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** Answers as the path demands. */
  private static CompletionStage<Response> answer(Request request) {
    request.details().operation(ECHO).table("t").plan("point", 1, 1);
    return switch (request.address().path()) {
      case "/missing" -> throw CommonErrors.RESOURCE_NOT_FOUND.exception();
      case "/later" -> CompletableFuture.failedFuture(CommonErrors.SERVER_BUSY.exception());
      case "/fault" -> throw new IllegalStateException("a secret");
      case "/error" -> throw new StackOverflowError();
      case "/late-fault" -> CompletableFuture.failedFuture(new IllegalStateException("a secret"));
      default -> EchoService.echo(request);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/acct/missing,404,ResourceNotFound",
    "GET,/acct/later,503,ServerBusy",
    "GET,/acct/t?a=%zz,400,InvalidUri",
    "OPTIONS,/acct/t,400,InvalidHeaderValue",
    "GET,/nobody/t,404,ResourceNotFound",
    "PUT,/acct-secondary/t,403,InsufficientAccountPermissions",
    "DELETE,/acct-secondary/t,403,InsufficientAccountPermissions",
  })
  void everyFailureHasItsCode(String method, String target, int status, String code)
      throws IOException {
    Answer answer = ask(method + " " + target + HEAD + "\r\n");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.body())
        .startsWith("{\"odata.error\":{\"code\":\"" + code + "\"")
        .contains("\\nRequestId:" + answer.header("x-ms-request-id") + "\\nTime:20");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/acct/fault", "/acct/late-fault", "/acct/error"})
  void serverFaultsRevealNothing(String target) throws IOException {
    Answer answer = ask("GET " + target + HEAD + "\r\n");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("InternalError");
    assertThat(answer.body()).doesNotContain("secret").doesNotContain("Exception");
  }

  @Test
  void theSecondaryIsRead() throws IOException {
    assertThat(ask("GET /acct-secondary/t" + HEAD + "\r\n").status()).isEqualTo(200);
    assertThat(ask("REPORT /acct-secondary/t" + HEAD + "\r\n").status()).isEqualTo(200);
  }

  @Test
  void preflightNeedsNoAccountAndNoCredentials() throws IOException {
    Answer answer =
        ask(
            "OPTIONS /nobody/t"
                + HEAD.replace("yes", "no")
                + "Origin: http://b\r\nAccess-Control-Request-Method: PUT\r\n\r\n");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("CorsPreflightFailure");
  }

  @Test
  void aMissingHostIsRefused() throws IOException {
    Answer answer = ask("GET /acct/t HTTP/1.1\r\nAuthorization: yes\r\n\r\n");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("HostInformationNotPresent");
  }

  @Test
  void anAbsoluteTargetNamesTheHost() throws IOException {
    Answer answer = ask("GET http://acct.table.local:7/t?a=b" + HEAD + "\r\n");
    assertThat(answer.body())
        .startsWith("GET\n/t|a=b\n")
        .contains("path=/t, base=http://acct.table.local:7]");
  }

  @ParameterizedTest
  @CsvSource({"2019-02-02,200", "2099-12-31,200", "2019-2-2,400", "latest,400", "'',400"})
  void anyVersionOfTheRightFormIsAccepted(String version, int status) throws IOException {
    Answer answer = ask("GET /acct/t" + HEAD + "x-ms-version: " + version + "\r\n\r\n");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("x-ms-version"))
        .isEqualTo(status == 200 ? version : ApiVersion.NEWEST);
  }

  @Test
  void aRequestWithoutAVersionGetsTheNewest() throws IOException {
    assertThat(ask("GET /acct/t" + HEAD + "\r\n").header("x-ms-version"))
        .isEqualTo(ApiVersion.NEWEST);
  }

  @Test
  void theVersionIsCheckedAfterTheAccountAndBeforeTheCaller() throws IOException {
    String head = " HTTP/1.1\r\nHost: a\r\nx-ms-version: bad\r\n\r\n";
    assertThat(ask("GET /nobody/t" + head).status()).isEqualTo(404);
    assertThat(ask("GET /acct/t" + head).status()).isEqualTo(400);
  }

  @Test
  void theCallerIsCheckedBeforeTheSecondaryAndTheBody() throws IOException {
    String head = " HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n" + "x".repeat(1001);
    Answer answer = ask("PUT /acct-secondary/t" + head);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("AuthenticationFailed");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "none,application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
        "*/*,application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
        "application/json,application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
        "application/json;odata=nometadata,"
            + "application/json;odata=nometadata;streaming=true;charset=utf-8",
        "'application/json; odata=fullmetadata, application/atom+xml',"
            + "application/json;odata=fullmetadata;streaming=true;charset=utf-8",
        "application/xml,application/xml",
        "'application/atom+xml,application/xml',application/xml",
        "text/html,application/xml",
      })
  void theFormOfAnErrorFollowsTheRequest(String accept, String contentType) throws IOException {
    String header = accept == null ? "" : "Accept: " + accept + "\r\n";
    Answer answer = ask("GET /acct/missing" + HEAD + header + "\r\n");
    assertThat(answer.header("Content-Type")).isEqualTo(contentType);
    assertThat(answer.header("x-ms-error-code")).isEqualTo("ResourceNotFound");
    assertThat(answer.body()).startsWith(contentType.endsWith("xml") ? "<?xml" : "{");
  }

  @Test
  void theFormatOptionIsStrongerThanAccept() throws IOException {
    Answer answer =
        ask(
            "GET /acct/missing?$format=application/json;odata=fullmetadata"
                + HEAD
                + "Accept: application/xml\r\n\r\n");
    assertThat(answer.header("Content-Type")).contains("odata=fullmetadata");
  }

  @Test
  void anErrorsFormIsReadFromTheRequestAsTheAnswersIs() throws IOException {
    Answer capitals =
        ask("GET /acct/missing" + HEAD + "Accept: APPLICATION/JSON;odata=nometadata\r\n\r\n");
    assertThat(capitals.header("Content-Type")).contains("odata=nometadata");
    Answer noFormat =
        ask("GET /acct/missing?$format=" + HEAD + "Accept: application/atom+xml\r\n\r\n");
    assertThat(noFormat.header("Content-Type")).isEqualTo("application/xml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"acl", "properties", "stats"})
  void xmlResourcesHaveXmlErrors(String comp) throws IOException {
    Answer answer =
        ask("GET /acct/missing?comp=" + comp + HEAD + "Accept: application/json\r\n\r\n");
    assertThat(answer.header("Content-Type")).isEqualTo("application/xml");
    assertThat(answer.body()).contains("<m:code>ResourceNotFound</m:code>");
  }

  @Test
  void errorsAboutTheCallerHaveAPlainType() throws IOException {
    Answer answer = ask("GET /acct/t HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.header("Cache-Control")).isNull();
  }

  @Test
  void aClientsIdThatIsTooLongIsNotSentBack() throws IOException {
    String head = HEAD + "x-ms-client-request-id: ";
    Answer longest = ask("GET /acct/t" + head + "i".repeat(1024) + "\r\n\r\n");
    Answer longer = ask("GET /acct/t" + head + "i".repeat(1025) + "\r\n\r\n");
    assertThat(longest.header("x-ms-client-request-id")).hasSize(1024);
    assertThat(longer.status()).isEqualTo(200);
    assertThat(longer.header("x-ms-client-request-id")).isNull();
  }

  @Test
  void everyAnswerIsAnEvent() throws IOException {
    Answer found = ask("POST /acct/t" + HEAD + "Content-Length: 3\r\n\r\nabc");
    Answer missing = ask("GET /acct/missing" + HEAD + "\r\n");
    Answer unknown = ask("GET /nobody/t" + HEAD + "\r\n");
    Answer nonsense = ask("what is this\r\n\r\n");
    RequestEvent event = event(found);
    Transfer transfer = event.transfer();
    assertThat(event)
        .isEqualTo(
            new RequestEvent(
                found.header("x-ms-request-id"),
                ECHO,
                "acct",
                "t",
                0,
                "point",
                1,
                1,
                new Transfer(
                    3, found.body().length(), transfer.nanos(), transfer.serverNanos(), true),
                200,
                "",
                Authentication.ANONYMOUS,
                null,
                null,
                null,
                null,
                List.of()));
    assertThat(transfer.serverNanos()).isPositive().isLessThanOrEqualTo(transfer.nanos());
    assertThat(event(missing).operation()).isEqualTo(ECHO);
    assertThat(event(missing).errorCode()).isEqualTo("ResourceNotFound");
    assertThat(event(unknown).account()).isEqualTo("nobody");
    assertThat(event(unknown).status()).isEqualTo(unknown.status());
    assertThat(event(nonsense).status()).isEqualTo(400);
  }

  /** An event may come slightly later than its answer. */
  private static RequestEvent event(Answer answer) {
    String id = answer.header("x-ms-request-id");
    return await()
        .until(
            () -> service.events.stream().filter(e -> e.requestId().equals(id)).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static Answer ask(String request) throws IOException {
    try (RawConnection connection = service.connect()) {
      return connection.ask(request);
    }
  }
}
