package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.access.Permission;
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
import java.util.List;
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
                "restype=container&sp=rl&sv=2025-01-05&sr=c"
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

  /** The vectors F1 to F6 of blob-features 9.1 to 9.3. */
  @ParameterizedTest
  @CsvSource({
    "sr=bv&sp=rdx&versionid=2024-01-02T03:04:05.6789012Z,2024-11-04,9anX+nNKUJJsS5FReajRyLBO3bNHQel930EV2flU+6o=",
    "sr=bs&sp=r&snapshot=2024-01-02T03:04:05.6789012Z,2024-11-04,Yu0n2vfTGRHXmUmr2lgjDChcQAtbMqRL7opxMfGaLLM=",
    "sr=b&sp=rt,2024-11-04,HKKFjFWEVavgmjHUGW7WvmFhwfnsLuwmcvK75su5h/A=",
    "sr=b&sp=r&ses=myscope,2024-11-04,sI8WWIEwAK0X+CRnDi5gTdelY9U+3aAHJxvrS7G4KvE=",
  })
  void theVectorsOfOneBlobPass(String parameters, String version, String signature) {
    String token = parameters + "&spr=https,http&sv=" + version + LONG_TIMES + signature(signature);
    Access access = access("/mycontainer/dir/file.txt", token);
    assertThat(((Access.OfResource) access).resource()).isEqualTo("mycontainer/dir/file.txt");
    assertFails("/mycontainer/dir/file.txu", token);
    assertFails("/mycontainer", token);
    assertFails("/mycontainer/dir/file.txt", token.replace("sp=r", "sp=w"));
  }

  /** The times of versions and snapshots are signed: another one, or none, fails. */
  @Test
  void aSignatureIsForOneVersion() {
    String token =
        "sr=bv&sp=rdx&spr=https,http&sv=2024-11-04"
            + LONG_TIMES
            + signature("9anX+nNKUJJsS5FReajRyLBO3bNHQel930EV2flU+6o=");
    String blob = "/mycontainer/dir/file.txt";
    assertThat(access(blob, token + "&VersionId=2024-01-02T03:04:05.6789012Z")).isNotNull();
    assertFails(blob, token);
    assertFails(blob, token + "&versionid=2024-01-02T03:04:05.6789013Z");
    assertFails(blob, token + "&snapshot=2024-01-02T03:04:05.6789012Z");
    String twice = "&versionid=2024-01-02T03:04:05.6789012Z";
    assertFails(blob, token + twice + twice);
    assertFails(blob, token.replace("sr=bv", "sr=b") + "&versionid=2024-01-02T03:04:05.6789012Z");
  }

  @Test
  void theVectorOfAContainerWithTagsPasses() {
    String token =
        "restype=container&comp=list&sr=c&sp=rltf&spr=https,http&sv=2024-11-04"
            + LONG_TIMES
            + signature("Bd1IHZ0GFjgedvrgYG+6tTEbp/vIyDW0DFBR4rvWtDM=");
    assertThat(access("/mycontainer", token))
        .isEqualTo(new Access.OfContainer("mycontainer", "rltf"));
  }

  /** F3 and F3b of blob-features 9.2. */
  @ParameterizedTest
  @CsvSource({
    "racwd,VJ4IvBFgfqxrl74y/OwiLWDqaOGzjBFx7DpoB+ipMGQ=",
    "r,t8/hXUYXFCZ4nB8N4VsZMxbcm2PewT6vxEpeKt5lD+A=",
  })
  void theVectorsOfDirectoriesPass(String permissions, String signature) {
    String token =
        "sr=d&sdd=2&spr=https,http&sv=2026-06-06&sp="
            + permissions
            + LONG_TIMES
            + signature(signature);
    Access expected = new Access.OfDirectory("mycontainer/dir/sub", permissions);
    assertThat(access("/mycontainer/dir/sub", token)).isEqualTo(expected);
    assertThat(access("/mycontainer/dir/sub/", token)).isEqualTo(expected);
    assertThat(access("/mycontainer/dir%2Fsub/x", token)).isEqualTo(expected);
    assertThat(access("/mycontainer/dir/sub//x/y", token)).isEqualTo(expected);
    assertThat(access("/mycontainer", "restype=container&comp=list&prefix=dir/sub/&" + token))
        .isEqualTo(expected);
    assertFails("/mycontainer", "restype=container&comp=list&" + token);
    assertFails("/mycontainer", "restype=container&comp=list&prefix=dir/su&" + token);
    for (String other : List.of("dir", "dir/", "dir/subx", "dirx/sub/y", "x/dir/sub", "Dir/sub")) {
      assertFails("/mycontainer/" + other, token);
    }
    assertFails("/mycontaine/dir/sub/x", token);
    for (String depth : List.of("sdd=1", "sdd=3", "sdd=0", "sdd=-2", "sdd=a", "sdd=", "x=2")) {
      assertFails("/mycontainer/dir/sub/x", token.replace("sdd=2", depth));
    }
    assertFails("/mycontainer/dir/sub/x", token.replace("sr=d", "sr=b"));
    assertFails("/mycontainer/dir/sub/x", token.replace("sr=d", "sr=c"));
  }

  @Test
  void aDirectoryEndsAtASlash() {
    Access access = new Access.OfDirectory("c/dir", "rl");
    Permission reads = Permission.ofResource(Permission.OBJECT, "r");
    Permission lists = Permission.ofResource(Permission.CONTAINER, "l");
    assertThat(List.of("c/dir", "c/dir/", "c/dir/x", "c/dir/x/y"))
        .allMatch(name -> access.allows(reads, name));
    assertThat(List.of("c", "c/", "c/di", "c/dirx", "c/dirx/y", "d/dir/x"))
        .noneMatch(name -> access.allows(reads, name))
        .noneMatch(name -> access.allows(lists, name));
    assertThat(access.allows(lists, "c/dir/")).isTrue();
    assertThat(access.allows(lists, "c/dir")).as("would also list dirx").isFalse();
    assertThat(access.allows(Permission.ofAccount(Permission.CONTAINER, "r"), "c/dir/")).isFalse();
    assertThat(access.allows(Permission.ofResource(Permission.OBJECT, "w"), "c/dir/x")).isFalse();
    Access whole = new Access.OfDirectory("c/", "rl");
    assertThat(whole.allows(reads, "c/x") && whole.allows(lists, "c/")).isTrue();
    assertThat(whole.allows(reads, "cx/y")).isFalse();
  }

  /** A blob in the root container has the same signature under both addresses. */
  @Test
  void aBlobInTheRootContainerIsSignedWithItsContainer() {
    String text =
        "r\n\n2034-01-01\n/blob/devstoreaccount1/$root/x\n\n\n\n2025-01-05\nb\n\n\n\n\n\n\n";
    String token = "sp=r&se=2034-01-01&sv=2025-01-05&sr=b" + signature(sign(text));
    Access expected = new Access.OfResource("$root/x", "r", KeyLimits.NONE);
    assertThat(access("/x", token)).isEqualTo(expected);
    assertThat(access("/$root/x", token)).isEqualTo(expected);
    assertThat(access("/%24root/x", token)).isEqualTo(expected);
    assertFails("/x", "restype=container&" + token);
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
    "/photos,c",
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
