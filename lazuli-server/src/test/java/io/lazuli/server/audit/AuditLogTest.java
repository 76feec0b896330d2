package io.lazuli.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.account.AccountKey;
import io.lazuli.server.account.AccountSet;
import io.lazuli.server.requestlog.TestRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir private Path folder;
  private Path file;
  private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

  @BeforeEach
  void name() {
    file = folder.resolve("own").resolve("audit.jsonl");
  }

  private AuditLog open(Path path) throws IOException {
    Files.createDirectories(folder.resolve("own"));
    return AuditLog.open(AuditConfig.NONE.withFile(path), millis::get);
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(file);
  }

  private static TestRequest refused(String target) {
    TestRequest request = new TestRequest();
    request.operation = "";
    request.method = "DELETE";
    request.target = target;
    request.status = 403;
    request.errorCode = "AuthenticationFailed";
    return request;
  }

  private static void add(AuditLog log, TestRequest request) {
    log.of("table").requestEnded(request.event(), request);
  }

  @Test
  void hostileNamesStayInsideTheirLine() throws IOException {
    try (AuditLog log = open(file)) {
      add(log, refused("/acme/x\n{\"time\":\"forged\"}\r\u2028\u202e\ud800\"\\?sig=secret&x=y"));
      add(log, refused("/acme/" + "long".repeat(10_000)));
      add(log, refused("/acme/a%3Fsig%3Dhidden%26b"));
    }
    List<String> lines = lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .contains(
            "\"path\":\"/acme/x\\n{\\\"time\\\":\\\"forged\\\"}\\r\\u2028\\u202E\\uD800\\\"\\\\\"")
        .endsWith("}")
        .doesNotContain("secret");
    assertThat(lines.get(1).length()).isLessThan(2_000);
    assertThat(lines.get(2)).doesNotContain("hidden");
    assertThat(String.join("", lines)).matches("[\\x20-\\x7e]*");
  }

  @Test
  void strangersGetSomeLinesAndTheOthersAreCounted() throws IOException {
    try (AuditLog log = open(file)) {
      for (int i = 0; i < 1_000; i++) {
        add(log, refused("/acme/" + i));
      }
      assertThat(log.omittedLines()).isEqualTo(900);
      millis.addAndGet(1_000);
      for (int i = 0; i < 20; i++) {
        add(log, refused("/acme/later" + i));
      }
      assertThat(log.omittedLines()).isEqualTo(910);
      log.change("RoleAdded", "acme", "by somebody known");
    }
    assertThat(lines()).anyMatch(line -> line.contains("by somebody known"));
    assertThat(lines()).anyMatch(line -> line.contains("LinesOmitted"));
    assertThat(lines().stream().filter(line -> line.contains("unverified"))).hasSize(110);
  }

  @Test
  void linesWaitUntilTheFileCanBeWrittenAgain() throws IOException {
    try (AuditLog log = open(file)) {
      log.change("RoleAdded", "acme", "first");
      await().until(() -> log.writtenLines() == 1);
      Files.delete(file);
      Files.delete(file.getParent());
      log.change("RoleAdded", "acme", "into a file that is gone");
      await().until(() -> log.writtenLines() == 2);
      // The next write after the sync finds that the folder is gone.
      await()
          .until(
              () -> {
                log.change("RoleAdded", "acme", "kept");
                return log.trouble().contains("audit");
              });
      long before = log.writtenLines();
      Files.createDirectories(file.getParent());
      await().until(() -> log.writtenLines() > before && log.trouble().isEmpty());
      assertThat(log.lostLines()).isZero();
    }
    assertThat(lines()).isNotEmpty().allMatch(line -> line.contains("kept"));
  }

  @Test
  void aFullDiskLosesLinesOnlyBeyondTheMemoryAndCountsThem() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    AuditLog log = open(full);
    String what = "x".repeat(1_000);
    int added = 0;
    while (log.lostLines() < 10) {
      log.change("RoleAdded", "acme", what);
      added++;
    }
    assertThat(added).isGreaterThan(1_000);
    assertThat(log.trouble()).contains("has lost 10 lines");
    await().until(() -> log.trouble().contains("fails"));
    assertThat(log.writtenLines()).isZero();
    log.close();
  }

  @Test
  void aLossHasALineWithItsNumber() throws IOException {
    List<String> what = new ArrayList<>();
    try (AuditLog log = open(file)) {
      // The thread lingers before it writes, so the memory fills up first.
      while (log.lostLines() == 0) {
        log.change("RoleAdded", "acme", "y".repeat(1_000));
        what.add("one");
      }
    }
    String lost =
        lines().stream().filter(line -> line.contains("LinesLost")).findFirst().orElseThrow();
    assertThat(lost).contains(" lines");
    assertThat(lines().size() - 1).isLessThan(what.size());
  }

  @Test
  void changesOfAccountsAreNamedWithoutKeys() throws IOException {
    SecureRandom random = new SecureRandom();
    AccountKey fresh = AccountKey.random(random);
    AccountSet one =
        AccountSet.EMPTY.add("contoso", AccountKey.random(random), AccountKey.random(random));
    AccountSet rotated = one.rotate("contoso", 2, fresh);
    AccountSet configured = rotated.configure("contoso", old -> old.withNoSharedKey(true));
    try (AuditLog log = open(file)) {
      AuditedFiles.accounts(log, AccountSet.EMPTY, one);
      AuditedFiles.accounts(log, one, rotated);
      AuditedFiles.accounts(log, rotated, configured);
      AuditedFiles.accounts(log, configured, configured.disable("contoso"));
      AuditedFiles.accounts(log, one, one.remove("contoso"));
      AuditedFiles.accounts(log, one, one);
    }
    assertThat(lines())
        .hasSize(5)
        .allMatch(line -> line.contains("\"account\":\"contoso\""))
        .noneMatch(line -> line.contains(fresh.base64()));
    assertThat(lines().get(0)).contains("AccountAdded", "enabled");
    assertThat(lines().get(1)).contains("AccountKeyChanged", "key 2");
    assertThat(lines().get(2)).contains("AccountChanged", "shared key refused");
    assertThat(lines().get(3)).contains("AccountChanged", "disabled");
    assertThat(lines().get(4)).contains("AccountChanged", "removed");
  }
}
