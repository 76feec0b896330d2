package io.lazuli.server.scrub;

import io.lazuli.server.blob.check.ContainerCheck;
import io.lazuli.server.catalog.CatalogCheck;
import io.lazuli.server.catalog.CatalogCheck.NamedSpace;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Place;
import io.lazuli.server.check.SpaceCheck;
import io.lazuli.server.queue.service.QueueCheck;
import io.lazuli.server.scrub.WalkPosition.Phase;
import io.lazuli.server.table.service.EntityCheck;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoredDamage;
import io.lazuli.storage.StoredFiles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads everything that an engine stores, in bounded steps, and reports each damage: first the
 * files of the engine, then every name with its table, queue or container, then the spaces that no
 * name leads to, and the chunks last. {@code lazuli verify}, the scrub and {@code lazuli repair}
 * all walk in this way. Mutable, used by one thread, blocks.
 */
public final class StoreWalk {
  private final StorageEngine engine;
  private final Consumer<Finding> found;
  private final CatalogCheck catalog;
  private final ChunkWalk chunks;
  private Phase phase;
  private String file;

  /** The files that are still to be read; null before the first one. */
  private @Nullable Deque<String> waitingFiles;

  private Position name;
  private @Nullable SpaceWalk space;
  private @Nullable Position afterName;
  private Position record;
  private long files;
  private long spaces;
  private long records;
  private long bytes;

  /** Begins a walk. */
  public StoreWalk(StorageEngine engine, Consumer<Finding> found) {
    this(engine, found, WalkPosition.START);
  }

  /** Continues a walk. */
  StoreWalk(StorageEngine engine, Consumer<Finding> found, WalkPosition start) {
    this.engine = engine;
    this.found = found;
    this.catalog = new CatalogCheck(engine);
    this.chunks = new ChunkWalk(engine, catalog, start.chunk(), found);
    this.phase = start.phase();
    this.file = start.file();
    this.name = start.name();
    this.record = start.record();
  }

  /** Begins a walk that leaves the files out, because a repair has seen to them. */
  public static StoreWalk ofRecords(StorageEngine engine, Consumer<Finding> found) {
    WalkPosition start = WalkPosition.START;
    return new StoreWalk(
        engine,
        found,
        new WalkPosition(Phase.SPACES, "", start.name(), start.record(), start.chunk()));
  }

  public boolean isDone() {
    return phase == Phase.DONE;
  }

  public Progress progress() {
    return new Progress(files, spaces, records + records(), chunks.count(), bytes + chunks.bytes());
  }

  /** Returns the number of chunks that no blob refers to; the collector removes them. */
  public long unusedChunks() {
    return chunks.unused();
  }

  /** Returns a position from which another walk can continue this one. */
  WalkPosition position() {
    SpaceWalk current = space;
    return new WalkPosition(
        phase, file, name, current == null ? record : current.restart(), chunks.last());
  }

  /** Checks the files of the engine alone, for a store whose records cannot be relied on. */
  public void checkFiles() {
    while (phase == Phase.FILES) {
      long unused = step();
    }
  }

  /** Does a bounded part of the walk. Returns the number of bytes that were read. */
  public long step() {
    long before = bytes + chunks.bytes();
    switch (phase) {
      case FILES -> checkNextFile();
      case SPACES -> checkSpace();
      case STRAYS -> {
        new StrayCheck(engine, catalog, found).run();
        phase = Phase.CHUNKS;
      }
      case CHUNKS -> phase = chunks.step() ? Phase.CHUNKS : Phase.DONE;
      case DONE -> {}
    }
    return bytes + chunks.bytes() - before;
  }

  private void checkNextFile() {
    StoredFiles all = engine.files();
    Deque<String> names = waitingFiles;
    if (names == null) {
      String last = file;
      names =
          all.names().stream()
              .filter(each -> each.compareTo(last) > 0)
              .sorted()
              .collect(Collectors.toCollection(ArrayDeque::new));
      waitingFiles = names;
    }
    String next = names.poll();
    if (next == null) {
      phase = Phase.SPACES;
      return;
    }
    file = next;
    files++;
    bytes += all.bytes(next);
    for (StoredDamage damage : all.check(next)) {
      found.accept(
          new Finding(
              Place.FILES, damage.file() + ", offset " + damage.offset(), damage.problem()));
    }
  }

  private void checkSpace() {
    SpaceWalk current = space == null ? nextSpace() : space;
    if (current == null) {
      return;
    }
    long bytesBefore = current.bytes();
    boolean more = current.step();
    bytes += current.bytes() - bytesBefore;
    if (more) {
      space = current;
      return;
    }
    records += current.records();
    spaces++;
    space = null;
    record = Position.START;
    Position next = afterName;
    if (next == null) {
      phase = Phase.STRAYS;
    } else {
      name = next;
    }
  }

  /** Returns the walk over the space of the next name; null if there is none in this step. */
  private @Nullable SpaceWalk nextSpace() {
    CatalogCheck.Page page = catalog.page(name, 1, found);
    afterName = page.next();
    if (page.names().isEmpty()) {
      if (afterName == null) {
        phase = Phase.STRAYS;
      } else {
        name = afterName;
      }
      record = Position.START;
      return null;
    }
    NamedSpace named = page.names().get(0);
    return new SpaceWalk(engine, named, check(named), record, found);
  }

  private SpaceCheck check(NamedSpace named) {
    return switch (named.space().kind()) {
      case TABLE -> new EntityCheck(named.place(), named.space(), found);
      case QUEUE -> new QueueCheck(engine, named.place(), named.space(), found);
      case CONTAINER -> new ContainerCheck(engine, named.place(), named.space(), found);
      case CATALOGUE, CHUNKS, GATE ->
          throw new IllegalStateException("a name leads to " + named.space().kind());
    };
  }

  private long records() {
    SpaceWalk current = space;
    return current == null ? 0 : current.records();
  }
}
