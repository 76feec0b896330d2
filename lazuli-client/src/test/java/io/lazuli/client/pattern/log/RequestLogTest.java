package io.lazuli.client.pattern.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableServiceLogging;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.storage.blob.BlobServiceClientBuilder;
import io.lazuli.server.junit.LazuliExtension;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Always runs against Lazuli: Azurite writes no request logs, and Azure takes an hour. */
class RequestLogTest {
  @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().onDisk();

  @Test
  void requestLogsAreReadByTime() {
    LogReader reader =
        AsyncLogReader.ofRequests(
                new BlobServiceClientBuilder()
                    .connectionString(LAZULI.connectionString())
                    .buildAsyncClient(),
                "table")
            .blocking();
    Instant before = Instant.now();
    Instant later = before.plusSeconds(600);
    assertThat(texts(reader, before, later)).as("logging was never on").isEmpty();
    TableServiceAsyncClient tables =
        new TableServiceClientBuilder()
            .connectionString(LAZULI.connectionString())
            .buildAsyncClient();
    tables.setProperties(everythingLogged()).block();
    tables.createTable("logged").block();
    Awaitility.await()
        .until(
            () ->
                texts(reader, before, later).stream()
                    .anyMatch(line -> line.contains(";CreateTable;Success;")));
    assertThat(texts(reader, before.minusSeconds(600), before)).isEmpty();
    assertThat(texts(reader, later, later.plusSeconds(600))).isEmpty();
  }

  private static List<String> texts(LogReader reader, Instant from, Instant to) {
    try (var entries = reader.read(from, to)) {
      return entries.map(LogEntry::text).toList();
    }
  }

  private static TableServiceProperties everythingLogged() {
    return new TableServiceProperties()
        .setLogging(
            new TableServiceLogging()
                .setAnalyticsVersion("1.0")
                .setReadLogged(true)
                .setWriteLogged(true)
                .setDeleteLogged(true)
                .setRetentionPolicy(new TableServiceRetentionPolicy().setEnabled(false)));
  }
}
