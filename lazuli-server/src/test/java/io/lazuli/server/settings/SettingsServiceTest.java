package io.lazuli.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.settings.SettingsOperation.ChangeProperties;
import io.lazuli.server.settings.SettingsOperation.ReadPolicies;
import io.lazuli.server.settings.SettingsOperation.ReadProperties;
import io.lazuli.server.settings.SettingsOperation.ReadStats;
import io.lazuli.server.settings.SettingsOperation.ReplacePolicies;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks which callers may read and change the settings of a service. */
class SettingsServiceTest {
  private static final String RESOURCE = "people";
  private static final Caller OWNER = new Caller("acct", false);
  private static final Caller HOLDER =
      new Caller("acct", false, new Access.OfResource(RESOURCE, "raudp", KeyLimits.NONE));

  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final ServicePropertiesStore properties = new ServicePropertiesStore(catalog);
  private final SettingsService service =
      new SettingsService(
          ServiceHome::ofQueues,
          new AccessPolicies(catalog),
          properties,
          CommonErrors.RESOURCE_NOT_FOUND,
          () -> Ticks.toInstant(engine.now()),
          SettingsService.Preparation.NONE);

  @BeforeEach
  void create() {
    assertThat(catalog.create(ServiceHome.ofQueues("acct"), RESOURCE, RESOURCE, deadline()).join())
        .isTrue();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void propertiesNeedAnAccountSignatureForTheService() {
    SettingsOperation change =
        new ChangeProperties(new ServiceProperties.Change(null, null, null, List.of(), null));
    for (SettingsOperation operation : List.of(new ReadProperties(), new ReadStats(), change)) {
      boolean reads = operation != change;
      refused(CommonErrors.AUTHORIZATION_FAILURE, HOLDER, operation);
      refused(CommonErrors.AUTHORIZATION_RESOURCE_TYPE_MISMATCH, account("rw", "co"), operation);
      refused(
          CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH,
          account(reads ? "wdlacup" : "rdlacup", "s"),
          operation);
      run(account(reads ? "r" : "w", "s"), operation);
    }
  }

  @Test
  void theOwnerReadsTheStoredPropertiesAndNotTheCachedOnes() {
    ServiceHome home = ServiceHome.ofQueues("acct");
    ServiceProperties old = properties.read(home, deadline()).toCompletableFuture().join();
    ServiceProperties.Change change =
        new ServiceProperties.Change(null, null, null, null, "2020-02-10");
    ServiceProperties changed =
        new ServicePropertiesStore(catalog).change(home, change, deadline()).join();
    assertThat(changed).isNotEqualTo(old);
    assertThat(run(OWNER, new ReadProperties())).isEqualTo(new SettingsOutcome.Properties(changed));
  }

  @Test
  void policiesRequireAKeyOfTheAccount() {
    for (SettingsOperation operation :
        List.of(new ReadPolicies(RESOURCE), new ReplacePolicies(RESOURCE, List.of()))) {
      refused(CommonErrors.AUTHORIZATION_FAILURE, account("rwdlacup", "sco"), operation);
      refused(CommonErrors.AUTHORIZATION_FAILURE, HOLDER, operation);
      run(OWNER, operation);
    }
  }

  @Test
  void aMissingResourceHasNoPolicies() {
    for (SettingsOperation operation :
        List.of(new ReadPolicies("missing"), new ReplacePolicies("missing", List.of()))) {
      refused(CommonErrors.RESOURCE_NOT_FOUND, OWNER, operation);
    }
  }

  private static Caller account(String letters, String types) {
    return new Caller("acct", false, new Access.OfAccount(letters, types));
  }

  private void refused(ServiceError expected, Caller caller, SettingsOperation operation) {
    assertThat(catchThrowableOfType(ServiceException.class, () -> run(caller, operation)).error())
        .isEqualTo(expected);
  }

  private SettingsOutcome run(Caller caller, SettingsOperation operation) {
    return Futures.await(service.execute(operation, caller, deadline()));
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }
}
