package io.lazuli.server.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class WatchedAccountsTest {
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final List<AccountSet> seen = new CopyOnWriteArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(FileWatch.class);

  @TempDir private Path folder;
  private AccountFile file;

  @BeforeEach
  void collectLog() {
    file = new AccountFile(folder.resolve("accounts"));
    log.list = new CopyOnWriteArrayList<>();
    log.start();
    logger.addAppender(log);
    logger.setAdditive(false);
  }

  @AfterEach
  void close() {
    logger.detachAppender(log);
    logger.setAdditive(true);
    engine.close();
  }

  @Test
  void theFirstContentIsAvailableAtOnceAndChangesFollow() throws Exception {
    file.edit(set -> set.add("contoso", key(), key()));
    try (FileWatch<AccountSet> watch = start()) {
      assertThat(seen).hasSize(1);
      assertThat(last().find("contoso")).isNotNull();
      file.edit(set -> set.disable("contoso"));
      await().until(() -> !last().require("contoso").isEnabled());
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aFileThatIsMadeLaterIsSeen() throws Exception {
    try (FileWatch<AccountSet> watch = start()) {
      assertThat(last()).isEqualTo(AccountSet.EMPTY);
      file.edit(set -> set.add("contoso", key(), key()));
      await().until(() -> last().find("contoso") != null);
      assertThat(log.list).isEmpty();
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aBrokenFileIsReportedOnceAndTheLastGoodOneStaysInForce() throws Exception {
    file.edit(set -> set.add("contoso", key(), key()));
    String good = Files.readString(file.path());
    try (FileWatch<AccountSet> watch = start()) {
      Files.writeString(file.path(), "nonsense");
      await().until(() -> log.list.size() == 1);
      assertThat(log.list.get(0).getFormattedMessage())
          .contains("line 1")
          .endsWith("; the previous accounts stay in force");
      Files.delete(file.path());
      await().until(() -> log.list.size() == 2);
      assertThat(log.list.get(1).getFormattedMessage()).contains("no longer exists");
      // This is long enough for many checks, none of which logs the problem again.
      await().during(Duration.ofMillis(300)).until(() -> log.list.size() == 2 && seen.size() == 1);
      Files.writeString(file.path(), good.replace("enabled", "disabled"));
      Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-------"));
      await().until(() -> !last().require("contoso").isEnabled());
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void aBrokenFileAtTheBeginningIsRefused() throws Exception {
    Files.writeString(file.path(), "nonsense");
    assertThatThrownBy(this::start).isInstanceOf(WatchException.class);
  }

  @Test
  void aFileThatDisappearsDuringACheckIsNotAnEmptyOne() throws Exception {
    file.edit(set -> set.add("contoso", key(), key()));
    Path aside = folder.resolve("aside");
    try (FileWatch<AccountSet> watch = start(Duration.ZERO)) {
      for (int i = 0; i < 500; i++) {
        Files.move(file.path(), aside);
        Files.move(aside, file.path());
      }
      assertThat(watch).isNotNull();
    }
    assertThat(seen).allMatch(set -> set.find("contoso") != null);
  }

  private FileWatch<AccountSet> start() throws WatchException {
    return start(Duration.ofMillis(10));
  }

  private FileWatch<AccountSet> start(Duration period) throws WatchException {
    AccountDrops drops =
        new AccountDrops(
            file,
            new Catalog(engine),
            AccountDropsTest.NOTHING_PROTECTED,
            Duration.ZERO,
            System::nanoTime);
    FileWatch<AccountSet> watch =
        new FileWatch<>(WatchedAccounts.of(file, true), "the previous accounts stay in force");
    seen.add(watch.content());
    watch.start("accounts", seen::add, drops::step, period);
    return watch;
  }

  private AccountSet last() {
    return seen.get(seen.size() - 1);
  }

  private static AccountKey key() {
    return AccountKey.random(new SecureRandom());
  }
}
