package io.lazuli.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.error.Futures;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flips single bits in every kind of file of a store with a million entities. */
@Tag("long")
class MillionFlipsIT {
  private static final int ENTITIES = 1_000_000;
  private static final int ROWS_PER_BATCH = 1_000;
  private static final int FLIPS_PER_KIND = 5;
  private static final long SEED = Long.getLong("verify.seed", new Random().nextLong());

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @Test
  void verifyFindsAFlippedByteInEveryKindOfFile() throws IOException {
    fill();
    assertThat(Verify.run(folder)).isEmpty();
    Map<String, List<Path>> byKind = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> Files.isRegularFile(file) && FlippedByteTest.isNeeded(file))
          .sorted()
          .forEach(
              file ->
                  byKind
                      .computeIfAbsent(FlippedByteTest.kind(file), kind -> new ArrayList<>())
                      .add(file));
    }
    assertThat(byKind).containsKeys("sst", "log", "MANIFEST", "CURRENT", "FORMAT", "chunk");
    for (List<Path> files : byKind.values()) {
      Collections.shuffle(files, random);
      for (int i = 0; i < FLIPS_PER_KIND; i++) {
        flip(files.get(i % files.size()));
      }
    }
    assertThat(Verify.run(folder)).isEmpty();
  }

  private void flip(Path file) throws IOException {
    byte[] original = Files.readAllBytes(file);
    int at = random.nextInt(Math.max(1, original.length - 1));
    byte[] damaged = original.clone();
    damaged[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, damaged);
    assertThat(Verify.run(folder)).as("%s at %d, seed %d", file, at, SEED).isNotEmpty();
    Files.write(file, original);
  }

  private void fill() throws IOException {
    DatedRocksDbProvider.start(Instant.now());
    try (LazuliServer server = DataFolderMaker.start(folder, false);
        Content content = new Content(server)) {
      content.writeFirst();
    }
    try (StorageEngine engine =
        Engines.open(ServerConfig.builder().dataFolder(folder).build().store())) {
      Catalog catalog = new Catalog(engine);
      ServiceHome home = ServiceHome.ofTables("devstoreaccount1");
      boolean unused = Futures.await(catalog.create(home, "million", "Million", Deadline.NEVER));
      CatalogEntry table =
          Objects.requireNonNull(Futures.await(catalog.find(home, "million", Deadline.NEVER)));
      for (int i = 0; i < ENTITIES; i += ROWS_PER_BATCH) {
        write(engine, new Partition(table.space(), bytes("p" + i / ROWS_PER_BATCH)));
      }
    }
    try (LazuliServer server = DataFolderMaker.start(folder, false);
        Content content = new Content(server)) {
      content.writeMore();
    }
  }

  private static void write(StorageEngine engine, Partition partition) {
    boolean unused =
        Futures.await(
            engine.transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  for (int row = 0; row < ROWS_PER_BATCH; row++) {
                    Property property = new Property("Number", new EdmValue.Int32Value(row));
                    view.put(bytes("r" + row), EntityCodec.encode(List.of(property)));
                  }
                  return true;
                }));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
