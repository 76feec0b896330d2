package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.account.Account;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.Addressing;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text that is signed for the queue service: the vectors of auth 10 and queue-rest 3. */
class QueueSignatureTest {
  private static final WorkerPool WORKERS = new WorkerPool("test-worker", 1, 4);
  private static final Account ACCOUNT = Account.development();
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

  private final SharedKey keys = SharedKey.ofBlobsAndQueues(NOW, Duration.ZERO);

  @AfterAll
  static void stop() {
    WORKERS.close();
  }

  @Test
  void aPutIsSignedAsTheSpecificationSays() {
    Request request =
        addressed(
            "POST",
            "/devstoreaccount1/orders/messages?messagettl=3600&visibilitytimeout=5",
            "Content-Length",
            "97",
            "Content-Type",
            "application/xml",
            "x-ms-date",
            "Sun, 01 Mar 2026 12:00:00 GMT",
            "x-ms-version",
            "2025-01-05");
    keys.verify(request, ACCOUNT, "devstoreaccount1:g91u+hMHcgyARMV+j241a0pAj/3AizxcO2aoJy0IXEU=");
    assertThatThrownBy(
            () ->
                keys.verify(
                    request,
                    ACCOUNT,
                    "devstoreaccount1:h91u+hMHcgyARMV+j241a0pAj/3AizxcO2aoJy0IXEU="))
        .isInstanceOf(ServiceException.class);
  }

  @Test
  void aListIsSignedAsTheSdkDoes() {
    Request request =
        addressed(
            "GET",
            "/devstoreaccount1/?comp=list&maxresults=5&prefix=my%20queue",
            "Content-Length",
            "0",
            "x-ms-date",
            "Mon, 15 Jan 2024 10:30:00 GMT",
            "x-ms-version",
            "2024-11-04");
    keys.verify(request, ACCOUNT, "devstoreaccount1:E+XNB2XcBG6S8bziHLEjycJUsNhQVEGhkKpXdNSV5lg=");
  }

  @Test
  void aPlusSignInAParameterIsSignedAsOne() {
    String text =
        "DELETE\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Mon, 15 Jan 2024 10:30:00 GMT\n"
            + "/devstoreaccount1/devstoreaccount1/orders/messages/id\npopreceipt:a+b/c=";
    for (String receipt : new String[] {"a+b/c=", "a%2Bb%2Fc%3D"}) {
      Request request =
          addressed(
              "DELETE",
              "/devstoreaccount1/orders/messages/id?popreceipt=" + receipt,
              "x-ms-date",
              "Mon, 15 Jan 2024 10:30:00 GMT");
      keys.verify(request, ACCOUNT, "devstoreaccount1:" + sign(text));
    }
  }

  /** Otherwise anybody who saw a signed PUT of a queue could set its metadata. */
  @Test
  void aComponentIsSignedWhateverItsCase() {
    String text =
        "PUT\n\n\n\nx-ms-date:Mon, 15 Jan 2024 10:30:00 GMT\n"
            + "/devstoreaccount1/devstoreaccount1/orders";
    Request request =
        addressed(
            "PUT",
            "/devstoreaccount1/orders?Comp=metadata",
            "x-ms-date",
            "Mon, 15 Jan 2024 10:30:00 GMT");
    keys.verifyLite(request, ACCOUNT, "devstoreaccount1:" + sign(text + "?comp=metadata"));
    assertThatThrownBy(() -> keys.verifyLite(request, ACCOUNT, "devstoreaccount1:" + sign(text)))
        .isInstanceOf(ServiceException.class);
  }

  /** The JavaScript SDK sorts names in the order of a culture. */
  @ParameterizedTest
  @CsvSource({"x-ms-meta-a1,x-ms-meta-a_b", "x-ms-meta-a_b,x-ms-meta-a1"})
  void headersMayBeSignedInEitherOrder(String first, String second) {
    String text =
        "PUT\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Mon, 15 Jan 2024 10:30:00 GMT\n"
            + first
            + ":v\n"
            + second
            + ":v\n/devstoreaccount1/devstoreaccount1/orders";
    Request request =
        addressed(
            "PUT",
            "/devstoreaccount1/orders",
            "x-ms-meta-a1",
            "v",
            "x-ms-meta-a_b",
            "v",
            "x-ms-date",
            "Mon, 15 Jan 2024 10:30:00 GMT");
    keys.verify(request, ACCOUNT, "devstoreaccount1:" + sign(text));
  }

  @Test
  void beforeTheYear2015AnEmptyBodysLengthWasSigned() {
    String text =
        "PUT\n\n\n0\n\n\nMon, 15 Jan 2024 10:30:00 GMT\n\n\n\n\n\nx-ms-version:2014-02-14\n"
            + "/devstoreaccount1/devstoreaccount1/orders";
    Request request =
        addressed(
            "PUT",
            "/devstoreaccount1/orders",
            "Content-Length",
            "0",
            "Date",
            "Mon, 15 Jan 2024 10:30:00 GMT",
            "x-ms-version",
            "2014-02-14");
    keys.verify(request, ACCOUNT, "devstoreaccount1:" + sign(text));
  }

  @Test
  void aQueueTokenIsSignedAsTheSpecificationSays() {
    String token =
        "sp=raup&st=2026-03-01T00:00:00Z&se=2026-03-02T00:00:00Z&spr=https,http&sv=2025-01-05&sig="
            + encoded("KhRn3H4EvVmESvtxXUHTvS8mmZDic3xFb5Ri+nzD6rY=");
    assertThat(access("/orders/messages", token))
        .isEqualTo(new Access.OfResource("orders", "raup", KeyLimits.NONE));
    assertThatThrownBy(() -> access("/other/messages", token)).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> access("/", token)).isInstanceOf(ServiceException.class);
  }

  @Test
  void anAccountTokenIsSignedAsTheSpecificationSays() {
    String token =
        "sp=rwdlacup&ss=btq&srt=sco&st=2026-03-01T00:00:00Z&se=2026-03-02T00:00:00Z"
            + "&spr=https,http&sv=2025-01-05&sig="
            + encoded("6Q5rfytdXqoYnxe0lHOWIjYPwAO3Vazu4vi6fH73vbU=");
    assertThat(access("/", token)).isEqualTo(new Access.OfAccount("rwdlacup", "sco"));
  }

  @ParameterizedTest
  @CsvSource({
    "2012-02-12,/devstoreaccount1/orders,false",
    "2014-02-14,/devstoreaccount1/orders,false",
    "2015-02-21,/queue/devstoreaccount1/orders,false",
    "2015-04-05,/queue/devstoreaccount1/orders,true",
    "2099-01-01,/queue/devstoreaccount1/orders,true"
  })
  void tokensOfEveryVersionAreRead(String version, String resource, boolean address) {
    String text = "p\n\n2034-01-01\n" + resource + "\n\n" + (address ? "\n\n" : "") + version;
    String token = "sp=p&se=2034-01-01&sv=" + version + "&sig=" + encoded(sign(text));
    assertThat(access("/orders/messages", token))
        .isEqualTo(new Access.OfResource("orders", "p", KeyLimits.NONE));
  }

  private static Access access(String path, String token) {
    return SharedAccessSignature.ofQueues(
            (account, queue, id) -> CompletableFuture.completedFuture(null), WORKERS, NOW)
        .access(addressed("GET", "/devstoreaccount1" + path + "?" + token), ACCOUNT)
        .toCompletableFuture()
        .join();
  }

  private static Request addressed(String method, String target, String... headers) {
    AtomicReference<Request> addressed = new AtomicReference<>();
    new Addressing("queue", ACCOUNT.name()::equals)
        .handle(
            TestRequests.of(method, target, headers),
            request -> {
              addressed.set(request);
              return CompletableFuture.completedFuture(Response.of(200).build());
            });
    return addressed.get();
  }

  private static String sign(String text) {
    byte[] signature = ACCOUNT.keys().get(0).sign(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(signature);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
