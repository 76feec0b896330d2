package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between two accounts of one server (blob-features 5.3). */
class AccountCopiesWireTest {
  private static final AccountKey KEY = new AccountKey("ZmFicmlrYW0gaGFzIGEga2V5IG9mIGl0cyBvd24=");

  private LazuliServer server;
  private WireServer source;
  private WireServer target;

  @BeforeEach
  void start() {
    List<Account> accounts = List.of(Account.development(), new Account("fabrikam", List.of(KEY)));
    server =
        LazuliServer.start(
            ServerConfig.builder().engine("memory").accounts(accounts).freePorts().build());
    source = WireServer.onBlobs(server);
    target = WireServer.onBlobs(server, "fabrikam", KEY);
    for (WireServer account : List.of(source, target)) {
      assertThat(account.owner("PUT", "/box?restype=container", "").status()).isEqualTo(201);
    }
    String blockBlob = "x-ms-blob-type: BlockBlob";
    assertThat(source.owner("PUT", "/box/a", "hello", blockBlob).status()).isEqualTo(201);
    assertThat(target.owner("PUT", "/box/a", "of the target", blockBlob).status()).isEqualTo(201);
  }

  @AfterEach
  void stop() throws IOException {
    source.close();
    target.close();
    server.close();
  }

  private Answer copy(String query, String... headers) {
    String url = "http://localhost/devstoreaccount1/box/a" + query;
    String[] all = new String[headers.length + 1];
    System.arraycopy(headers, 0, all, 0, headers.length);
    all[headers.length] = "x-ms-copy-source: " + url;
    return target.owner("PUT", "/box/b", "", all);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-ms-requires-sync: false",
        "x-ms-requires-sync: true",
        "x-ms-blob-type: BlockBlob"
      })
  void aSignatureOfTheOtherAccountOpensItsBlobs(String form) {
    String token = "?" + WireServer.blobToken("box/a", "sr", "b", "sp", "r");
    assertThat(copy(token, form).status()).isBetween(201, 202);
    assertThat(target.owner("GET", "/box/b", "").body()).isEqualTo("hello");
  }

  @Test
  void theKeyOfTheCallerIsGoodForItsOwnAccountOnly() {
    Answer refused = copy("");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("CannotVerifyCopySource");
    assertThat(target.owner("HEAD", "/box/b", "").status()).isEqualTo(404);
  }

  @Test
  void aSignatureOfTheOwnAccountDoesNotOpenTheOther() {
    String token = WireServer.blobToken("box/a", "sr", "b", "sp", "r");
    Answer refused =
        source.owner(
            "PUT", "/box/b", "", "x-ms-copy-source: http://localhost/fabrikam/box/a?" + token);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("x-ms-error-code")).isEqualTo("CannotVerifyCopySource");
    assertThat(refused.body())
        .contains("<CopySourceErrorCode>AuthenticationFailed</CopySourceErrorCode>");
  }

  @Test
  void publicBlobsOfTheOtherAccountAreOpen() {
    assertThat(
            source
                .owner(
                    "PUT", "/box?restype=container&comp=acl", "", "x-ms-blob-public-access: blob")
                .status())
        .isEqualTo(200);
    assertThat(copy("").status()).isEqualTo(202);
    assertThat(target.owner("GET", "/box/b", "").body()).isEqualTo("hello");
  }

  @Test
  void aStoredPolicyOfTheOtherAccountDecides() {
    String policy =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers><SignedIdentifier><Id>p</Id>"
            + "<AccessPolicy><Expiry>2034-01-01T00:00:00Z</Expiry><Permission>%s</Permission>"
            + "</AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    String acl = "/box?restype=container&comp=acl";
    String token = "?" + WireServer.blobToken("box", "sr", "c", "si", "p");
    assertThat(source.owner("PUT", acl, policy.formatted("w")).status()).isEqualTo(200);
    assertThat(copy(token).status()).isEqualTo(403);
    assertThat(source.owner("PUT", acl, policy.formatted("r")).status()).isEqualTo(200);
    assertThat(copy(token).status()).isEqualTo(202);
  }
}
