package io.lazuli.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.StoredChunk;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chunks after a restart, for engines that store data. */
interface ChunkReopenContract extends EngineUnderTest {
  @Test
  default void completedChunksAreThereAfterAReopen() {
    Chunks chunks = fixture().chunks();
    byte[] content = Chunks.content((3 << 20) + 1, 5);
    ChunkRef ref = chunks.append(content);
    ChunkRef copy = EngineFixture.await(chunks.store().copy(ref, chunks.owner()));
    ChunkRef empty = chunks.append(new byte[0]);
    ChunkRef deleted = chunks.append(new byte[70_000]);
    EngineFixture.await(chunks.store().delete(List.of(deleted)));
    List<StoredChunk> before = chunks.list();
    fixture().reopen();
    Chunks after = fixture().chunks();
    assertThat(after.list()).isEqualTo(before).hasSize(3);
    assertThat(after.read(ref)).isEqualTo(content);
    assertThat(after.read(copy)).isEqualTo(content);
    assertThat(after.read(empty)).isEmpty();
    assertThat(EngineFixture.await(after.store().open(deleted))).isNull();
    assertThat(after.append(new byte[1])).isNotIn(ref, copy, empty, deleted);
  }

  @Test
  default void aChunkWhoseWriterIsGoneIsListedAsNotCompleteUntilItIsDeleted() {
    Chunks chunks = fixture().chunks();
    ChunkWriter writer = EngineFixture.await(chunks.store().append(chunks.owner()));
    EngineFixture.await(writer.write(ByteBuffer.wrap(new byte[100_000])));
    StoredChunk before = chunks.awaitListed();
    fixture().reopen();
    Chunks after = fixture().chunks();
    assertThat(after.list()).containsExactly(before);
    assertThat(before.complete()).isFalse();
    assertThat(EngineFixture.await(after.store().open(before.ref()))).isNull();
    assertThat(EngineFixture.await(after.store().copy(before.ref(), after.owner()))).isNull();
    writer.close();
    assertThat(after.list()).containsExactly(before);
    EngineFixture.await(after.store().delete(List.of(before.ref())));
    assertThat(after.list()).isEmpty();
    fixture().reopen();
    assertThat(fixture().chunks().list()).isEmpty();
  }
}
