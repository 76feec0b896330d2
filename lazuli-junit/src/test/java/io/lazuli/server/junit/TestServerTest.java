package io.lazuli.server.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.config.ServerStartException;
import io.lazuli.storage.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestServerTest {
  @Test
  void itsTemporaryFolderIsDeletedWithIt(@TempDir Path parent) {
    try (TestServer server = TestServer.start(temporary("rocksdb"), parent)) {
      assertThat(SignedRequests.createTable(server.server(), "Employees")).isEqualTo(201);
      assertThat(server.temporary())
          .singleElement()
          .satisfies(folder -> assertThat(folder).hasParent(parent).isNotEmptyDirectory());
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void aServerThatDoesNotStartLeavesNoFolder(@TempDir Path parent) {
    assertThatThrownBy(() -> TestServer.start(temporary("none"), parent))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("none");
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void aServerInMemoryHasNoFolder() {
    try (TestServer server = TestServer.start(Options.DEFAULT)) {
      assertThat(SignedRequests.createTable(server.server(), "Employees")).isEqualTo(201);
      assertThat(server.temporary()).isEmpty();
    }
  }

  private static Options temporary(String engine) {
    return Options.DEFAULT.with(new Storage(engine, null, Durability.RELAXED));
  }
}
