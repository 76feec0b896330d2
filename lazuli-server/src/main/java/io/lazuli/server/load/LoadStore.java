package io.lazuli.server.load;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SlotCodec;
import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.DiagnosisCodec;
import io.lazuli.server.load.rule.Doctor.Silence;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SizeCodec;
import io.lazuli.server.own.OwnTables;
import io.lazuli.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps slots, diagnoses and silences. Rows of a slot begin with the server, so that servers do not
 * all append to one end. All methods block, and throw what the engine reports.
 */
final class LoadStore {
  private static final Logger LOG = LoggerFactory.getLogger(LoadStore.class);

  /** The servers, or starts of servers, whose slots are read from one table. */
  private static final int SERVERS_MAX = 64;

  /** The tables that one sweep drops. */
  private static final int DROPPED_MAX = 4;

  private static final int TABLES_MAX = 200;

  /** The days of one table of sizes. */
  private static final int DAYS_MAX = 40;

  private static final int SILENCES_MAX = 256;

  private static final String STATE = Grain.PREFIX + "state";
  private static final String SILENCE = "silence";
  private static final String MEASURED = "measured";

  private final OwnTables tables;

  LoadStore(OwnTables tables) {
    this.tables = tables;
  }

  void write(Grain grain, Slot slot) {
    tables.put(
        grain.table(slot.start()),
        slot.server(),
        row(slot.start()),
        SlotCodec.encode(slot, grain.bytesMax()));
  }

  private static String row(long start) {
    return "%012d".formatted(start);
  }

  /** Returns the slots of all servers at one time. */
  List<Slot> at(Grain grain, long start) {
    List<Slot> slots = new ArrayList<>();
    String table = grain.table(start);
    for (String server : tables.partitions(table, SERVERS_MAX)) {
      byte[] value = tables.get(table, server, row(start));
      if (value != null) {
        add(slots, value);
      }
    }
    return slots;
  }

  /**
   * Returns the slots of all servers that begin in a window.
   *
   * @param bytesMax the bytes that are read at most
   * @return null if there is more to read
   */
  @Nullable List<Slot> window(Grain grain, long from, long to, long bytesMax) {
    List<Slot> slots = new ArrayList<>();
    long bytes = 0;
    for (String table : grain.tables(from, to)) {
      for (String server : tables.partitions(table, SERVERS_MAX)) {
        int max = (int) Math.max(1, (bytesMax - bytes) / 64);
        for (OwnTables.Row row : tables.rows(table, server, row(from), row(to), max)) {
          bytes += row.value().length;
          if (bytes > bytesMax) {
            return null;
          }
          add(slots, row.value());
        }
      }
    }
    return slots;
  }

  /** A slot, and the bytes that it has. */
  record Stored(Slot slot, int bytes) {}

  /** Returns the servers, or starts of servers, that have slots in a table. */
  List<String> servers(String table, int max) {
    return tables.partitions(table, max);
  }

  /** Returns the slots of a server that begin in a window, each of at least 64 bytes. */
  List<Stored> slots(String table, String server, long from, long to, long bytesMax) {
    List<Stored> found = new ArrayList<>();
    int max = (int) Math.max(1, bytesMax / 64);
    for (OwnTables.Row row : tables.rows(table, server, row(from), row(to), max)) {
      List<Slot> slot = new ArrayList<>();
      add(slot, row.value());
      slot.forEach(one -> found.add(new Stored(one, row.value().length)));
    }
    return found;
  }

  private static void add(List<Slot> slots, byte[] value) {
    try {
      slots.add(SlotCodec.decode(value));
    } catch (IOException e) {
      LOG.debug("a slot of load cannot be read", e);
    }
  }

  /** Drops some of the tables whose slots are too old. */
  void sweep(Instant now) {
    int dropped = 0;
    for (String name : tables.names(Grain.PREFIX, TABLES_MAX)) {
      for (Grain grain : Grain.values()) {
        if (grain.isOld(name, now) && dropped < DROPPED_MAX) {
          tables.drop(name);
          dropped++;
        }
      }
    }
  }

  /**
   * Takes or keeps the measurement of an account among servers.
   *
   * @return false if another server is measuring
   */
  boolean measure(String account, String server, Instant now, Instant until) {
    return hold(MEASURED, account, server, now, until);
  }

  /** Ends the measurement of an account. */
  void measured(String account) {
    if (tables.isShared()) {
      tables.remove(STATE, MEASURED, account);
    }
  }

  /** Takes or keeps a lease, which is a row. Returns false if another server has it. */
  private boolean hold(String what, String row, String server, Instant now, Instant until) {
    if (!tables.isShared()) {
      return true;
    }
    byte[] mine =
        ByteBuffer.allocate(Long.BYTES + server.length())
            .putLong(until.getEpochSecond())
            .put(server.getBytes(StandardCharsets.US_ASCII))
            .array();
    byte[] holder =
        tables.change(
            STATE,
            what,
            row,
            old -> old == null || server.equals(name(old)) || isOver(old, now) ? mine : null);
    return holder != null && server.equals(name(holder));
  }

  private static String name(byte[] lead) {
    return new String(lead, Long.BYTES, lead.length - Long.BYTES, StandardCharsets.US_ASCII);
  }

  private static boolean isOver(byte[] lead, Instant now) {
    return ByteBuffer.wrap(lead).getLong() < now.getEpochSecond();
  }

  void diagnoses(List<Diagnosis> diagnoses) {
    tables.put(STATE, "diagnoses", "all", DiagnosisCodec.encode(diagnoses));
  }

  List<Diagnosis> diagnoses() {
    byte[] stored = tables.get(STATE, "diagnoses", "all");
    try {
      return stored == null ? List.of() : DiagnosisCodec.decode(stored);
    } catch (IOException e) {
      LOG.warn("stored diagnoses cannot be read", e);
      return List.of();
    }
  }

  void sizes(String account, Measured measured) {
    long day = Grain.STORED.slot(measured.at().getEpochSecond());
    tables.put(Grain.STORED.table(day), account, row(day), SizeCodec.encode(measured));
  }

  /** Returns the sizes that were measured on the days of a window, by the start of the day. */
  Map<Long, Measured> sizes(String account, long from, long to) {
    Map<Long, Measured> found = new TreeMap<>();
    for (String table : Grain.STORED.tables(from, to)) {
      for (OwnTables.Row row : tables.rows(table, account, row(from), row(to), DAYS_MAX)) {
        try {
          found.put(Long.parseLong(row.row()), SizeCodec.decode(account, row.value()));
        } catch (IOException e) {
          LOG.debug("stored sizes cannot be read", e);
        }
      }
    }
    return found;
  }

  void queueTimes(byte[] encoded) {
    tables.put(STATE, "queues", "all", encoded);
  }

  byte @Nullable [] queueTimes() {
    return tables.get(STATE, "queues", "all");
  }

  void silence(String id, Silence silence) {
    byte[] value =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(silence.until().getEpochSecond())
            .putDouble(silence.figure())
            .array();
    tables.put(STATE, SILENCE, id, value);
  }

  Map<String, Silence> silences() {
    Map<String, Silence> silences = new HashMap<>();
    for (OwnTables.Row row : tables.partition(STATE, SILENCE, SILENCES_MAX)) {
      ByteBuffer value = ByteBuffer.wrap(row.value());
      silences.put(
          row.row(), new Silence(Instant.ofEpochSecond(value.getLong()), value.getDouble()));
    }
    return silences;
  }

  /** Returns whether a failure is one of the store, which the load does without. */
  static boolean isExpected(RuntimeException failure) {
    return failure instanceof StorageException || failure instanceof ServiceException;
  }
}
