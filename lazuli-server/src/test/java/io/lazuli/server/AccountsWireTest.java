package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks on the wire that a running server follows its accounts file. */
class AccountsWireTest {
  private static final String ANY_ORIGIN =
      "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins>"
          + "<AllowedMethods>GET</AllowedMethods><AllowedHeaders/><ExposedHeaders/>"
          + "<MaxAgeInSeconds>5</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";

  @TempDir private Path folder;
  private AccountFile file;

  @BeforeEach
  void twoAccounts() {
    file = AccountFile.inside(folder);
    file.edit(set -> set.add("contoso", key(), key()).add("fabrikam", key(), key()));
  }

  @Test
  void accountsWithTheSameTableSeeEachTheirOwn() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      AccountClient fabrikam = client(server, "fabrikam");
      for (AccountClient client : new AccountClient[] {contoso, fabrikam}) {
        assertThat(client.createTable("Staff").status()).isEqualTo(201);
        assertThat(client.insert("Staff", "1", client.name()).status()).isEqualTo(201);
      }
      assertThat(contoso.createTable("Own").status()).isEqualTo(201);
      assertThat(contoso.get("/Staff()").body()).contains("contoso").doesNotContain("fabrikam");
      assertThat(fabrikam.get("/Staff()").body()).contains("fabrikam").doesNotContain("contoso");
      assertThat(fabrikam.get("/Tables").body()).doesNotContain("Own");
      assertThat(fabrikam.ask("DELETE", "/Tables('Staff')", "").status()).isEqualTo(204);
      assertThat(contoso.get("/Staff()").status()).isEqualTo(200);
    }
  }

  @Test
  void aKeyOpensItsOwnAccountOnly() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      AccountKey other = file.read().require("fabrikam").keys().get(0);
      AccountClient stranger = new AccountClient(server.tablePort(), "contoso", other);
      contoso.createTable("Staff");
      assertRefused(stranger.get("/Staff()"), "AuthenticationFailed");
      assertRefused(
          stranger.holder("GET", "/Staff()", stranger.tableToken("Staff")), "AuthenticationFailed");
      // The token of one account is used at the other, which has a table of the same name.
      AccountClient fabrikam = client(server, "fabrikam");
      fabrikam.createTable("Staff");
      assertRefused(
          contoso.holder("GET", "/Staff()", fabrikam.tableToken("Staff")), "AuthenticationFailed");
    }
  }

  @Test
  void nobodyLearnsWithoutCredentialsWhetherATableExists() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      contoso.createTable("Staff");
      Answer there = contoso.anybody("GET", "/Staff()");
      Answer notThere = contoso.anybody("GET", "/Nothing()");
      assertRefused(there, "AuthenticationFailed");
      assertRefused(notThere, "AuthenticationFailed");
      assertThat(there.headers().keySet()).isEqualTo(notThere.headers().keySet());
      assertThat(there.body().length()).isEqualTo(notThere.body().length());
      assertRefused(contoso.anybody("POST", "/Tables"), "AuthenticationFailed");
      assertRefused(contoso.anybody("DELETE", "/Tables('Staff')"), "AuthenticationFailed");
    }
  }

  @Test
  void anAccountThatIsAddedIsServedWithoutARestart() {
    try (LazuliServer server = start()) {
      AccountClient before = new AccountClient(server.tablePort(), "northwind", key());
      assertThat(before.get("/Tables").status()).isEqualTo(404);
      file.edit(set -> set.add("northwind", key(), key()));
      AccountClient northwind = client(server, "northwind");
      await().until(() -> northwind.get("/Tables").status() == 200);
      assertThat(server.accountNames()).contains("northwind");
    }
  }

  @Test
  void accountsWithoutAFileReplaceTheDevelopmentAccountUntilTheFileHasThem() {
    AccountKey given = key();
    Account account = new Account("My_account", List.of(given));
    Account rotated = new Account("northwind", List.of(given));
    ServerConfig config = config("memory").accounts(List.of(account, rotated)).build();
    try (LazuliServer server = LazuliServer.start(config)) {
      assertThat(server.accountNames())
          .containsExactly("My_account", "northwind", "contoso", "fabrikam");
      AccountClient client = new AccountClient(server.tablePort(), "My_account", given);
      assertThat(client.createTable("Staff").status()).isEqualTo(201);
      assertThat(client.get("/Staff()").status()).isEqualTo(200);
      AccountClient old = new AccountClient(server.tablePort(), "northwind", given);
      assertThat(old.get("/Tables").status()).isEqualTo(200);
      file.edit(set -> set.add("northwind", key(), key()));
      await().until(() -> client(server, "northwind").get("/Tables").status() == 200);
      assertRefused(old.get("/Tables"), "AuthenticationFailed");
    }
  }

  @Test
  void bothKeysAreValid() {
    try (LazuliServer server = start()) {
      for (int number : new int[] {0, 1}) {
        AccountClient holder =
            new AccountClient(server.tablePort(), "contoso", keys("contoso", number));
        assertThat(holder.get("/Tables").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void signaturesOfARotatedKeyAreRefusedAndTheOtherKeyStaysValid() {
    try (LazuliServer server = start()) {
      AccountClient first = client(server, "contoso");
      AccountClient second = new AccountClient(server.tablePort(), "contoso", keys("contoso", 1));
      first.createTable("Staff");
      String token = first.tableToken("Staff");
      String tokenOfSecond = second.tableToken("Staff");
      assertThat(first.holder("GET", "/Staff()", token).status()).isEqualTo(200);
      file.edit(set -> set.rotate("contoso", 1, key()));
      await().until(() -> first.get("/Tables").status() == 403);
      assertRefused(first.get("/Tables"), "AuthenticationFailed");
      assertRefused(first.holder("GET", "/Staff()", token), "AuthenticationFailed");
      assertThat(second.get("/Staff()").status()).isEqualTo(200);
      assertThat(second.holder("GET", "/Staff()", tokenOfSecond).status()).isEqualTo(200);
      assertThat(client(server, "contoso").get("/Staff()").status()).isEqualTo(200);
    }
  }

  @Test
  void aDisabledAccountSaysSoToItsOwnersAndCanBeEnabled() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      contoso.createTable("Staff");
      file.edit(set -> set.disable("contoso"));
      await().until(() -> contoso.get("/Tables").status() == 403);
      assertRefused(contoso.get("/Staff()"), "AccountIsDisabled");
      assertRefused(
          contoso.holder("GET", "/Staff()", contoso.tableToken("Staff")), "AccountIsDisabled");
      assertRefused(contoso.anybody("GET", "/Staff()"), "AuthenticationFailed");
      AccountClient stranger = new AccountClient(server.tablePort(), "contoso", key());
      assertRefused(stranger.get("/Staff()"), "AuthenticationFailed");
      assertThat(client(server, "fabrikam").get("/Tables").status()).isEqualTo(200);
      file.edit(set -> set.enable("contoso"));
      await().until(() -> contoso.get("/Staff()").status() == 200);
    }
  }

  @Test
  void pagesLearnThatAnAccountIsDisabledAndNothingOfARemovedOne() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      assertThat(contoso.ask("PUT", "/?restype=service&comp=properties", ANY_ORIGIN).status())
          .isEqualTo(202);
      assertThat(contoso.preflight("/Tables").status()).isEqualTo(200);
      file.edit(set -> set.disable("contoso"));
      await().until(() -> contoso.get("/Tables").status() == 403);
      assertThat(contoso.preflight("/Tables").status()).isEqualTo(200);
      assertThat(contoso.get("/Tables").header("Access-Control-Allow-Origin")).isEqualTo("*");
      file.edit(set -> set.remove("contoso"));
      await().until(() -> contoso.preflight("/Tables").status() == 403);
      assertRefused(contoso.preflight("/Tables"), "CorsPreflightFailure");
      assertThat(contoso.get("/Tables").header("Access-Control-Allow-Origin")).isNull();
    }
  }

  @Test
  void aRemovedAccountIsRefusedAndItsDataIsBackWhenItIsAddedAgain() {
    try (LazuliServer server = start()) {
      AccountClient before = client(server, "contoso");
      before.createTable("Staff");
      file.edit(set -> set.remove("contoso"));
      await().until(() -> before.get("/Tables").status() == 403);
      assertRefused(before.get("/Staff()"), "AuthenticationFailed");
      assertRefused(
          before.holder("GET", "/Staff()", before.tableToken("Staff")), "AuthenticationFailed");
      file.edit(set -> set.add("contoso", key(), key()));
      AccountClient after = client(server, "contoso");
      await().until(() -> after.get("/Staff()").status() == 200);
      assertRefused(before.get("/Staff()"), "AuthenticationFailed");
    }
  }

  @Test
  void dataIsDroppedWhileTheServerRuns() {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      AccountClient fabrikam = client(server, "fabrikam");
      contoso.createTable("Staff");
      fabrikam.createTable("Staff");
      file.edit(set -> set.removeWithData("contoso"));
      await().until(() -> contoso.get("/Tables").status() == 403);
      // The mark is removed by hand, so that the data can be checked before the settle time is
      // over.
      await()
          .until(
              () -> {
                addInsteadOfMark("contoso");
                AccountClient again = client(server, "contoso");
                await().until(() -> again.get("/Tables").status() == 200);
                boolean dropped = !again.get("/Tables").body().contains("Staff");
                file.edit(set -> set.removeWithData("contoso"));
                return dropped;
              });
      assertThat(fabrikam.get("/Staff()").status()).isEqualTo(200);
    }
  }

  @Test
  void dataIsDroppedAtTheNextStart() throws IOException {
    try (LazuliServer server = start("rocksdb")) {
      AccountClient contoso = client(server, "contoso");
      contoso.createTable("Staff");
      contoso.insert("Staff", "1", "old");
    }
    file.edit(set -> set.removeWithData("contoso"));
    try (LazuliServer server = start("rocksdb")) {
      AccountClient contoso = new AccountClient(server.tablePort(), "contoso", key());
      assertRefused(contoso.get("/Staff()"), "AuthenticationFailed");
    }
    addInsteadOfMark("contoso");
    try (LazuliServer server = start("rocksdb")) {
      assertThat(client(server, "contoso").get("/Staff()").status()).isEqualTo(404);
    }
  }

  @Test
  void anAccountWithoutSharedKeyRefusesItsKeysAndSignatures() {
    file.edit(set -> set.configure("contoso", options -> options.withNoSharedKey(true)));
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      String refusal = "KeyBasedAuthenticationNotPermitted";
      assertRefused(contoso.get("/Tables"), refusal);
      assertRefused(contoso.holder("GET", "/Staff()", contoso.tableToken("Staff")), refusal);
      assertThat(client(server, "fabrikam").get("/Tables").status()).isEqualTo(200);
      file.edit(set -> set.configure("contoso", options -> options.withNoSharedKey(false)));
      await().until(() -> contoso.get("/Tables").status() == 200);
    }
  }

  @Test
  void aBrokenFileLeavesTheAccountsAsTheyWere() throws IOException {
    try (LazuliServer server = start()) {
      AccountClient contoso = client(server, "contoso");
      String good = Files.readString(file.path());
      Files.writeString(file.path(), "nonsense");
      file = AccountFile.inside(folder);
      assertThatThrownBy(() -> start().close())
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining(file.path() + " is refused; line 1");
      assertThat(contoso.get("/Tables").status()).isEqualTo(200);
      Files.delete(file.path());
      assertThat(contoso.get("/Tables").status()).isEqualTo(200);
      Files.writeString(file.path(), good.replaceAll("account contoso.*\n", ""));
      Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r--r--"));
      assertThat(contoso.get("/Tables").status()).isEqualTo(200);
      Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-------"));
      await().until(() -> contoso.get("/Tables").status() == 404);
      assertThat(server.accountNames()).containsExactly("devstoreaccount1", "fabrikam");
    }
  }

  @Test
  void beyondLoopbackTheDevelopmentAccountIsLeftOut() {
    ServerConfig.Builder wide = config("memory").host("0.0.0.0");
    try (LazuliServer server = LazuliServer.start(wide.build())) {
      AccountClient development =
          new AccountClient(
              server.tablePort(), "devstoreaccount1", Account.development().keys().get(0));
      assertThat(server.accountNames()).containsExactly("contoso", "fabrikam");
      assertThat(server.tableEndpoint()).endsWith("/contoso");
      assertThat(development.get("/Tables").status()).isEqualTo(404);
      assertThat(client(server, "contoso").get("/Tables").status()).isEqualTo(200);
    }
    file.edit(set -> set.disable("contoso").remove("fabrikam"));
    assertThatThrownBy(() -> LazuliServer.start(wide.build()))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("lazuli account add NAME")
        .hasMessageContaining("--allow-development-account");
    try (LazuliServer server = LazuliServer.start(wide.allowDevelopmentAccount(true).build())) {
      assertThat(server.accountNames()).containsExactly("devstoreaccount1");
    }
  }

  @Test
  void aNamedFileThatIsMissingIsRefused() {
    ServerConfig config = config("memory").accountsFile(folder.resolve("typo")).build();
    assertThatThrownBy(() -> LazuliServer.start(config))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("typo");
  }

  private void addInsteadOfMark(String name) throws IOException {
    String text = Files.readString(file.path());
    String line = "account " + name + " enabled " + key().base64() + " " + key().base64();
    Files.writeString(file.path(), text.replace("account " + name + " dropping", line));
  }

  private AccountClient client(LazuliServer server, String account) {
    return new AccountClient(server.tablePort(), account, keys(account, 0));
  }

  private AccountKey keys(String account, int number) {
    return file.read().require(account).keys().get(number);
  }

  private LazuliServer start() {
    return start("memory");
  }

  private LazuliServer start(String engine) {
    return LazuliServer.start(config(engine).build());
  }

  private ServerConfig.Builder config(String engine) {
    return ServerConfig.builder()
        .engine(engine)
        .dataFolder(folder)
        .durability(Durability.RELAXED)
        .accountsFile(file.path())
        .freePorts();
  }

  private static void assertRefused(Answer answer, String code) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
  }

  private static AccountKey key() {
    return AccountKey.random(new SecureRandom());
  }
}
