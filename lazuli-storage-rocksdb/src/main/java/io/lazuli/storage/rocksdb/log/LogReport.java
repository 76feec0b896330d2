package io.lazuli.storage.rocksdb.log;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a check of the logs found. Mutable while the check runs.
 *
 * <p>Everything before the first damage is <em>kept</em>: a repair can save it. Everything after it
 * is <em>lost</em>, even if it can be read, because later changes build on earlier ones.
 */
final class LogReport {
  private final List<LogDamage> damage = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final NavigableMap<Long, Extent> kept = new TreeMap<>();
  private long bytes;
  private long keptBatches;
  private long keptSequence;
  private long lostBatches;
  private long lostSequence;

  /** Returns the damage, in the order of the log. */
  List<LogDamage> damage() {
    return damage;
  }

  /** Returns lines about things that are not damage of the log. */
  List<String> notes() {
    return notes;
  }

  /** Returns the good part of each log before the first damage. */
  NavigableMap<Long, Extent> kept() {
    return kept;
  }

  /** Returns the number of bytes that were read. */
  long bytes() {
    return bytes;
  }

  long keptBatches() {
    return keptBatches;
  }

  /** Returns the last sequence number before the first damage; 0 if it is not known. */
  long keptSequence() {
    return keptSequence;
  }

  /** Returns the number of batches that can be read after the first damage. */
  long lostBatches() {
    return lostBatches;
  }

  /** Returns the highest sequence number that is known to be lost; 0 if none is known. */
  long lostSequence() {
    return lostSequence;
  }

  /** Names a number of batches. */
  static String batches(long count) {
    return count == 1 ? "1 batch" : "%,d batches".formatted(count);
  }

  void addBytes(long count) {
    bytes += count;
  }

  void addDamage(LogDamage found) {
    damage.add(found);
  }

  void addNote(String line) {
    notes.add(line);
  }

  void addBatch(long log, Batch batch) {
    if (damage.isEmpty()) {
      keptBatches++;
      keptSequence = batch.next() - 1;
      kept.put(log, new Extent(batch.end(), keptSequence));
    } else {
      lostBatches++;
      addLost(batch.next() - 1);
    }
  }

  void addLost(long sequence) {
    lostSequence = Math.max(lostSequence, sequence);
  }
}
