package io.lazuli.storage.hbase.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.StoredCell;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The headers of chunks as they are stored. */
class ChunkHeaderTest {
  private static final HexFormat HEX = HexFormat.of();

  /** A complete chunk of 3 MiB and a byte in cells, as the versions before files stored it. */
  private static final String BEFORE_FILES =
      "0101"
          + "0000000000000007"
          + "0000000000300001"
          + "0000000000000009"
          + "3400000000000000"
          + "0000000168"
          + "0000000470617274";

  private static final Partition OWNER =
      new Partition(
          new Space(0x3400000000000000L, new Partition(Space.CATALOGUE, bytes("68"))),
          bytes("70617274"));

  @Test
  void aChunkInCellsIsStoredAsBefore() {
    ChunkHeader header = ChunkHeader.decode(HEX.parseHex(BEFORE_FILES));
    assertThat(header)
        .isEqualTo(new ChunkHeader(OWNER, true, 7, 3_145_729, 9, Bytes.EMPTY))
        .returns(false, ChunkHeader::inFile);
    assertThat(HEX.formatHex(header.encode())).isEqualTo(BEFORE_FILES);
  }

  @Test
  void aChunkInAFileHasAChecksumForEachPiece() {
    Bytes checksums = bytes("00000001000000020000000300000004");
    ChunkHeader header = ChunkHeader.announced(OWNER, 7, 9).completed(7, 3_145_729, checksums);
    assertThat(header.inFile()).isTrue();
    assertThat(HEX.formatHex(header.encode()))
        .isEqualTo("02" + BEFORE_FILES.substring(2) + checksums);
    assertThat(ChunkHeader.decode(header.encode())).isEqualTo(header);
  }

  @Test
  void aHeaderThatLacksChecksumsIsDamaged() {
    byte[] whole =
        ChunkHeader.announced(OWNER, 7, 9)
            .completed(7, 3_145_729, bytes("00000001000000020000000300000004"))
            .encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ChunkHeader.decode(part))
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CORRUPT));
    }
  }

  /** A restore writes the same chunk into a file, or into cells. */
  @Test
  void aHeaderThatIsMovedKeepsEverythingElse() {
    ChunkRef ref = new ChunkRef(Space.number(SpaceKind.CHUNKS, 1));
    byte[] stored = StoredCell.encode(5, 6, HEX.parseHex(BEFORE_FILES));
    StoredChunks.Complete chunk = StoredChunks.complete(ref, stored, 4).orElseThrow();
    assertThat(chunk.inFile()).isFalse();
    Bytes checksums = bytes("00000001000000020000000300000004");
    byte[] moved = StoredChunks.moved(chunk, checksums);
    assertThat(StoredChunks.complete(ref, moved, 4).orElseThrow().checksums()).isEqualTo(checksums);
    assertThat(moved).startsWith(Arrays.copyOf(stored, StoredCell.HEAD_BYTES));
    assertThat(StoredChunks.moved(StoredChunks.complete(ref, moved, 4).orElseThrow(), Bytes.EMPTY))
        .isEqualTo(stored);
  }

  private static Bytes bytes(String hex) {
    return Bytes.of(HEX.parseHex(hex));
  }
}
