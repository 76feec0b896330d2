package io.lazuli.client.halt;

import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import java.util.Random;

/**
 * Indexes that are declared for a table in use. Its employees were inserted without them. The
 * processes build the indexes while they change employees, and a build that was halted is repeated.
 */
final class IndexBuildWorkload extends PartitionIndexWorkload {
  private static final int EMPLOYEES = 6;

  IndexBuildWorkload(World world) {
    super(world);
  }

  @Override
  public void prepare(TestClient live) {
    Random random = new Random(EMPLOYEES);
    for (int i = 0; i < EMPLOYEES; i++) {
      bare(live).insert(employee("" + i, random)).block();
    }
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Actor changing = super.actor(client, journal);
    return random -> {
      if (random.nextInt(4) == 0) {
        build(client);
      } else {
        changing.act(random);
      }
    };
  }

  @Override
  public void settle(TestClient live) {
    build(live);
    super.settle(live);
  }

  private void build(TestClient client) {
    employees(client).refreshAll(Query.all()).blockLast();
  }
}
