package io.lazuli.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The names of spaces for people. */
class CatalogNamesTest {
  private final InMemoryEngine engine = new InMemoryEngine(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void tablesQueuesAndContainersOfAllAccountsHaveNames() {
    long orders = created(ServiceHome.ofTables("acme"), "Orders");
    long jobs = created(ServiceHome.ofQueues("acme"), "jobs");
    long photos = created(ServiceHome.ofContainers("zoo"), "photos");
    assertThat(new CatalogNames(catalog).of(Set.of(orders, jobs, photos)))
        .isEqualTo(Map.of(orders, "acme/Orders", jobs, "acme/jobs", photos, "zoo/photos"));
  }

  @Test
  void aSpaceWhoseNameIsGoneHasNone() {
    long orders = created(ServiceHome.ofTables("acme"), "Orders");
    created(ServiceHome.ofTables("acme"), "Others");
    assertThat(catalog.delete(ServiceHome.ofTables("acme"), "orders", Deadline.NEVER).join())
        .isTrue();
    long chunk = Space.number(SpaceKind.CHUNKS, 3);
    assertThat(new CatalogNames(catalog).of(Set.of(orders, chunk))).isEmpty();
  }

  @Test
  void aNameThatWasReadIsRememberedAndOneThatWasNotFoundIsNotLookedForAgain() {
    CatalogNames names = new CatalogNames(catalog);
    long orders = created(ServiceHome.ofTables("acme"), "Orders");
    long next = orders + (Space.number(SpaceKind.TABLE, 2) - Space.number(SpaceKind.TABLE, 0));
    assertThat(names.of(Set.of(orders, next))).hasSize(1);
    engine.close();
    assertThat(names.of(Set.of(orders, next))).isEqualTo(Map.of(orders, "acme/Orders"));
  }

  @Test
  void aSearchEndsAfterManyNames() {
    long first = created(ServiceHome.ofTables("acme"), "Aaa");
    created(ServiceHome.ofTables("acme"), "Bbb");
    long last = created(ServiceHome.ofTables("acme"), "Ccc");
    assertThat(new CatalogNames(catalog, 2).of(Set.of(first, last)).keySet())
        .containsExactly(first);
  }

  /** A line of the log must not fail because the store does. */
  @Test
  void aStoreThatDoesNotAnswerGivesNoNames() {
    long orders = created(ServiceHome.ofTables("acme"), "Orders");
    engine.close();
    assertThat(new CatalogNames(catalog).of(Set.of(orders))).isEmpty();
  }

  private long created(ServiceHome home, String name) {
    String key = name.toLowerCase(java.util.Locale.ROOT);
    assertThat(catalog.create(home, key, name, Deadline.NEVER).join()).isTrue();
    return Objects.requireNonNull(catalog.find(home, key, Deadline.NEVER).join()).space().number();
  }
}
