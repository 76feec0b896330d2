package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The marks of an entity: those of its last changes, the newest first, one for each {@link
 * WriteSlot}. The last one is the start of the list: it stands for the ETag of the entity when it
 * was first marked. An entity without marks has only the start that its first change will write.
 * Immutable.
 */
record Marks(List<String> all) {
  /** The number of marks that an entity keeps. */
  static final int MAX = 16;

  private static final String START = "=";
  private static final int START_LENGTH = 13;
  private static final String SEPARATOR = " ";

  static Marks of(Optional<TableEntity> entity) {
    return entity.map(Marks::of).orElseGet(() -> new Marks(List.of(START)));
  }

  private static Marks of(TableEntity entity) {
    return entity.getProperty(WriteMark.PROPERTY) instanceof String text && !text.isEmpty()
        ? new Marks(List.of(text.split(SEPARATOR)))
        : new Marks(List.of(start(entity.getETag())));
  }

  private static String start(String eTag) {
    byte[] bytes = eTag.getBytes(StandardCharsets.UTF_8);
    return START + UUID.nameUUIDFromBytes(bytes).toString().substring(0, START_LENGTH);
  }

  /**
   * Returns these marks after a change with another one. The oldest is dropped if they are many.
   */
  Marks with(String mark) {
    String slot = mark.substring(0, WriteSlot.NAME_LENGTH);
    List<String> next = new ArrayList<>(List.of(mark));
    all.stream().filter(old -> !old.startsWith(slot)).limit(MAX - 1L).forEach(next::add);
    return new Marks(List.copyOf(next));
  }

  boolean contain(String mark) {
    return all.contains(mark);
  }

  /** Returns whether one of the earlier marks is left, so that no mark was lost since. */
  boolean continueFrom(Marks earlier) {
    return all.stream().anyMatch(earlier.all::contains);
  }

  String text() {
    return String.join(SEPARATOR, all);
  }
}
