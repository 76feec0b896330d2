package io.lazuli.server.job.file;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.protocol.EdmReader;
import io.lazuli.server.table.protocol.EntityBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV (RFC 4180) with types ({@code Name@type}, as {@code Edm.Int32} or {@code Int32}) and
 * without. A field without a type is a string, or absent if it is empty.
 */
final class CsvSource implements EntitySource {
  /** The place of a property among the fields of a record; the type is -1 if there is none. */
  private record Place(String name, int value, int type) {}

  private final FileBytes in;
  private final boolean isGuarded;
  private final ByteArrayOutputStream field = new ByteArrayOutputStream();
  private final List<Place> places = new ArrayList<>();
  private final int partition;
  private final int row;
  private final int width;

  CsvSource(FileBytes in, long position, boolean isGuarded) {
    this.in = in;
    this.isGuarded = isGuarded;
    skipByteOrderMark();
    List<String> header = record();
    if (header == null) {
      throw new JobFailure("The file is empty.");
    }
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      if (columns.put(header.get(i), i) != null) {
        throw new JobFailure("The file has two columns of the same name.");
      }
    }
    this.partition = require(columns, "PartitionKey");
    this.row = require(columns, "RowKey");
    this.width = header.size();
    for (String name : header) {
      boolean isSystem =
          name.equals("PartitionKey") || name.equals("RowKey") || name.equals("Timestamp");
      if (!isSystem && !isType(name, columns)) {
        places.add(
            new Place(
                name,
                columns.getOrDefault(name, -1),
                columns.getOrDefault(name + CsvText.TYPE, -1)));
      }
    }
    if (position > 0) {
      in.seek(position);
    }
  }

  private void skipByteOrderMark() {
    in.seek(0);
    if (in.peek() == 0xef) {
      in.seek(3);
    }
  }

  private static boolean isType(String name, Map<String, Integer> columns) {
    return name.endsWith(CsvText.TYPE)
        && columns.containsKey(name.substring(0, name.length() - CsvText.TYPE.length()));
  }

  private static int require(Map<String, Integer> columns, String name) {
    Integer place = columns.get(name);
    if (place == null) {
      throw new JobFailure("The file has no column " + name + ".");
    }
    return place;
  }

  @Override
  public @Nullable EntityBody next() {
    List<String> fields = record();
    if (fields == null) {
      return null;
    }
    if (fields.size() != width) {
      throw new JobFailure("it has " + fields.size() + " fields instead of " + width);
    }
    List<Property> properties = new ArrayList<>();
    for (Place place : places) {
      String type = place.type < 0 ? "" : fields.get(place.type);
      String text = fields.get(place.value);
      Property property = property(place.name, type, text);
      if (property != null) {
        properties.add(property);
      }
    }
    return new EntityBody(unguarded(fields.get(partition)), unguarded(fields.get(row)), properties);
  }

  private @Nullable Property property(String name, String type, String text) {
    if (type.isEmpty()) {
      return text.isEmpty() ? null : new Property(name, new StringValue(unguarded(text)));
    }
    if (type.endsWith(CsvText.JSON)) {
      return new Property(name, new StringValue(CsvText.unquoted(text)));
    }
    String full = type.startsWith("Edm.") ? type : "Edm." + type;
    if (full.equals("Edm.Null")) {
      return null;
    }
    EdmType known = EdmType.find(full);
    if (known == null) {
      throw new JobFailure("a type is not one of the protocol");
    }
    return new Property(
        name, EdmReader.read(name, known, known == EdmType.STRING ? unguarded(text) : text));
  }

  private String unguarded(String text) {
    return isGuarded ? CsvText.unguarded(text) : text;
  }

  /** Returns the fields of the next record; null at the end. */
  private @Nullable List<String> record() {
    while (in.peek() == '\r' || in.peek() == '\n') {
      in.take();
    }
    if (in.peek() == FileBytes.END) {
      return null;
    }
    List<String> fields = new ArrayList<>();
    while (true) {
      fields.add(field());
      int after = in.take();
      if (after == ',') {
        continue;
      }
      if (after == '\r' && in.peek() == '\n') {
        in.take();
      }
      if (after == FileBytes.END || after == '\r' || after == '\n') {
        return fields;
      }
      throw new JobFailure("text follows a quoted field");
    }
  }

  private String field() {
    field.reset();
    if (in.peek() == '"') {
      in.take();
      quoted();
    } else {
      for (int b = in.peek();
          b != ',' && b != '\r' && b != '\n' && b != FileBytes.END;
          b = in.peek()) {
        add(in.take());
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(field.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new JobFailure("it is not UTF-8", e);
    }
  }

  private void quoted() {
    while (true) {
      int b = in.take();
      if (b == FileBytes.END) {
        throw new JobFailure("a quoted field does not end");
      }
      if (b == '"') {
        if (in.peek() != '"') {
          return;
        }
        in.take();
      }
      add(b);
    }
  }

  private void add(int b) {
    if (field.size() == JsonLinesSource.LINE_BYTES_MAX) {
      throw new JobFailure("it is longer than 16 MiB");
    }
    field.write(b);
  }

  @Override
  public long position() {
    return in.position();
  }
}
