package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.series.Points;
import io.lazuli.client.pattern.series.Series;
import java.util.List;

/** Points that several processes add to, and points that they set. */
record SeriesWorkload(World world) implements Workload {
  private static final EntityKey DAY = new EntityKey("jonesj", "20260731");

  private Series<Long> hours(TestClient client) {
    return Series.of(client.table(world.table()), Long.class, "Hour", 24);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Series<Long> hours = hours(client);
    return random -> {
      int point = random.nextInt(3);
      if (random.nextInt(3) == 0) {
        journal.attempt("set " + point, () -> hours.set(DAY, 10 + point, 7L));
      } else {
        journal.attempt("add " + point, () -> Series.add(hours, DAY, point, 1));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    Points<Long> points = hours(live).read(DAY);
    for (int point : List.of(0, 1, 2)) {
      String name = String.valueOf(point);
      assertThat(points.at(point).orElse(0L))
          .as("point %d", point)
          .isBetween(history.atLeast("add", name), history.atMost("add", name));
      assertThat(points.at(10 + point).orElse(0L)).isIn(0L, 7L);
      if (history.atLeast("set", name) > 0) {
        assertThat(points.at(10 + point)).contains(7L);
      }
    }
  }
}
