package io.lazuli.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SizeCodec;
import io.lazuli.server.load.size.SizeWalk;
import io.lazuli.server.load.size.SpaceSize;
import io.lazuli.server.own.OwnTables;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.EntitySize;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** What accounts store, as it is measured and kept. */
class SizesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T06:00:00Z");
  private static final String ACCOUNT = "acme";

  private Instant now = BEGIN;
  private final InstantSource source = () -> now;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final BlobService blobs =
      new BlobService(engine, catalog, UUID::randomUUID, ForkJoinPool.commonPool());

  private Sizes sizes() {
    return new Sizes(engine, catalog, blobs, () -> List.of(ACCOUNT), clock);
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  /** Inserts entities. Returns their size. */
  private long insert(String table, int count) {
    ServiceHome home = ServiceHome.ofTables(ACCOUNT);
    boolean unused =
        Futures.await(catalog.create(home, table.toLowerCase(Locale.ROOT), table, deadline()));
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      EntityKey key = new EntityKey("p" + i % 3, "r\u00e4" + i);
      byte[] record =
          EntityCodec.encode(List.of(new Property("Name", new StringValue("v\u00e4lue" + i))));
      bytes += EntitySize.of(key, record);
      Bytes row = Bytes.of(Utf8.encodeKey(key.rowKey()));
      boolean stored =
          Futures.await(
              catalog.onSpace(
                  home,
                  table.toLowerCase(Locale.ROOT),
                  deadline(),
                  TableErrors.TABLE_NOT_FOUND,
                  entry ->
                      engine.transact(
                          new Partition(
                              entry.space(), Bytes.of(Utf8.encodeKey(key.partitionKey()))),
                          List.of(row),
                          deadline(),
                          view -> {
                            view.put(row, record.clone());
                            return true;
                          })));
      assertThat(stored).isTrue();
    }
    return bytes;
  }

  private static Measured measure(Sizes sizes) {
    for (int i = 0; i < 100 && sizes.latest(ACCOUNT) == null; i++) {
      Duration unused = sizes.step();
    }
    Measured measured = sizes.latest(ACCOUNT);
    assertThat(measured).isNotNull();
    return measured;
  }

  @Test
  void everyEntityIsAddedUpOnceOverManySteps() {
    long bytes = insert("Orders", 2 * SizeWalk.STEP_RECORDS + 5);
    long fewer = insert("Events", SizeWalk.STEP_RECORDS);
    Sizes sizes = sizes();
    assertThat(sizes.step()).isPositive();
    assertThat(sizes.latest(ACCOUNT)).isNull();
    sizes.request(ACCOUNT);
    assertThat(sizes.isMeasuring(ACCOUNT)).isTrue();
    Measured measured = measure(sizes);
    assertThat(sizes.isMeasuring(ACCOUNT)).isFalse();
    assertThat(measured.sizes())
        .extracting(size -> size.name().name(), SpaceSize::items, SpaceSize::bytes)
        .containsExactly(tuple("Orders", 2005L, bytes), tuple("Events", 1000L, fewer));
    sizes.request(ACCOUNT);
    assertThat(sizes.isMeasuring(ACCOUNT)).as("there was one a moment ago").isFalse();
    now = now.plusSeconds(20);
    sizes.request(ACCOUNT);
    assertThat(sizes.isMeasuring(ACCOUNT)).isTrue();
  }

  /** Two servers of a cluster: the engine is the same. */
  private Sizes server() {
    StorageEngine shared =
        new ForwardingEngine(engine) {
          @Override
          public boolean isShared() {
            return true;
          }
        };
    return new Sizes(shared, new Catalog(shared), blobs, () -> List.of(ACCOUNT), clock);
  }

  @Test
  void oneServerOfAClusterMeasuresAnAccount() {
    insert("Orders", 2 * SizeWalk.STEP_RECORDS);
    Sizes first = server();
    Sizes second = server();
    now = now.plus(Duration.ofMinutes(3));
    assertThat(first.step()).isZero();
    assertThat(second.step()).as("the first one measures").isEqualTo(Duration.ofMinutes(10));
    second.request(ACCOUNT);
    assertThat(second.step()).isEqualTo(Duration.ofSeconds(2));
    assertThat(second.isMeasuring(ACCOUNT)).as("by the other one").isTrue();
    Measured measured = measure(first);
    assertThat(second.step()).isEqualTo(Duration.ofMinutes(10));
    assertThat(second.latest(ACCOUNT)).isEqualTo(measured);
    assertThat(second.isMeasuring(ACCOUNT)).isFalse();
    now = now.plusSeconds(60);
    second.request(ACCOUNT);
    assertThat(second.step()).as("it is the turn of the second one").isZero();
  }

  @Test
  void anotherServerMeasuresAfterOneStopped() {
    insert("Orders", 2 * SizeWalk.STEP_RECORDS);
    Sizes stalled = server();
    Sizes second = server();
    now = now.plus(Duration.ofMinutes(3));
    assertThat(stalled.step()).isZero();
    now = now.plus(Duration.ofMinutes(14));
    assertThat(second.step()).as("the lease holds").isEqualTo(Duration.ofMinutes(10));
    now = now.plus(Duration.ofMinutes(2));
    assertThat(second.step()).isZero();
    assertThat(stalled.step()).as("it finds that it is late").isEqualTo(Duration.ofMinutes(1));
    assertThat(stalled.isMeasuring(ACCOUNT)).isFalse();
    assertThat(measure(second).sizes()).hasSize(1);
  }

  @Test
  void everyDayIsMeasuredOnceAndKept() {
    insert("Orders", 3);
    Sizes sizes = sizes();
    now = now.plus(Duration.ofMinutes(3));
    Measured first = measure(sizes);
    assertThat(sizes.step()).as("nothing is due").isEqualTo(Duration.ofMinutes(10));
    now = now.plus(Duration.ofDays(1));
    insert("Events", 4);
    for (int i = 0; i < 100 && first.equals(sizes.latest(ACCOUNT)); i++) {
      Duration unused = sizes.step();
    }
    long today = BEGIN.getEpochSecond() - BEGIN.getEpochSecond() % 86_400;
    Map<Long, Measured> days = sizes().days(ACCOUNT, today, today + 3 * 86_400);
    assertThat(days).containsOnlyKeys(today, today + 86_400);
    assertThat(days.get(today).sizes()).isEqualTo(first.sizes());
    assertThat(days.get(today + 86_400).sizes()).hasSize(2);
  }

  @Test
  void anAccountWithoutDataLeavesNoRows() {
    Sizes sizes = sizes();
    sizes.request(ACCOUNT);
    assertThat(measure(sizes).sizes()).isEmpty();
    assertThat(new OwnTables(engine, catalog, "Load").names("", 10)).isEmpty();
  }

  @Test
  void manySpacesAreSummedAndStayBounded() throws IOException {
    for (int i = 0; i < Measured.SPACES_MAX + 40; i++) {
      insert("T" + i, 1);
    }
    Sizes sizes = sizes();
    sizes.request(ACCOUNT);
    for (int i = 0; i < 1_000 && sizes.latest(ACCOUNT) == null; i++) {
      Duration unused = sizes.step();
    }
    Measured measured = sizes.latest(ACCOUNT);
    assertThat(measured).isNotNull();
    assertThat(measured.sizes()).hasSize(Measured.SPACES_MAX + 1);
    assertThat(measured.sizes().stream().mapToLong(SpaceSize::items).sum())
        .isEqualTo(Measured.SPACES_MAX + 40);
    byte[] stored = SizeCodec.encode(measured);
    assertThat(SizeCodec.decode(ACCOUNT, stored).sizes()).isEqualTo(measured.sizes());
  }
}
