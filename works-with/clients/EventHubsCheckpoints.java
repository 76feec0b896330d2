import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.messaging.eventhubs.checkpointstore.blob.BlobCheckpointStore;
import com.azure.messaging.eventhubs.models.Checkpoint;
import com.azure.messaging.eventhubs.models.PartitionOwnership;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an event processor does with its checkpoint store. */
class EventHubsCheckpoints {
  private static BlobCheckpointStore store;

  @BeforeAll
  static void makeContainer() {
    BlobContainerAsyncClient container =
        new BlobContainerClientBuilder()
            .connectionString(System.getenv("connection"))
            .containerName("checkpoints")
            .buildAsyncClient();
    container.createIfNotExists().block();
    store = new BlobCheckpointStore(container);
  }

  private static PartitionOwnership ownership(String hub, String partition, String owner) {
    return new PartitionOwnership()
        .setFullyQualifiedNamespace("ns.servicebus.windows.net")
        .setEventHubName(hub)
        .setConsumerGroup("$Default")
        .setPartitionId(partition)
        .setOwnerId(owner);
  }

  private static List<PartitionOwnership> claim(PartitionOwnership... wanted) {
    return store.claimOwnership(List.of(wanted)).collectList().block();
  }

  private static List<PartitionOwnership> owned(String hub) {
    return store
        .listOwnership("ns.servicebus.windows.net", hub, "$Default")
        .collectList()
        .block();
  }

  @Test
  void partitionsAreClaimedAndListed() {
    assertEquals(2, claim(ownership("a", "0", "me"), ownership("a", "1", "me")).size());
    assertEquals(2, owned("a").size());
  }

  @Test
  void onlyOneOfTwoClaimsSucceeds() {
    PartitionOwnership mine = claim(ownership("b", "0", "me")).get(0);
    assertTrue(claim(ownership("b", "0", "other")).isEmpty());
    String tag = mine.getETag();
    assertEquals(1, claim(ownership("b", "0", "other").setETag(tag)).size());
    assertTrue(claim(ownership("b", "0", "me").setETag(tag)).isEmpty());
    assertEquals("other", owned("b").get(0).getOwnerId());
  }

  @Test
  void checkpointsAreWrittenAndListed() {
    for (long offset = 0; offset < 20; offset++) {
      store
          .updateCheckpoint(
              new Checkpoint()
                  .setFullyQualifiedNamespace("ns.servicebus.windows.net")
                  .setEventHubName("c")
                  .setConsumerGroup("$Default")
                  .setPartitionId("0")
                  .setOffset(offset)
                  .setSequenceNumber(offset))
          .block();
    }
    List<Checkpoint> all =
        store
            .listCheckpoints("ns.servicebus.windows.net", "c", "$Default")
            .collectList()
            .block();
    assertEquals(1, all.size());
    assertEquals(19L, all.get(0).getSequenceNumber());
  }
}
