package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.outbox.AsyncPrimaryTable;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Two indexes across partitions, one in the same table and one in another. */
class PartitionIndexWorkload extends PrimaryWorkload {
  PartitionIndexWorkload(World world) {
    super(world);
  }

  @Override
  final AsyncPrimaryTable<Employee> employees(TestClient client) {
    return bare(client)
        .indexedBy(
            "email",
            client.table(world.table()),
            employee ->
                Optional.of(new EntityKey("email_" + employee.department(), employee.email())))
        .indexedBy(
            "id",
            client.table(world.secondTable()),
            employee -> Optional.of(new EntityKey("empid", employee.id())));
  }

  @Override
  final Employee drawn(Random random) {
    return employee("" + random.nextInt(3), random);
  }

  /** Gives each employee addresses of its own, so that no two need the same index key. */
  static Employee employee(String id, Random random) {
    return new Employee("Sales", id, id + "-" + random.nextInt(3) + "@x.com", random.nextInt(100));
  }

  @Override
  final void check(TestClient live, List<Employee> employees) {
    assertThat(employees(live).blocking().by("email").partition("email_Sales"))
        .containsExactlyInAnyOrderElementsOf(employees);
    assertThat(employees(live).blocking().by("id").partition("empid"))
        .containsExactlyInAnyOrderElementsOf(employees);
  }
}
