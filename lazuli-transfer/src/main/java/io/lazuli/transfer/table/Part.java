package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.progress.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys that one worker reads, and how far it is. Mutable: the worker that reads the part
 * changes it, and {@link ParallelScan} guards what others see.
 */
final class Part {
  private final int id;
  private KeyRange rest;
  private boolean done;

  /** The number of entities and the bytes of output that belong to the keys before the rest. */
  private long entities;

  private long bytes;

  /** The partition in which a split by partition was tried in vain, or null. */
  private @Nullable String unsplit;

  Part(int id, KeyRange range) {
    this.id = id;
    this.rest = range;
  }

  int id() {
    return id;
  }

  /** Returns the keys that are still to be read. */
  KeyRange rest() {
    return rest;
  }

  boolean isDone() {
    return done;
  }

  long entities() {
    return entities;
  }

  long bytes() {
    return bytes;
  }

  void advance(Key last, long moreEntities, long bytesNow) {
    rest = rest.after(last);
    entities += moreEntities;
    bytes = bytesNow;
  }

  void finish() {
    done = true;
  }

  void endBefore(Key end) {
    rest = rest.before(end);
  }

  @Nullable String unsplit() {
    return unsplit;
  }

  void markUnsplit(String partition) {
    unsplit = partition;
  }

  Map<String, @Nullable Object> state() {
    Map<String, @Nullable Object> state = new LinkedHashMap<>();
    state.put("id", (long) id);
    state.put("done", done);
    state.put("entities", entities);
    state.put("bytes", bytes);
    state.put("after", list(rest.after()));
    state.put("from", list(rest.from()));
    state.put("to", list(rest.to()));
    return state;
  }

  static Part of(Map<String, @Nullable Object> state) {
    Part part =
        new Part(
            Math.toIntExact(Json.number(state.get("id"))),
            new KeyRange(key(state.get("after")), key(state.get("from")), key(state.get("to"))));
    part.done = Boolean.TRUE.equals(state.get("done"));
    part.entities = Json.number(state.get("entities"));
    part.bytes = Json.number(state.get("bytes"));
    return part;
  }

  private static @Nullable List<String> list(@Nullable Key key) {
    return key == null ? null : List.of(key.partition(), key.row());
  }

  private static @Nullable Key key(@Nullable Object value) {
    List<?> texts = Json.list(value);
    return texts.size() == 2 ? new Key(Json.text(texts.get(0)), Json.text(texts.get(1))) : null;
  }
}
