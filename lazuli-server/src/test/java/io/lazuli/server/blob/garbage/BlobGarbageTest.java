package io.lazuli.server.blob.garbage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a process that stops knows of its garbage. */
class BlobGarbageTest {
  private final Looking engine = new Looking();
  private final BlobGarbage garbage = new BlobGarbage(engine);
  private final Partition blob =
      new Partition(
          new Space(
              Space.number(SpaceKind.CONTAINER, 7), new Partition(Space.CATALOGUE, Bytes.EMPTY)),
          Bytes.of("a".getBytes(StandardCharsets.UTF_8)));

  /** Looks at the notes whenever the collector reads a blob. */
  private final class Looking extends ForwardingEngine {
    private final List<@Nullable Set<Partition>> known = new ArrayList<>();
    private boolean fails;

    Looking() {
      super(new InMemoryEngine(EngineConfig.of(Path.of("unused"))));
    }

    @Override
    public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
      known.add(garbage.known());
      return fails
          ? CompletableFuture.failedFuture(
              new StorageException(StorageException.Kind.UNAVAILABLE, "busy"))
          : super.read(key, deadline);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** The stop waits for a batch for some seconds only, and then hands over what is known. */
  @Test
  void theBatchThatIsBeingCleanedIsKnown() {
    garbage.changed(blob);
    assertThat(garbage.clean(Deadline.NEVER)).isFalse();
    assertThat(engine.known).containsExactly(Set.of(blob));
    assertThat(garbage.known()).isEmpty();
  }

  @Test
  void aBatchThatFailedIsNotKnown() {
    garbage.changed(blob);
    engine.fails = true;
    assertThatThrownBy(() -> garbage.clean(Deadline.NEVER)).hasMessageContaining("busy");
    assertThat(garbage.known()).isNull();
    assertThat(garbage.takeFullRoundRequest()).isTrue();
    assertThat(garbage.known()).isEmpty();
  }
}
