package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.Entity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A sink that hands complete pages to an action. A page is as large as the service makes it: at
 * most 1,000 entities and a few MiB.
 */
final class PageList implements ParallelScan.Sink {
  private final Map<Integer, List<Entity>> pages = new ConcurrentHashMap<>();
  private final Consumer<List<Entity>> action;

  PageList(Consumer<List<Entity>> action) {
    this.action = action;
  }

  @Override
  public void begin(Part part) {
    pages.put(part.id(), new ArrayList<>());
  }

  @Override
  public void add(Part part, Entity entity) {
    pages.getOrDefault(part.id(), new ArrayList<>()).add(entity);
  }

  @Override
  public long commit(Part part) {
    List<Entity> page = pages.remove(part.id());
    action.accept(page == null ? List.of() : page);
    return 0;
  }

  @Override
  public void changed(List<Part> parts, boolean important) {}
}
