package io.lazuli.server.backup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;

/**
 * What makes a backup complete: a small JSON object that is written last (docs/backup.md).
 *
 * @param id the name of the backup; ids of one target sort by time
 * @param time the moment of the cut
 * @param engine the engine that can restore the files
 * @param store the store that was backed up
 * @param server the version of the server
 * @param accounts whether the accounts file is included
 * @param files the number of files
 * @param bytes their length
 * @param copiedBytes the bytes that this backup added to the target
 * @param endTicks a time after the cut, in ticks, of which no write is in the backup; -1 in backups
 *     that cannot be the base of a point in time
 * @param sequence the number of the last change in the backup; -1 in such backups
 * @param missing the chunks whose files the store had lost
 * @param list the object with the names and checksums of all files ({@link FileEntry})
 */
public record BackupRecord(
    String id,
    Instant time,
    String engine,
    long endTicks,
    long sequence,
    String store,
    String server,
    boolean accounts,
    long files,
    long bytes,
    long copiedBytes,
    long missing,
    String list) {
  private static final String FORMAT = "1";

  /** The engine of a record that names none. */
  private static final String ENGINE = "rocksdb";

  /** Writes the record. */
  byte[] encode() {
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytesOut)) {
      json.writeStartObject();
      json.writeStringField("format", FORMAT);
      json.writeStringField("id", id);
      json.writeStringField("time", time.toString());
      json.writeStringField("engine", engine);
      json.writeStringField("endTicks", String.valueOf(endTicks));
      json.writeStringField("sequence", String.valueOf(sequence));
      json.writeStringField("store", store);
      json.writeStringField("server", server);
      json.writeStringField("accounts", String.valueOf(accounts));
      json.writeStringField("files", String.valueOf(files));
      json.writeStringField("bytes", String.valueOf(bytes));
      json.writeStringField("copiedBytes", String.valueOf(copiedBytes));
      json.writeStringField("missing", String.valueOf(missing));
      json.writeStringField("list", list);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytesOut.toByteArray();
  }

  /**
   * Reads a record.
   *
   * @throws BackupException if it is damaged or of a later format
   */
  static BackupRecord decode(String id, byte[] bytes) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(bytes)) {
      require(id, json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        require(id, json.nextToken() == JsonToken.VALUE_STRING);
        fields.put(name, json.getText());
      }
      require(id, json.currentToken() == JsonToken.END_OBJECT);
      if (!FORMAT.equals(fields.get("format"))) {
        throw new BackupException(
            "backup " + id + " has format " + fields.get("format") + "; this version reads 1");
      }
      return new BackupRecord(
          field(fields, "id"),
          Instant.parse(field(fields, "time")),
          fields.getOrDefault("engine", ENGINE),
          Long.parseLong(fields.getOrDefault("endTicks", "-1")),
          Long.parseLong(fields.getOrDefault("sequence", "-1")),
          field(fields, "store"),
          field(fields, "server"),
          Boolean.parseBoolean(field(fields, "accounts")),
          Long.parseLong(field(fields, "files")),
          Long.parseLong(field(fields, "bytes")),
          Long.parseLong(field(fields, "copiedBytes")),
          Long.parseLong(field(fields, "missing")),
          Sha256.requireName(field(fields, "list")));
    } catch (IOException | DateTimeParseException | IllegalArgumentException e) {
      throw new BackupException("the record of backup " + id + " is damaged", e);
    }
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static void require(String id, boolean wellFormed) {
    if (!wellFormed) {
      throw new BackupException("the record of backup " + id + " is damaged");
    }
  }
}
