package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.indexlist.AsyncKeyListIndex;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import io.lazuli.client.pattern.outbox.Index;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Lists of keys in blobs and in another table. */
final class ListElsewhereWorkload extends PrimaryWorkload {
  private static final List<String> NAMES = List.of("Jones", "Smith", "Kim");

  ListElsewhereWorkload(World world) {
    super(world);
  }

  @Override
  AsyncPrimaryTable<Employee> employees(TestClient client) {
    return bare(client).indexedBy(inTable(client)).indexedBy(inBlobs(client));
  }

  @Override
  Employee drawn(Random random) {
    return new Employee("Sales", "" + random.nextInt(3), NAMES.get(random.nextInt(3)), 0);
  }

  private static Optional<EntityKey> list(Employee employee) {
    return Optional.of(new EntityKey("lists", employee.email()));
  }

  private Index<Employee, AsyncKeyListIndex<Employee>> inTable(TestClient client) {
    return AsyncKeyListIndex.inTable(
        "table", client.table(world.secondTable()), ListElsewhereWorkload::list);
  }

  private Index<Employee, AsyncKeyListIndex<Employee>> inBlobs(TestClient client) {
    return AsyncKeyListIndex.inBlobs(
        "blobs", client.container(world.container()), ListElsewhereWorkload::list);
  }

  @Override
  void check(TestClient live, List<Employee> employees) {
    for (String name : NAMES) {
      List<EntityKey> expected =
          employees.stream().filter(each -> each.email().equals(name)).map(Employee::key).toList();
      EntityKey list = new EntityKey("lists", name);
      assertThat(employees(live).by(inTable(live)).blocking().keys(list))
          .as("the list of %s in the table", name)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(employees(live).by(inBlobs(live)).blocking().keys(list))
          .as("the list of %s in a blob", name)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
