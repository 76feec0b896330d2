package io.lazuli.client.pattern.large;

import static io.lazuli.client.pattern.large.LargeTableTest.JONES;
import static io.lazuli.client.pattern.large.LargeTableTest.jones;
import static io.lazuli.client.pattern.large.LargeTableTest.photo;
import static io.lazuli.client.pattern.large.LargeTableTest.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.fault.LostResponse;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AsyncTable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writes of large values whose answer is lost, and which the SDK repeats. */
@NotRehearsed("loses chosen responses itself")
class RepeatedWriteTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final LargeTableTest.World world = LargeTableTest.World.fresh(client);
  private final LargeTable<LargeTableTest.Employee> employees = world.employees(client);

  /** Returns a table that loses the response to one request to the table service. */
  private LargeTable<LargeTableTest.Employee> losing(int request) {
    return AsyncLargeTable.of(
            AsyncTable.of(
                new LostResponse(request).tables(ACCOUNT).getTableClient(world.table()),
                LargeTableTest.Employee.class),
            client.container(world.container()))
        .blocking();
  }

  @Test
  void aWriteThatTheSdkRepeatsRecognisesItself() {
    losing(1).insert(jones("Jones", 1));
    assertThat(employees.find(JONES).orElseThrow().name()).isEqualTo("Jones");
    AtomicInteger calls = new AtomicInteger();
    losing(2).update(JONES, old -> old.withPhoto(photo(10 + calls.incrementAndGet())));
    assertThat(calls).hasValue(1);
    losing(2).put(jones("Smith", 3));
    assertThat(employees.find(JONES).orElseThrow().photo().orElseThrow()).isEqualTo(photo(3));
    assertThat(world.blobs(client)).hasSize(1).isEqualTo(world.named(client));
  }

  @Test
  void aRepeatedPutOfASmallValueRemovesTheReplacedBlob() {
    employees.insert(jones("Jones", 1));
    losing(2).put(small("Jones"));
    assertThat(employees.find(JONES).orElseThrow().photo().orElseThrow()).hasSize(1);
    assertThat(world.blobs(client)).isEmpty();
  }

  @Test
  void aRepeatedDeletionRemovesTheBlob() {
    employees.insert(jones("Jones", 1));
    assertThat(losing(2).delete(JONES)).as("the repetition finds nothing").isFalse();
    assertThat(employees.find(JONES)).isEmpty();
    assertThat(world.blobs(client)).isEmpty();
  }
}
