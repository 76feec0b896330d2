package io.lazuli.server.job.file;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.service.StoredEntity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes entities as CSV: the keys, Timestamp, then two columns for each property. */
public final class CsvLines {
  private static final int FIRST = 3;

  private final boolean isGuarded;
  private final Map<String, Integer> places = new HashMap<>();
  private final String[] fields;
  private final byte[] header;

  /**
   * @param columns the names of all properties
   * @param isGuarded whether texts are kept from being formulas
   */
  public CsvLines(Collection<String> columns, boolean isGuarded) {
    this.isGuarded = isGuarded;
    this.fields = new String[FIRST + 2 * columns.size()];
    fields[0] = "PartitionKey";
    fields[1] = "RowKey";
    fields[2] = "Timestamp";
    int place = FIRST;
    for (String name : new TreeSet<>(columns)) {
      places.put(name, place);
      fields[place++] = name;
      fields[place++] = name + CsvText.TYPE;
    }
    StringBuilder out = new StringBuilder();
    write(out);
    this.header = out.toString().getBytes(StandardCharsets.UTF_8);
  }

  public byte[] header() {
    return header.clone();
  }

  /** Returns the lines of entities; null if one has a property that has no column. */
  public byte @Nullable [] of(List<StoredEntity> entities) {
    StringBuilder out = new StringBuilder(64 << 10);
    for (StoredEntity entity : entities) {
      if (!fill(entity)) {
        return null;
      }
      write(out);
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private boolean fill(StoredEntity entity) {
    Arrays.fill(fields, "");
    fields[0] = guarded(EntityLines.text(entity.partition()));
    fields[1] = guarded(EntityLines.text(entity.row()));
    fields[2] = DateTimeText.format(EntityCodec.ticks(entity.record()));
    for (Property property : EntityCodec.properties(entity.record())) {
      Integer place = places.get(property.name());
      if (place == null) {
        return false;
      }
      String text = ValueText.of(property.value());
      EdmType type = property.value().type();
      boolean isJson = type == EdmType.STRING && CsvText.hasUnpairedSurrogate(text);
      fields[place] = isJson ? CsvText.quoted(text) : type == EdmType.STRING ? guarded(text) : text;
      fields[place + 1] = type.edmName() + (isJson ? CsvText.JSON : "");
    }
    return true;
  }

  private String guarded(String text) {
    return isGuarded ? CsvText.guarded(text) : text;
  }

  private void write(StringBuilder out) {
    for (int i = 0; i < fields.length; i++) {
      if (i > 0) {
        out.append(',');
      }
      CsvText.field(fields[i], out);
    }
    out.append("\r\n");
  }
}
