package io.lazuli.server.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.watch.WatchException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountDropsTest {
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final AtomicLong nanos = new AtomicLong();

  /** Data of which nothing is protected. */
  static final ProtectedData NOTHING_PROTECTED =
      new ProtectedData() {
        @Override
        public CompletableFuture<Boolean> mayExist(String account, Deadline deadline) {
          return CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletableFuture<Boolean> exists(String account, Deadline deadline) {
          return CompletableFuture.completedFuture(false);
        }
      };

  @TempDir private Path folder;
  private AccountFile file;
  private AccountDrops drops;

  @BeforeEach
  void twoAccounts() {
    file = new AccountFile(folder.resolve("accounts"));
    file.edit(set -> set.add("contoso", key(), key()).add("contoso2", key(), key()));
    drops = new AccountDrops(file, catalog, NOTHING_PROTECTED, Duration.ofSeconds(35), nanos::get);
    for (String account : List.of("contoso", "contoso2")) {
      for (ServiceHome home : ServiceHome.all(account)) {
        create(home, "first");
        catalog.changeProperties(home, old -> new byte[] {1}, deadline()).join();
      }
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void nothingIsDroppedWithoutAMark() throws Exception {
    drops.step(file.edit(set -> set.remove("contoso")));
    assertThat(names("contoso")).hasSize(3);
  }

  @Test
  void namesAndPropertiesOfAllServicesGoAndOtherAccountsKeepTheirs() throws Exception {
    drops.step(file.edit(set -> set.removeWithData("contoso")));
    assertThat(names("contoso")).isEmpty();
    assertThat(names("contoso2")).hasSize(3);
    for (ServiceHome home : ServiceHome.all("contoso")) {
      assertThat(catalog.properties(home, deadline()).join().document()).isNull();
    }
    for (ServiceHome home : ServiceHome.all("contoso2")) {
      assertThat(catalog.properties(home, deadline()).join().document()).isNotNull();
    }
  }

  @Test
  void theMarkStaysWhileRequestsMayStillRunAndTheyAreDroppedToo() throws Exception {
    file.edit(set -> set.removeWithData("contoso"));
    drops.step(file.read());
    assertThat(file.read().find("contoso")).isNotNull();
    create(ServiceHome.ofTables("contoso"), "late");
    nanos.set(TimeUnit.SECONDS.toNanos(34));
    drops.step(file.read());
    assertThat(names("contoso")).isEmpty();
    assertThat(file.read().find("contoso")).isNotNull();
    nanos.set(TimeUnit.SECONDS.toNanos(35));
    drops.step(file.read());
    assertThat(file.read().accounts()).extracting(Account::name).containsExactly("contoso2");
  }

  /**
   * A step is bounded, so it ends in the same state as after a crash: some of the names are gone.
   */
  @Test
  void aDropThatWasCutOffGoesOnWithAnotherProcess() throws Exception {
    List<CompletableFuture<Boolean>> created = new ArrayList<>();
    for (int i = 0; i < 4_500; i++) {
      created.add(
          catalog.create(ServiceHome.ofTables("contoso"), "table" + i, "table" + i, deadline()));
    }
    created.forEach(CompletableFuture::join);
    drops.step(file.edit(set -> set.removeWithData("contoso")));
    assertThat(names("contoso")).isNotEmpty().hasSizeLessThan(4_500);
    AccountDrops afterRestart =
        new AccountDrops(file, catalog, NOTHING_PROTECTED, Duration.ZERO, nanos::get);
    afterRestart.step(file.read());
    assertThat(names("contoso")).isEmpty();
    assertThat(file.read().find("contoso")).isNull();
  }

  @Test
  void anAccountWithProtectedDataStaysUntilNothingIsProtected() throws Exception {
    boolean[] held = {true};
    ProtectedData data =
        new ProtectedData() {
          @Override
          public CompletableFuture<Boolean> mayExist(String account, Deadline deadline) {
            return CompletableFuture.completedFuture(account.equals("contoso"));
          }

          @Override
          public CompletableFuture<Boolean> exists(String account, Deadline deadline) {
            return CompletableFuture.completedFuture(held[0]);
          }
        };
    AccountDrops careful =
        new AccountDrops(file, catalog, data, Duration.ofSeconds(35), nanos::get);
    file.edit(set -> set.removeWithData("contoso").removeWithData("contoso2"));
    // Requests that began before may still protect something, so nothing is dropped yet.
    held[0] = false;
    careful.step(file.read());
    assertThat(names("contoso")).hasSize(3);
    assertThat(names("contoso2")).isEmpty();
    held[0] = true;
    nanos.set(TimeUnit.SECONDS.toNanos(35));
    assertThatThrownBy(() -> careful.step(file.read()))
        .isInstanceOf(WatchException.class)
        .hasMessageContaining("legal hold: contoso");
    assertThat(names("contoso")).hasSize(3);
    held[0] = false;
    // The next search comes a minute later.
    assertThatThrownBy(() -> careful.step(file.read())).isInstanceOf(WatchException.class);
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    careful.step(file.read());
    assertThat(names("contoso")).isEmpty();
    assertThat(file.read().accounts()).isEmpty();
  }

  private void create(ServiceHome home, String name) {
    assertThat(catalog.create(home, name, name, deadline()).join()).isTrue();
  }

  private List<String> names(String account) {
    List<String> names = new ArrayList<>();
    for (ServiceHome home : ServiceHome.all(account)) {
      catalog.list(home, "", deadline(), entry -> names.add(entry.name())).join();
    }
    return names;
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  private static AccountKey key() {
    return AccountKey.random(new SecureRandom());
  }
}
