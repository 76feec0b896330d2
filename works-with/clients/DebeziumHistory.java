import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import io.debezium.config.Configuration;
import io.debezium.relational.history.SchemaHistory;
import io.debezium.relational.history.SchemaHistoryListener;
import io.debezium.storage.AbstractSchemaHistoryTest;
import io.debezium.storage.azure.blob.history.AzureBlobSchemaHistory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Debezium's test of a schema history, and what its connectors do when they start again. */
class DebeziumHistory {
  private static SchemaHistory history(String container, String blob) {
    SchemaHistory history = new AzureBlobSchemaHistory();
    history.configure(
        Configuration.create()
            .with(AzureBlobSchemaHistory.ACCOUNT_CONNECTION_STRING, System.getenv("connection"))
            .with(AzureBlobSchemaHistory.CONTAINER_NAME, container)
            .with(AzureBlobSchemaHistory.BLOB_NAME, blob)
            .build(),
        null,
        SchemaHistoryListener.NOOP,
        true);
    history.start();
    return history;
  }

  private static BlobContainerClient container(String name) {
    return new BlobServiceClientBuilder()
        .connectionString(System.getenv("connection"))
        .buildClient()
        .getBlobContainerClient(name);
  }

  @Nested
  @Tag("before")
  class ItsOwnTest extends AbstractSchemaHistoryTest {
    @Override
    protected SchemaHistory createHistory() {
      container("own").deleteIfExists();
      return history("own", "history.log");
    }
  }

  @Nested
  @Tag("before")
  class FirstStart extends AbstractSchemaHistoryTest {
    @Override
    protected SchemaHistory createHistory() {
      container("kept").deleteIfExists();
      return history("kept", "a folder/history ä.log");
    }

    @Override
    public void shouldRecordChangesAndRecoverToVariousPoints() {}

    @Test
    void changesAreRecorded() {
      assertTrue(history.storageExists());
      for (int i = 0; i < 50; i++) {
        record(100 + i, 0, "CREATE TABLE t" + i + " ( name VARCHAR(22) NOT NULL );", all);
      }
      assertTrue(history.exists());
    }
  }

  @Nested
  @Tag("after")
  class SecondStart extends AbstractSchemaHistoryTest {
    @Override
    protected SchemaHistory createHistory() {
      return history("kept", "a folder/history ä.log");
    }

    @Override
    public void shouldRecordChangesAndRecoverToVariousPoints() {}

    @Test
    void theHistoryIsReadAgain() throws Exception {
      assertTrue(history.exists());
      assertEquals(50, recover(149, 1).size());
      assertEquals(21, recover(120, 0).size());
    }
  }
}
