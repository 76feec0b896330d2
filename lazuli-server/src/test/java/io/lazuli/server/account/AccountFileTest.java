package io.lazuli.server.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.watch.RefusedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountFileTest {
  private static final String KEY = "a2V5IG9uZSBvZiB0aGUgYWNjb3VudA==";
  private static final String OTHER_KEY = "a2V5IHR3byBvZiB0aGUgYWNjb3VudA==";

  @TempDir private Path folder;
  private Path path;
  private AccountFile file;

  @BeforeEach
  void name() {
    path = folder.resolve("accounts");
    file = new AccountFile(path);
  }

  @Test
  void withoutAFileThereIsNoAccount() {
    assertThat(file.read()).isEqualTo(AccountSet.EMPTY);
    assertThat(path).doesNotExist();
  }

  @Test
  void editsAreReadBack() throws IOException {
    file.edit(set -> set.add("contoso", new AccountKey(KEY), new AccountKey(OTHER_KEY)));
    file.edit(set -> set.add("fabrikam", key(), key()).disable("fabrikam"));
    file.edit(set -> set.add("northwind", key(), key()).remove("northwind"));
    file.edit(set -> set.add("adventure", key(), key()).removeWithData("adventure"));
    assertThat(Files.readString(path))
        .startsWith("lazuli accounts 1\naccount contoso enabled " + KEY + " " + OTHER_KEY + "\n")
        .contains("\naccount fabrikam disabled ")
        .endsWith("\naccount northwind removed\naccount adventure dropping\n");
    AccountSet read = file.read();
    assertThat(read.accounts())
        .extracting(Account::name)
        .containsExactly("contoso", "fabrikam", "northwind", "adventure");
    assertThat(read.accounts()).extracting(Account::state).containsExactly(Account.State.values());
    assertThat(read.require("contoso").keys())
        .extracting(AccountKey::base64)
        .containsExactly(KEY, OTHER_KEY);
  }

  @Test
  void optionsAreReadBackAndKept() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()).add("fabrikam", key(), key()));
    file.edit(set -> set.configure("contoso", options -> options.withBlobVersioning(true)));
    assertThat(Files.readString(path))
        .startsWith("lazuli accounts 2\naccount contoso enabled ")
        .contains("\noption contoso blob-versioning on\naccount fabrikam enabled ");
    assertThat(file.read().require("contoso").options().blobVersioning()).isTrue();
    assertThat(file.read().require("fabrikam").options()).isEqualTo(AccountOptions.NONE);
    file.edit(set -> set.rotate("contoso", 1, key()).disable("contoso"));
    assertThat(file.read().require("contoso").options().blobVersioning()).isTrue();
    file.edit(set -> set.configure("contoso", options -> options.withBlobVersioning(false)));
    assertThat(Files.readString(path)).startsWith("lazuli accounts 1\n").doesNotContain("option");
  }

  @Test
  void immutabilityIsAnOptionOfItsOwn() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    AccountOptions both = new AccountOptions(true, true, 0, false);
    file.edit(set -> set.configure("contoso", options -> both));
    assertThat(Files.readString(path))
        .endsWith("\noption contoso blob-versioning on\noption contoso blob-immutability on\n");
    assertThat(file.read().require("contoso").options()).isEqualTo(both);
  }

  @Test
  void daysOfRetentionAreReadBackAndKept() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    file.edit(
        set ->
            set.configure(
                "contoso",
                options -> options.withBlobVersioning(true).withContainerRetentionDays(365)));
    assertThat(Files.readString(path))
        .contains(
            "option contoso blob-versioning on\noption contoso container-retention-days 365\n");
    AccountOptions read = file.read().require("contoso").options();
    assertThat(read).isEqualTo(new AccountOptions(true, false, 365, false));
    file.edit(set -> set.configure("contoso", options -> options.withContainerRetentionDays(0)));
    assertThat(file.read().require("contoso").options())
        .isEqualTo(new AccountOptions(true, false, 0, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "option contoso blob-immutability on",
        "option other blob-versioning on",
        "option contoso unknown on",
        "option contoso blob-versioning maybe",
        "option contoso blob-versioning",
        "option contoso container-retention-days 366",
        "option contoso container-retention-days -1",
        "option contoso container-retention-days on"
      })
  void anOptionThatIsNotKnownIsRefused(String line) throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    String text = Files.readString(path).replace("accounts 1", "accounts 2");
    Files.writeString(path, text + line + "\n");
    assertThatThrownBy(file::read)
        .isInstanceOf(RefusedFileException.class)
        .hasMessageContaining("line 3");
  }

  @Test
  void onlyTheOwnerHasAccessToTheFile() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    assertThat(rights(path)).isEqualTo("rw-------");
    assertThat(rights(folder.resolve("accounts.lock"))).isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-rw-rw-"})
  void aFileThatIsOpenToOthersIsRefused(String rights) throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    assertThatThrownBy(file::read)
        .isInstanceOf(RefusedFileException.class)
        .hasMessageContaining("chmod 600 " + path);
    assertThatThrownBy(() -> file.edit(set -> set.remove("contoso")))
        .isInstanceOf(RefusedFileException.class);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--------"));
    assertThat(file.read().find("contoso")).isNotNull();
  }

  @Test
  void editorsDoNotLoseEachOthersEdits() {
    int editors = 8;
    CyclicBarrier together = new CyclicBarrier(editors);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < editors; i++) {
      String name = "account" + i;
      all.add(
          CompletableFuture.runAsync(
              () -> {
                await(together);
                // Each thread uses its own object, like separate processes.
                new AccountFile(path).edit(set -> set.add(name, key(), key()));
                new AccountFile(path).edit(set -> set.rotate(name, 1, key()));
              },
              task -> new Thread(task).start()));
    }
    all.forEach(CompletableFuture::join);
    assertThat(file.read().accounts()).hasSize(editors);
  }

  @Test
  void readersAlwaysSeeACompleteFile() {
    file.edit(set -> set.add("contoso", key(), key()));
    CompletableFuture<Void> edits =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 50; i++) {
                file.edit(set -> set.rotate("contoso", 2, key()));
              }
            });
    do {
      assertThat(file.read().require("contoso").keys()).hasSize(2);
    } while (!edits.isDone());
    edits.join();
  }

  @Test
  void filesThatACrashLeftDoNotMatter() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    Files.writeString(folder.resolve("accounts.new"), "lazuli accounts 1\naccount con");
    assertThat(file.read().find("contoso")).isNotNull();
    file.edit(set -> set.disable("contoso"));
    assertThat(file.read().require("contoso").isEnabled()).isFalse();
    assertThat(folder.resolve("accounts.new")).doesNotExist();
  }

  @Test
  void anEditThatIsRefusedChangesNothing() throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    String before = Files.readString(path);
    assertThatThrownBy(() -> file.edit(set -> set.disable("nobody")))
        .isInstanceOf(RefusedFileException.class);
    assertThat(Files.readString(path)).isEqualTo(before);
  }

  @Test
  void aLockThatIsALinkIsNotFollowed() throws IOException {
    Path victim = folder.resolve("victim");
    Files.createSymbolicLink(folder.resolve("accounts.lock"), victim);
    assertThatThrownBy(() -> file.edit(set -> set.add("contoso", key(), key())))
        .isInstanceOf(RefusedFileException.class);
    assertThat(victim).doesNotExist();
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path real = folder.resolve("real");
    new AccountFile(real).edit(set -> set.add("contoso", key(), key()));
    Files.createSymbolicLink(path, real);
    file.edit(set -> set.disable("contoso"));
    assertThat(path).isSymbolicLink();
    assertThat(new AccountFile(real).read().require("contoso").isEnabled()).isFalse();
  }

  @Test
  void emptyLinesAndRemarksAreSkipped() {
    AccountSet set =
        AccountFileText.parse(
            "lazuli accounts 1\r\n\n# ours\n  account  contoso enabled " + KEY + "\t" + KEY);
    assertThat(set.accounts()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "accounts 1",
        "lazuli accounts 3",
        "lazuli accounts 1\naccount contoso",
        "lazuli accounts 1\nuser contoso enabled " + KEY + " " + KEY,
        "lazuli accounts 1\naccount contoso open " + KEY + " " + KEY,
        "lazuli accounts 1\naccount contoso enabled " + KEY,
        "lazuli accounts 1\naccount contoso enabled " + KEY + " " + KEY + " " + KEY,
        "lazuli accounts 1\naccount contoso enabled " + KEY + " -" + OTHER_KEY,
        "lazuli accounts 1\naccount contoso removed " + KEY + " " + KEY,
        "lazuli accounts 1\naccount contoso removed\naccount contoso removed",
        "lazuli accounts 1\naccount Contoso enabled " + KEY + " " + KEY,
        "lazuli accounts 1\naccount devstoreaccount1 enabled " + KEY + " " + KEY,
      })
  void aBrokenFileIsRefusedByItsLineAndWithoutItsKeys(String text) throws IOException {
    file.edit(set -> set.add("contoso", key(), key()));
    Files.writeString(path, text);
    assertThatThrownBy(file::read)
        .isInstanceOf(RefusedFileException.class)
        .hasMessageContaining(path + " is refused; line ")
        .hasMessageNotContainingAny(KEY, OTHER_KEY);
    assertThatThrownBy(() -> file.edit(set -> set.add("another", key(), key())))
        .isInstanceOf(RefusedFileException.class);
    assertThat(Files.readString(path)).isEqualTo(text);
  }

  @Test
  void everyEditChangesTheStamp() {
    Object before = file.stamp();
    for (int i = 0; i < 20; i++) {
      String name = "account" + (10 + i);
      file.edit(set -> set.add(name, key(), key()));
      Object after = file.stamp();
      assertThat(after).isNotEqualTo(before);
      before = after;
    }
  }

  private static String rights(Path of) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
  }

  private static AccountKey key() {
    return AccountKey.random(new SecureRandom());
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
