package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import java.util.ArrayList;
import java.util.List;

/** Fills and reads tables for tests. */
public final class TestTable {
  private TestTable() {}

  /** Reads a table page by page, without the code that exports use. */
  public static List<Entity> entities(Tables table) {
    List<Entity> all = new ArrayList<>();
    Tables.Token token = null;
    do {
      List<Entity> page = new ArrayList<>();
      token =
          table.query(
              "",
              "",
              0,
              token,
              new Tables.Page() {
                @Override
                public void begin() {
                  page.clear();
                }

                @Override
                public void add(Entity entity) {
                  page.add(entity);
                }
              });
      all.addAll(page);
    } while (token != null);
    return all;
  }

  public static void insert(Tables table, List<Entity> entities) {
    table.create();
    Batch batch = new Batch();
    for (Entity entity : entities) {
      if (!batch.accepts(entity)) {
        table.write(batch.take(), Tables.WriteMode.REPLACE);
      }
      batch.add(entity);
    }
    if (!batch.isEmpty()) {
      table.write(batch.take(), Tables.WriteMode.REPLACE);
    }
  }

  /** Returns entities in several partitions, most of them in one. */
  public static List<Entity> many(int count) {
    List<Entity> entities = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String partition = i < count * 3 / 4 ? "large" : "small-" + i / 500;
      entities.add(
          new Entity(
              new Key(partition, String.format("row-%07d", i)),
              "",
              List.of(
                  new Property("Number", EdmType.INT32, Integer.toString(i)),
                  new Property("Name", EdmType.STRING, "name of " + i))));
    }
    return entities;
  }
}
