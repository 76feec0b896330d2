package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Property;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;

/**
 * Writes CSV as Storage Explorer does: the columns {@code PartitionKey,RowKey,Timestamp}, then two
 * columns {@code Name,Name@type} for each property. An absent property has no type, and an empty
 * string has one.
 */
public final class CsvOutput implements EntityOutput {
  static final String TYPE = "@type";

  private final BufferedWriter out;
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final String[] fields;

  public CsvOutput(Path file, SortedSet<Column> columns) throws IOException {
    for (Column column : columns) {
      places.putIfAbsent(column.name(), places.size());
    }
    this.fields = new String[3 + 2 * places.size()];
    this.out = Files.newBufferedWriter(file);
    fields[0] = "PartitionKey";
    fields[1] = "RowKey";
    fields[2] = "Timestamp";
    places.forEach(
        (name, place) -> {
          fields[3 + 2 * place] = name;
          fields[4 + 2 * place] = name + TYPE;
        });
    writeRecord();
  }

  @Override
  public void write(Entity entity) throws IOException {
    Arrays.fill(fields, "");
    fields[0] = entity.key().partition();
    fields[1] = entity.key().row();
    fields[2] = entity.timestamp();
    for (Property property : entity.properties()) {
      int place = 3 + 2 * places.getOrDefault(property.name(), -1);
      boolean escaped =
          property.type() == EdmType.STRING && UnpairedText.needsEscape(property.text());
      fields[place] = escaped ? UnpairedText.escape(property.text()) : property.text();
      fields[place + 1] = property.type().label() + (escaped ? UnpairedText.SUFFIX : "");
    }
    writeRecord();
  }

  private void writeRecord() throws IOException {
    for (int i = 0; i < fields.length; i++) {
      if (i > 0) {
        out.write(',');
      }
      writeField(fields[i], out);
    }
    out.write("\r\n");
  }

  private static void writeField(String field, Writer out) throws IOException {
    boolean quoted = false;
    for (int i = 0; i < field.length() && !quoted; i++) {
      char c = field.charAt(i);
      quoted = c == ',' || c == '"' || c == '\r' || c == '\n' || c == ' ' || c == '\t' || c == ';';
    }
    out.write(quoted ? '"' + field.replace("\"", "\"\"") + '"' : field);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
