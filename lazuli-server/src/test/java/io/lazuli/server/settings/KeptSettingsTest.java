package io.lazuli.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two servers on one store keep policies and properties. Each sees the changes of the other one at
 * once, and reads the store only after a change.
 */
class KeptSettingsTest {
  private static final ServiceHome HOME = ServiceHome.ofTables("acct");
  private static final String TABLE = "people";
  private static final StoredAccessPolicy READ = policy("a", "r");
  private static final StoredAccessPolicy UPDATE = policy("a", "u");

  private final CountingEngine engine =
      new CountingEngine(new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused"))));
  private final Catalog catalog = new Catalog(engine);
  private final AccessPolicies policies = new AccessPolicies(catalog);
  private final ServicePropertiesStore properties = new ServicePropertiesStore(catalog);
  private final Catalog otherCatalog = new Catalog(engine);
  private final AccessPolicies otherPolicies = new AccessPolicies(otherCatalog);
  private final ServicePropertiesStore otherProperties = new ServicePropertiesStore(otherCatalog);

  /** Counts the reads of an engine that claims to be shared. For one thread. */
  private static final class CountingEngine extends ForwardingEngine {
    private boolean shared = true;
    private int reads;

    CountingEngine(StorageEngine engine) {
      super(engine);
    }

    @Override
    public boolean isShared() {
      return shared;
    }

    @Override
    public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
      reads++;
      return super.read(key, deadline);
    }

    int takeReads() {
      int taken = reads;
      reads = 0;
      return taken;
    }
  }

  @BeforeEach
  void create() {
    createTable();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aPolicyIsReadOnceUntilAnotherServerChangesIt() {
    replace(READ);
    assertThat(findOnOther()).isEqualTo(READ);
    assertThat(engine.takeReads()).isEqualTo(1);
    assertThat(findOnOther()).isEqualTo(READ);
    assertThat(engine.takeReads()).isZero();
    replace(UPDATE);
    assertThat(findOnOther()).isEqualTo(UPDATE);
    assertThat(findOnOther()).isEqualTo(UPDATE);
    assertThat(engine.takeReads()).isEqualTo(1);
    replace();
    assertThat(findOnOther()).isNull();
  }

  @Test
  void aPolicyEndsWithItsTable() {
    replace(READ);
    assertThat(findOnOther()).isEqualTo(READ);
    assertThat(catalog.delete(HOME, TABLE, deadline()).join()).isTrue();
    assertThat(findOnOther()).isNull();
    createTable();
    assertThat(findOnOther()).isNull();
  }

  @Test
  void otherChangesOfARowLeaveItsPolicies() {
    replace(READ);
    assertThat(findOnOther()).isEqualTo(READ);
    assertThat(catalog.replaceMetadata(HOME, TABLE, new byte[] {1}, deadline()).join()).isTrue();
    assertThat(catalog.renew(HOME, TABLE, deadline()).join()).isTrue();
    engine.takeReads();
    assertThat(findOnOther()).isEqualTo(READ);
    assertThat(engine.takeReads()).isZero();
  }

  @Test
  void whoeverListsPoliciesReadsTheStore() {
    replace(READ);
    for (int i = 0; i < 3; i++) {
      engine.takeReads();
      assertThat(policies.list(HOME, TABLE, deadline()).join()).containsExactly(READ);
      assertThat(engine.takeReads()).isEqualTo(1);
    }
  }

  @Test
  void propertiesAreReadOnceUntilAnotherServerChangesThem() {
    assertThat(readOnOther()).isEqualTo(ServiceProperties.DEFAULT);
    engine.takeReads();
    assertThat(readOnOther()).isEqualTo(ServiceProperties.DEFAULT);
    assertThat(otherProperties.cached(HOME)).isEqualTo(ServiceProperties.DEFAULT);
    assertThat(engine.takeReads()).isZero();
    for (String version : List.of("2020-02-10", "2019-02-02")) {
      change(version);
      assertThat(otherProperties.cached(HOME)).isNull();
      assertThat(readOnOther().defaultVersion()).isEqualTo(version);
      assertThat(engine.takeReads()).isEqualTo(1);
      assertThat(otherProperties.cached(HOME)).isEqualTo(readOnOther());
      assertThat(engine.takeReads()).isZero();
    }
  }

  @Test
  void propertiesThatWereRemovedAreGoneOnAllServersAndCanBeSetAgain() {
    change("2020-02-10");
    assertThat(readOnOther().defaultVersion()).isEqualTo("2020-02-10");
    while (!catalog.clear(HOME, 10, deadline()).join()) {
      assertThat(catalog.find(HOME, TABLE, deadline()).join()).isNull();
    }
    assertThat(readOnOther()).isEqualTo(ServiceProperties.DEFAULT);
    assertThat(otherProperties.cached(HOME)).isEqualTo(ServiceProperties.DEFAULT);
    change("2019-02-02");
    assertThat(readOnOther().defaultVersion()).isEqualTo("2019-02-02");
  }

  @Test
  void propertiesFromBeforeStampsAreKeptAndReplaced() {
    engine.shared = false;
    change("2020-02-10");
    engine.shared = true;
    assertThat(readOnOther().defaultVersion()).isEqualTo("2020-02-10");
    assertThat(otherProperties.cached(HOME)).isNotNull();
    change("2019-02-02");
    assertThat(readOnOther().defaultVersion()).isEqualTo("2019-02-02");
  }

  @Test
  void anEngineOfOneServerStoresNoStamps() {
    engine.shared = false;
    replace(READ);
    assertThat(catalog.read(HOME, TABLE, deadline()).join().stamp()).isZero();
    assertThat(findOnOther()).isEqualTo(READ);
    replace(UPDATE);
    assertThat(findOnOther()).isEqualTo(UPDATE);
  }

  private void createTable() {
    assertThat(catalog.create(HOME, TABLE, TABLE, deadline()).join()).isTrue();
  }

  private void replace(StoredAccessPolicy... list) {
    assertThat(policies.replace(HOME, TABLE, List.of(list), deadline()).join()).isTrue();
  }

  private void change(String version) {
    ServiceProperties.Change change = new ServiceProperties.Change(null, null, null, null, version);
    assertThat(properties.change(HOME, change, deadline()).join().defaultVersion())
        .isEqualTo(version);
  }

  private @Nullable StoredAccessPolicy findOnOther() {
    return otherPolicies.find(HOME, TABLE, "a", deadline()).toCompletableFuture().join();
  }

  private ServiceProperties readOnOther() {
    return otherProperties.read(HOME, deadline()).toCompletableFuture().join();
  }

  private static StoredAccessPolicy policy(String id, String permissions) {
    return new StoredAccessPolicy(id, null, null, permissions);
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }
}
