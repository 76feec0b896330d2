package io.lazuli.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@NotRehearsed("tests the injection of faults, with counted requests")
class FaultsTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final Faults<String> inATable = Faults.in(ACCOUNT, TestClient::newTable);

  @Test
  void twoWritesThatMustAgreeAreDetected() {
    assertThatThrownBy(
            () ->
                inATable.forEveryCut(
                    FaultsTest::twoInserts, (table, client) -> {}, FaultsTest::bothOrNone))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("cut AFTER request 1 of 2, PATCH")
        .hasMessageContaining("cut BEFORE request 2 of 2, PATCH")
        .hasMessageNotContaining("cut BEFORE request 1")
        .hasMessageNotContaining("cut AFTER request 2");
  }

  @Test
  void twoWritesThatAreRepairedPass() {
    int requests =
        inATable.forEveryCut(
            FaultsTest::twoInserts,
            (table, client) -> List.of("a", "b").forEach(row -> upsert(table, client, row)),
            FaultsTest::bothOrNone);
    assertThat(requests).isEqualTo(2);
  }

  @Test
  void oneTransactionPasses() {
    int requests =
        inATable.forEveryCut(
            FaultsTest::oneTransaction, (table, client) -> {}, FaultsTest::bothOrNone);
    assertThat(requests).isEqualTo(1);
  }

  @Test
  void everyCutHasItsOwnWorld() {
    AtomicInteger worlds = new AtomicInteger();
    Faults.in(
            ACCOUNT,
            client -> {
              worlds.incrementAndGet();
              return client.newTable();
            })
        .forEveryCut(FaultsTest::twoInserts, (table, client) -> {}, (table, client) -> {});
    assertThat(worlds).hasValue(1 + 2 * 2);
  }

  @Test
  void clientsOfAllServicesAreCountedAndDieTogether() {
    TestClient live = TestClient.of(ACCOUNT);
    String table = live.newTable();
    String queue = live.newQueue();
    String container = live.newContainer();
    TestClient client = TestClient.of(ACCOUNT, Cut.after(2));
    client.queue(queue).sendMessage("sent").block();
    assertThatThrownBy(() -> upload(container, client)).matches(ClientDied::caused);
    assertThatThrownBy(() -> upsert(table, client, "a")).matches(ClientDied::caused);
    assertThat(client.requests())
        .satisfiesExactly(
            request -> assertThat(request).startsWith("POST ").contains(queue),
            request -> assertThat(request).startsWith("PUT ").contains(container),
            request -> assertThat(request).contains(table));
    assertThat(live.table(table).listEntities().collectList().block()).isEmpty();
    assertThat(live.container(container).getBlobAsyncClient("b").exists().block()).isTrue();
  }

  @Test
  void aRequestThatFailsIsNotSentAgain() {
    TestClient client = TestClient.of(ACCOUNT);
    assertThat(
            client.count(
                () ->
                    assertThatThrownBy(() -> upsert("missing", client, "a"))
                        .hasMessageContaining("TableNotFound")))
        .isEqualTo(1);
  }

  @Test
  void aFailureOtherThanTheCutIsReported() {
    assertThatThrownBy(
            () ->
                inATable.forEveryCut(
                    FaultsTest::twoInsertsThatHideTheCut,
                    (table, client) -> {},
                    (table, client) -> {}))
        .hasMessageContaining("cut BEFORE request 1 of 2")
        .hasMessageContaining("of its own");
  }

  @Test
  void cutsWaitInParallelWhenAWorkerDies() {
    Faults.in(ACCOUNT, FaultsTest::queueOfOneMessage)
        .forEveryCut(
            FaultsTest::processOne,
            (queue, client) ->
                Awaitility.await()
                    .until(
                        () -> {
                          processOne(queue, client);
                          return isEmpty(queue, client);
                        }),
            (queue, client) -> assertThat(isEmpty(queue, client)).isTrue());
  }

  private static boolean isEmpty(String queue, TestClient client) {
    return client
        .queue(queue)
        .getProperties()
        .map(properties -> properties.getApproximateMessagesCountLong() == 0)
        .blockOptional()
        .orElseThrow();
  }

  private static String queueOfOneMessage(TestClient client) {
    String queue = client.newQueue();
    client.queue(queue).sendMessage("work").block();
    return queue;
  }

  private static void processOne(String queue, TestClient client) {
    client
        .queue(queue)
        .receiveMessages(1, Duration.ofSeconds(1))
        .flatMap(
            message ->
                client.queue(queue).deleteMessage(message.getMessageId(), message.getPopReceipt()))
        .blockLast();
  }

  private static void twoInserts(String table, TestClient client) {
    upsert(table, client, "a");
    upsert(table, client, "b");
  }

  private static void twoInsertsThatHideTheCut(String table, TestClient client) {
    try {
      twoInserts(table, client);
    } catch (ClientDied death) {
      throw new IllegalStateException("of its own");
    }
  }

  private static void oneTransaction(String table, TestClient client) {
    client
        .table(table)
        .submitTransaction(
            List.of(
                new TableTransactionAction(
                    TableTransactionActionType.CREATE, new TableEntity("p", "a")),
                new TableTransactionAction(
                    TableTransactionActionType.CREATE, new TableEntity("p", "b"))))
        .block();
  }

  private static void upsert(String table, TestClient client, String row) {
    client.table(table).upsertEntity(new TableEntity("p", row)).block();
  }

  private static void upload(String container, TestClient client) {
    client
        .container(container)
        .getBlobAsyncClient("b")
        .getBlockBlobAsyncClient()
        .upload(BinaryData.fromString("text"))
        .block();
  }

  private static void bothOrNone(String table, TestClient client) {
    assertThat(client.table(table).listEntities().collectList().block()).size().isIn(0, 2);
  }
}
