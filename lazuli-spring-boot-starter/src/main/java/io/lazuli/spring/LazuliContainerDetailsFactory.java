package io.lazuli.spring;

import io.lazuli.testcontainers.LazuliContainer;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/** {@code @ServiceConnection} at a {@link LazuliContainer}: tables, queues and blobs at once. */
final class LazuliContainerDetailsFactory
    extends ContainerConnectionDetailsFactory<LazuliContainer, LazuliConnectionDetails> {
  @Override
  protected LazuliConnectionDetails getContainerConnectionDetails(
      ContainerConnectionSource<LazuliContainer> source) {
    return new Details(source);
  }

  private static final class Details extends ContainerConnectionDetails<LazuliContainer>
      implements LazuliConnectionDetails {
    Details(ContainerConnectionSource<LazuliContainer> source) {
      super(source);
    }

    @Override
    public String connectionString() {
      return getContainer().getConnectionString();
    }
  }
}
