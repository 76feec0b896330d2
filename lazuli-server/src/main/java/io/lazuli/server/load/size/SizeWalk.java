package io.lazuli.server.load.size;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.service.BlobOperation.ListBlobs;
import io.lazuli.server.blob.service.BlobOutcome.BlobPage;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.table.encoding.EntitySize;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.entity.EntityCursor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what an account stores, in bounded steps: entities by Azure's formula (table-rest 5.3),
 * messages with 12 bytes each in addition to their text, blobs with the length of their content as
 * {@code $MetricsCapacityBlob} counts them. Mutable; used by one thread.
 */
public final class SizeWalk {
  /** The records that one step reads. */
  public static final int STEP_RECORDS = 1_000;

  /** The bytes that one step reads. */
  public static final int STEP_BYTES = 4 << 20;

  private static final int NAMES_MAX = 1_000;
  private static final int MESSAGE_OVERHEAD = 12;
  private static final Duration TIME_MAX = Duration.ofSeconds(30);

  /** A table, queue or container that is not added up yet. */
  private record Next(ServiceHome home, SpaceName name, String key) {}

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobService blobs;
  private final String account;
  private final Queue<ServiceHome> homes;
  private final Queue<Next> spaces = new ArrayDeque<>();
  private List<SpaceSize> sizes = new ArrayList<>();

  /** The first name that was not listed yet. */
  private String fromName = "";

  private @Nullable SpaceSize current;
  private Position from = Position.START;
  private @Nullable ListMarker nextBlob;

  public SizeWalk(StorageEngine engine, Catalog catalog, BlobService blobs, String account) {
    this.engine = engine;
    this.catalog = catalog;
    this.blobs = blobs;
    this.account = account;
    this.homes = new ArrayDeque<>(ServiceHome.all(account));
  }

  public String account() {
    return account;
  }

  /** Returns what was added up so far. */
  public List<SpaceSize> sizes() {
    return SpaceSize.largest(sizes, Measured.SPACES_MAX);
  }

  /** Does one step. Returns false after the last one. Blocks. */
  public boolean step() {
    Next next = spaces.peek();
    if (next != null) {
      addSome(next);
    } else {
      ServiceHome home = homes.peek();
      if (home != null) {
        list(home);
      }
    }
    return !spaces.isEmpty() || !homes.isEmpty();
  }

  private void list(ServiceHome home) {
    String service =
        switch (home.kind()) {
          case TABLE -> "table";
          case QUEUE -> "queue";
          default -> "blob";
        };
    String[] last = {null};
    Futures.await(
        catalog.list(
            home,
            fromName,
            deadline(),
            row -> {
              String key = row.name().toLowerCase(Locale.ROOT);
              spaces.add(new Next(home, new SpaceName(account, service, row.name()), key));
              last[0] = key;
              return spaces.size() < NAMES_MAX;
            }));
    if (spaces.size() < NAMES_MAX || last[0] == null) {
      fromName = "";
      homes.remove();
    } else {
      fromName = last[0] + '\0';
    }
  }

  private void addSome(Next next) {
    SpaceSize sum = current == null ? new SpaceSize(next.name, 0, 0) : current;
    current = sum;
    boolean hasMore;
    try {
      hasMore = next.name.service().equals("blob") ? addBlobs(next, sum) : addRecords(next, sum);
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)
          && !e.error().equals(BlobErrors.CONTAINER_NOT_FOUND)) {
        throw e;
      }
      // It was deleted during the walk.
      hasMore = false;
      current = null;
    }
    if (!hasMore) {
      spaces.remove();
      if (current != null) {
        sizes.add(current);
      }
      current = null;
      from = Position.START;
      nextBlob = null;
      if (sizes.size() > 2 * Measured.SPACES_MAX) {
        sizes = new ArrayList<>(sizes());
      }
    }
  }

  private boolean addRecords(Next next, SpaceSize before) {
    boolean isQueue = next.name.service().equals("queue");
    Position begin =
        isQueue && from.equals(Position.START)
            ? new Position(Bytes.EMPTY, QueueRows.FIRST_MESSAGE)
            : from;
    KeyRange range =
        new KeyRange(begin, isQueue ? new Position(Bytes.EMPTY, QueueRows.FIRST_COUNT) : null);
    Step step = new Step(isQueue);
    boolean unused =
        Futures.await(
            catalog.onSpace(
                next.home,
                next.key,
                deadline(),
                TableErrors.TABLE_NOT_FOUND,
                entry ->
                    engine
                        .scan(
                            entry.space(),
                            List.of(range),
                            Direction.FORWARD,
                            deadline(),
                            step::visit)
                        .thenApply(done -> true)));
    current = before.plus(step.items, step.bytes);
    Position last = step.last;
    if (last != null) {
      from = last.successor();
    }
    return last != null;
  }

  /** Adds up the records of one step. */
  private static final class Step {
    private final boolean isQueue;
    private final EntityCursor cursor = new EntityCursor();
    private long items;
    private long bytes;
    private long read;

    /** The last record that was read, if there may be more. */
    private @Nullable Position last;

    Step(boolean isQueue) {
      this.isQueue = isQueue;
    }

    private int entity(LentRecord record) {
      LentBytes value = record.value();
      cursor.reset(value.array(), value.offset(), value.length());
      return EntitySize.of(units(record.partition()) + units(record.row()), cursor);
    }

    private static int units(LentBytes key) {
      return Utf8.utf16Length(key.array(), key.offset(), key.length());
    }

    Visit visit(LentRecord record) {
      items++;
      read += record.value().length();
      bytes +=
          isQueue
              ? MESSAGE_OVERHEAD + MessageCodec.textLength(record.value().length())
              : entity(record);
      if (items < STEP_RECORDS && read < STEP_BYTES) {
        return Visit.CONTINUE;
      }
      last = new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
      return Visit.STOP;
    }
  }

  private boolean addBlobs(Next next, SpaceSize before) {
    ListBlobs list =
        new ListBlobs(
            new ContainerName(next.key),
            "",
            NameBounds.NONE,
            "",
            nextBlob,
            STEP_RECORDS,
            true,
            true,
            new FormerStates(true, true, false));
    Caller server = new Caller(account, false, new Access.OfServer());
    BlobPage page = (BlobPage) Futures.await(blobs.execute(list, server, deadline()));
    SpaceSize sum = before;
    for (var item : page.items()) {
      if (item instanceof ListedBlob blob) {
        sum = sum.plus(blob.state() == null ? 1 : 0, blob.properties().content().length());
      }
    }
    current = sum;
    nextBlob = page.next();
    return nextBlob != null;
  }

  private static Deadline deadline() {
    return Deadline.after(TIME_MAX);
  }
}
