package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A server with rate targets, like Azure: thanks to the SDK's own retries, everything succeeds. */
class ThrottlingTest {
  @Test
  void aBurstPastTheAccountsTargetSucceedsByRetries() {
    try (LazuliServer server = start(config().accountRate(5))) {
      TableClient table = client(server).createTable("Burst");
      IntStream.range(0, 20)
          .parallel()
          .forEach(i -> table.createEntity(new TableEntity("p" + i, "r")));
      assertThat(server.counters().throttled()).isPositive();
      assertThat(table.listEntities().stream().count()).isEqualTo(20);
    }
  }

  @Test
  void transactionsPastThePartitionsTargetSucceedByRetries() {
    try (LazuliServer server = start(config().partitionRate(10))) {
      TableClient table = client(server).createTable("Batches");
      IntStream.range(0, 4).forEach(i -> table.submitTransaction(ten(i)));
      assertThat(server.counters().throttled()).isPositive();
      IntStream.range(0, 20).forEach(i -> table.createEntity(new TableEntity("other" + i, "r")));
      assertThat(table.listEntities().stream().count()).isEqualTo(60);
    }
  }

  private static List<TableTransactionAction> ten(int batch) {
    return IntStream.range(0, 10)
        .mapToObj(i -> new TableEntity("p", batch + "-" + i))
        .map(entity -> new TableTransactionAction(TableTransactionActionType.CREATE, entity))
        .toList();
  }

  private static ServerConfig.Builder config() {
    return ServerConfig.builder().engine("memory").freePorts();
  }

  private static LazuliServer start(ServerConfig.Builder config) {
    return LazuliServer.start(config.build());
  }

  private static TableServiceClient client(LazuliServer server) {
    return new TableServiceClientBuilder()
        .connectionString(server.connectionString())
        .buildClient();
  }
}
