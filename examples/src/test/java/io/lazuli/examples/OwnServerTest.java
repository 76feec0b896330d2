package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.server.junit.LazuliExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With the extension in an instance field, every test starts with an empty server. */
class OwnServerTest {
  private static final List<LazuliExtension> USED = new ArrayList<>();

  @RegisterExtension final LazuliExtension lazuli = new LazuliExtension().inMemory();

  @Test
  void aTableIsCreated() {
    assertThat(createStaff().listEntities()).isEmpty();
  }

  @Test
  void theSameTableIsCreated() {
    assertThat(createStaff().listEntities()).isEmpty();
  }

  @Nested
  class Inside {
    @Test
    void itIsCreatedOnceMore() {
      assertThat(createStaff().listEntities()).isEmpty();
    }
  }

  @AfterAll
  static void allServersHaveStopped() {
    assertThat(USED)
        .hasSize(3)
        .allSatisfy(
            used -> assertThatThrownBy(used::server).isInstanceOf(IllegalStateException.class));
  }

  /** Fails if the table exists. */
  private TableClient createStaff() {
    USED.add(lazuli);
    return new TableServiceClientBuilder()
        .connectionString(lazuli.connectionString())
        .buildClient()
        .createTable("Staff");
  }
}
