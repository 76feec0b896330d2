package io.lazuli.storage.rocksdb;

import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.DataFormat;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import io.lazuli.storage.rocksdb.chunk.ChunkHold;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.log.BatchContents;
import io.lazuli.storage.rocksdb.log.LogFollower;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of an open store, for an archive. RocksDB keeps its old logs, and deleted chunks keep
 * their files, until the archive has them. A thread of its own gives everything up if that takes
 * more disk space than is allowed: the archive then has a gap, which is better than a full disk.
 * Reading belongs to the archive's thread.
 *
 * <p>A batch is read only after RocksDB has published its sequence number, so it is synced: a power
 * cut cannot undo a change that the archive has. The lane takes no part.
 */
final class KeptLog implements ChangeLog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeptLog.class);
  private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);

  private final NativeStore store;
  private final NativeGate gate;
  private final DataFolder folder;
  private final EngineClock clock;
  private final ChunkHold hold;
  private final long bytesMax;
  private final LogFollower follower;
  private final int blobs;
  private final byte[] firstRow = ChunkFiles.firstRow();
  private final byte[] endOfRows = ChunkFiles.endOfRows();
  private final RecordSeal seal = new RecordSeal();
  private final BackgroundThread thread = new BackgroundThread("lazuli-kept-log", LOG::warn);
  private Round round = new Round(0, 0);

  /** The number of the last change before the place of the reader. */
  private long position;

  private boolean whole = true;

  /** The files of chunks that were deleted before the round began. */
  private List<Path> held = List.of();

  private volatile long keptBytes;

  /** The number of the last change that may have been given up. */
  private volatile long givenUpTo = -1;

  KeptLog(
      NativeStore store,
      NativeGate gate,
      DataFolder folder,
      EngineClock clock,
      ChunkFiles chunks,
      long bytesMax) {
    this.store = store;
    this.gate = gate;
    this.folder = folder;
    this.clock = clock;
    this.hold = chunks.keptFiles();
    this.bytesMax = bytesMax;
    this.follower = new LogFollower(folder.database());
    this.blobs = store.handle(Family.BLOBS).getID();
  }

  void start() {
    thread.repeat(CHECK_PERIOD, CHECK_PERIOD, this::check);
    thread.start();
  }

  private Duration check() throws IOException {
    long bytes = follower.keptBytes() + hold.keptBytes();
    if (bytes > bytesMax) {
      givenUpTo = publishedSequence();
      LOG.warn(
          "the archive has a gap: {} bytes of changes were waiting for it, and {} may",
          bytes,
          bytesMax);
      follower.removeAll();
      hold.release(hold.kept());
      bytes = follower.keptBytes() + hold.keptBytes();
    }
    keptBytes = bytes;
    return CHECK_PERIOD;
  }

  @Override
  public String store() throws IOException {
    return folder.identity();
  }

  @Override
  public int format() {
    return DataFormat.newest();
  }

  @Override
  public Place moveToEnd() throws IOException {
    long sequence = publishedSequence();
    position = sequence;
    return new Place(sequence, Math.max(0, follower.moveAfter(sequence)));
  }

  @Override
  public boolean moveTo(Place place) throws IOException {
    position = place.sequence();
    return place.sequence() >= givenUpTo
        && place.sequence() <= publishedSequence()
        && follower.moveAfter(place.sequence()) == place.checksum();
  }

  private long publishedSequence() {
    gate.enter();
    try {
      return store.publishedSequence();
    } finally {
      gate.leave();
    }
  }

  @Override
  public Round begin() {
    try {
      // In this order: what is held now was completed by a change that is published, and what was
      // acknowledged up to this time is published too.
      held = hold.kept();
      long ticks = clock.wall();
      round = new Round(ticks, publishedSequence());
      whole = false;
      follower.refresh();
      return round;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable Change next() throws IOException {
    if (position < givenUpTo) {
      throw new LostException("too many changes were waiting for the archive");
    }
    LogFollower.Entry entry = follower.next(round.last());
    if (entry == null) {
      whole = true;
      return null;
    }
    position = entry.last();
    List<StoreCut.File> completed = new ArrayList<>();
    long ticks =
        BatchContents.read(
            entry.content(),
            (family, key, value) -> {
              StoreCut.File chunk = family == blobs ? chunk(key, value) : null;
              if (chunk != null) {
                completed.add(chunk);
              }
            });
    if (ticks < 0) {
      throw new LostException("a change was made while the archive was off");
    }
    return new Change(entry.first(), entry.last(), ticks, entry.content(), completed);
  }

  private StoreCut.@Nullable File chunk(byte[] key, byte[] sealed) {
    if (Arrays.compareUnsigned(key, firstRow) < 0 || Arrays.compareUnsigned(key, endOfRows) >= 0) {
      return null;
    }
    int length = seal.check(key, key.length, sealed, sealed.length, store.damage());
    return ChunkFiles.describe(RocksDbCut.CHUNKS, key, Arrays.copyOf(sealed, length));
  }

  @Override
  public SeekableByteChannel open(StoreCut.File chunk) throws IOException {
    return hold.open(chunk.name().substring(RocksDbCut.CHUNKS.length()));
  }

  @Override
  public void release() throws IOException {
    follower.removeRead();
    if (whole) {
      hold.release(held);
      held = List.of();
    }
  }

  @Override
  public long keptBytes() {
    return keptBytes;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    thread.closeAndJoin();
  }

  /** Returns one line if the disk space cannot be watched; empty if there is no fault. */
  String fault() {
    return thread.trouble();
  }
}
