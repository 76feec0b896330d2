package io.lazuli.server;

import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.service.Protections;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The protections that owners switch on with the properties of their blob services. */
final class AccountProtections implements Protections {
  private final ServicePropertiesStore properties;

  AccountProtections(ServicePropertiesStore properties) {
    this.properties = properties;
  }

  @Override
  public CompletionStage<BlobProtection> of(String account, Deadline deadline) {
    ServiceHome home = ServiceHome.ofContainers(account);
    ServiceProperties cached = properties.cached(home);
    return cached != null
        ? CompletableFuture.completedFuture(protection(cached))
        : properties.read(home, deadline).thenApply(AccountProtections::protection);
  }

  private static BlobProtection protection(ServiceProperties properties) {
    ServiceProperties.DeleteRetention retention = properties.deleteRetention();
    return retention.isOn()
        ? new BlobProtection(false, retention.days(), retention.allowsPermanentDelete())
        : BlobProtection.NONE;
  }
}
