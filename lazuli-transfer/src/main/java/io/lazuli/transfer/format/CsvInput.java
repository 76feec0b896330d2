package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV of Storage Explorer, with types ({@code Name@type}, as {@code Edm.Int32} or {@code
 * Int32}) and without. A position is the number of bytes before it.
 *
 * <p>A field without a type is a string, or absent if it is empty.
 */
public final class CsvInput implements EntityInput {
  /** The place of a property among the fields of a record; the type is -1 if there is none. */
  private record Place(String name, int value, int type) {}

  private final Path file;
  private final long end;
  private final CsvRecords records;
  private final List<Place> places = new ArrayList<>();
  private final int partition;
  private final int row;
  private final int timestamp;
  private final int width;

  public CsvInput(Path file, long position) throws IOException {
    this.file = file;
    this.end = Files.size(file);
    this.records = new CsvRecords(file);
    List<String> header = records.next();
    if (header == null) {
      throw new TransferException(file + " is empty");
    }
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      if (columns.put(header.get(i), i) != null) {
        throw new TransferException(file + " has two columns " + header.get(i));
      }
    }
    this.partition = require(columns, "PartitionKey");
    this.row = require(columns, "RowKey");
    this.timestamp = columns.getOrDefault("Timestamp", -1);
    this.width = header.size();
    for (String name : header) {
      if (!isSystem(name) && !isType(name, columns)) {
        places.add(
            new Place(
                name,
                columns.getOrDefault(name, -1),
                columns.getOrDefault(name + CsvOutput.TYPE, -1)));
      }
    }
    if (position > 0) {
      records.seek(position);
    }
  }

  private static boolean isSystem(String name) {
    return name.equals("PartitionKey") || name.equals("RowKey") || name.equals("Timestamp");
  }

  private static boolean isType(String name, Map<String, Integer> columns) {
    return name.endsWith(CsvOutput.TYPE)
        && columns.containsKey(name.substring(0, name.length() - CsvOutput.TYPE.length()));
  }

  private int require(Map<String, Integer> columns, String name) {
    Integer place = columns.get(name);
    if (place == null) {
      throw new TransferException(file + " has no column " + name);
    }
    return place;
  }

  @Override
  public @Nullable Entity next() throws IOException {
    List<String> fields = records.next();
    if (fields == null) {
      return null;
    }
    if (fields.size() != width) {
      throw new TransferException(place() + fields.size() + " fields instead of " + width);
    }
    List<Property> properties = new ArrayList<>();
    for (Place place : places) {
      String type = place.type() < 0 ? "" : fields.get(place.type());
      String text = fields.get(place.value());
      if (!type.isEmpty()) {
        properties.add(property(place.name(), type, text));
      } else if (!text.isEmpty()) {
        properties.add(new Property(place.name(), EdmType.STRING, text));
      }
    }
    return new Entity(
        new Key(fields.get(partition), fields.get(row)),
        timestamp < 0 ? "" : fields.get(timestamp),
        properties);
  }

  private Property property(String name, String label, String text) {
    if (label.endsWith(UnpairedText.SUFFIX)) {
      return new Property(name, EdmType.STRING, UnpairedText.unescape(text));
    }
    EdmType type = EdmType.find(label);
    if (type == null) {
      throw new TransferException(place() + "the type of " + name + " is " + label);
    }
    return new Property(name, type, text);
  }

  private String place() {
    return file + ", the record at byte " + records.start() + ": ";
  }

  @Override
  public long position() {
    return records.position();
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
