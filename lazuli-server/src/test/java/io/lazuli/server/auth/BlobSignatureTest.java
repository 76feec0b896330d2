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

/** The text that is signed for the blob service: the vectors of auth 10 and blob-rest 7. */
class BlobSignatureTest {
  private static final WorkerPool WORKERS = new WorkerPool("test-worker", 1, 4);
  private static final Account ACCOUNT = Account.development();
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);
  private static final String TIMES = "&st=2026-03-01T00:00:00Z&se=2026-03-02T00:00:00Z";
  private static final String LONG_TIMES = "&st=2024-01-01T00:00:00Z&se=2034-01-01T00:00:00Z";

  private final SharedKey keys = SharedKey.ofBlobsAndQueues(NOW, Duration.ZERO);

  @AfterAll
  static void stop() {
    WORKERS.close();
  }

  @Test
  void anUploadIsSignedAsTheSpecificationSays() {
    Request request =
        addressed(
            "PUT",
            "/devstoreaccount1/photos/cats/a%20b.txt",
            "Content-Length",
            "5",
            "Content-Type",
            "application/octet-stream",
            "If-None-Match",
            "*",
            "x-ms-blob-type",
            "BlockBlob",
            "x-ms-date",
            "Sun, 01 Mar 2026 12:00:00 GMT",
            "x-ms-meta-owner",
            "ann",
            "x-ms-version",
            "2025-01-05");
    keys.verify(request, ACCOUNT, "devstoreaccount1:6/sa+T9qezBNcEuIo6uomSxYhdpe75Cw9eNK/b6+tI8=");
  }

  @Test
  void aListInHostStyleIsSignedAsTheSpecificationSays() {
    Request request =
        addressed(
            "GET",
            "/photos?restype=container&comp=list&include=metadata&include=copy&prefix=cats%2F",
            "Host",
            "devstoreaccount1.blob.example",
            "x-ms-date",
            "Sun, 01 Mar 2026 12:00:00 GMT",
            "x-ms-version",
            "2025-01-05");
    keys.verify(request, ACCOUNT, "devstoreaccount1:t3ErSeQmlVOgK9UDDm7oJNDvWlXcXt5eCGmR06L6g1g=");
  }

  @Test
  void theVectorsOfContainersAndBlobsPass() {
    assertThat(
            access(
                "/photos/cats/a%20b.txt",
                "sp=racwd&spr=https,http&sv=2025-01-05&sr=b"
                    + TIMES
                    + signature("ef6f8UhhqQJGZUGHzkT+QanJLXigUFaXuKev4rwDvsM=")))
        .isEqualTo(new Access.OfResource("photos/cats/a b.txt", "racwd", KeyLimits.NONE));
    assertThat(
            access(
                "/photos",
                "sp=rl&sv=2025-01-05&sr=c"
                    + TIMES
                    + signature("wtqpHGTXq/3EKwwBrPCq54OIidUXopyaQgOn+Ktxkl4=")))
        .isEqualTo(new Access.OfContainer("photos", "rl"));
    assertThat(
            access(
                "/mycontainer/dir%2Ffile.txt",
                "sp=r&spr=https,http&sv=2024-11-04&sr=b"
                    + LONG_TIMES
                    + signature("TRcrZVNaDucXWdIksy9Kh1UV+Dc8TB1JoRxLA8cZOWs=")))
        .isEqualTo(new Access.OfResource("mycontainer/dir/file.txt", "r", KeyLimits.NONE));
    assertThat(
            access(
                "/mycontainer/dir/file.txt",
                "sp=rl&spr=https,http&sv=2024-11-04&sr=c"
                    + LONG_TIMES
                    + signature("cv5reh6a5i7i2t2ly07K1m4mZBgDx/LC1VhitOQo7Zc=")))
        .isEqualTo(new Access.OfContainer("mycontainer", "rl"));
  }

  /**
   * The last column lists the fields after the version: {@code S} kind and snapshot, {@code E}
   * encryption scope, {@code R} response headers.
   */
  @ParameterizedTest
  @CsvSource({
    "2012-02-12,/devstoreaccount1/photos/x,false,''",
    "2013-08-15,/devstoreaccount1/photos/x,false,R",
    "2015-02-21,/blob/devstoreaccount1/photos/x,false,R",
    "2015-04-05,/blob/devstoreaccount1/photos/x,true,R",
    "2018-03-28,/blob/devstoreaccount1/photos/x,true,R",
    "2018-11-09,/blob/devstoreaccount1/photos/x,true,SR",
    "2020-10-02,/blob/devstoreaccount1/photos/x,true,SR",
    "2020-12-06,/blob/devstoreaccount1/photos/x,true,SER",
    "2099-01-01,/blob/devstoreaccount1/photos/x,true,SER",
  })
  void tokensOfEveryVersionAreRead(
      String version, String resource, boolean address, String behind) {
    String text =
        "r\n\n2034-01-01\n"
            + resource
            + "\n\n"
            + (address ? "\n\n" : "")
            + version
            + behind
                .replace("S", "\nb\n")
                .replace("E", "\nscope")
                .replace("R", "\ncc\ncd\nce\ncl\nct");
    String token =
        "sp=r&se=2034-01-01&sr=b&ses=scope&rscc=cc&rscd=cd&rsce=ce&rscl=cl&rsct=ct&sv=" + version;
    assertThat(access("/photos/x", token + signature(sign(text))))
        .isEqualTo(new Access.OfResource("photos/x", "r", KeyLimits.NONE));
    assertFails("/photos/y", token + signature(sign(text)));
  }

  @ParameterizedTest
  @CsvSource({
    "/photos/cats,b",
    "/photos,b",
    "/photos/,b",
    "/,c",
    "/photos%2Fx/y,c",
    "/photos/x,bv",
    "/photos/x,d",
    "/photos/x,bs",
    "/photos/x,''",
  })
  void aKindThatThePathDoesNotContainFails(String path, String kind) {
    String text =
        "r\n\n2034-01-01\n/blob/devstoreaccount1/photos/x\n\n\n\n2025-01-05\n"
            + kind
            + "\n\n\n\n\n\n\n";
    assertFails(path, "sp=r&se=2034-01-01&sv=2025-01-05&sr=" + kind + signature(sign(text)));
  }

  /** Only blobs are in containers. For other services {@code sr} must not widen the access. */
  @Test
  void aTablesSignatureIsNotWidenedByAKind() {
    String text = "r\n\n2034-01-01\n/table/devstoreaccount1/orders\n\n\n\n2025-01-05\na\n\na\n";
    String token =
        "sp=r&se=2034-01-01&sv=2025-01-05&tn=orders&spk=a&epk=a&sr=c" + signature(sign(text));
    Access access =
        SharedAccessSignature.ofTables(
                (account, table, id) -> CompletableFuture.completedFuture(null), WORKERS, NOW)
            .access(addressed("GET", "/devstoreaccount1/orders()?" + token), ACCOUNT)
            .toCompletableFuture()
            .join();
    assertThat(access.keys()).isEqualTo(new KeyLimits("a", null, "a", null));
  }

  private static void assertFails(String path, String token) {
    assertThatThrownBy(() -> access(path, token)).isInstanceOf(ServiceException.class);
  }

  private static Access access(String path, String token) {
    return SharedAccessSignature.ofBlobs(
            (account, container, id) -> CompletableFuture.completedFuture(null), WORKERS, NOW)
        .access(addressed("GET", "/devstoreaccount1" + path + "?" + token), ACCOUNT)
        .toCompletableFuture()
        .join();
  }

  private static Request addressed(String method, String target, String... headers) {
    AtomicReference<Request> addressed = new AtomicReference<>();
    new Addressing("blob", ACCOUNT.name()::equals)
        .handle(
            TestRequests.of(method, target, headers),
            request -> {
              addressed.set(request);
              return CompletableFuture.completedFuture(Response.of(200).build());
            });
    return addressed.get();
  }

  private static String signature(String signature) {
    return "&sig=" + URLEncoder.encode(signature, StandardCharsets.UTF_8);
  }

  private static String sign(String text) {
    byte[] signature = ACCOUNT.keys().get(0).sign(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(signature);
  }
}
