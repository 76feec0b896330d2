package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.service.Protections;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The protections that owners switch on with the properties of their blob services, and
 * administrators with the options of accounts.
 */
final class AccountProtections implements Protections {
  private final AccountRegistry accounts;
  private final ServicePropertiesStore properties;

  AccountProtections(AccountRegistry accounts, ServicePropertiesStore properties) {
    this.accounts = accounts;
    this.properties = properties;
  }

  @Override
  public CompletionStage<BlobProtection> of(String account, Deadline deadline) {
    ServiceHome home = ServiceHome.ofContainers(account);
    ServiceProperties cached = properties.cached(home);
    return cached != null
        ? CompletableFuture.completedFuture(protection(account, cached))
        : properties.read(home, deadline).thenApply(read -> protection(account, read));
  }

  @Override
  public boolean offersImmutability(String name) {
    Account account = accounts.find(name);
    return account != null && account.options().blobImmutability();
  }

  @Override
  public int containerDays(String name) {
    Account account = accounts.find(name);
    return account == null ? 0 : account.options().containerRetentionDays();
  }

  private BlobProtection protection(String name, ServiceProperties settings) {
    Account account = accounts.find(name);
    boolean versions = account != null && account.options().blobVersioning();
    ServiceProperties.DeleteRetention retention = settings.deleteRetention();
    return versions || retention.isOn()
        ? new BlobProtection(versions, retention.days(), retention.allowsPermanentDelete())
        : BlobProtection.NONE;
  }
}
