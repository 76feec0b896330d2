package io.lazuli.server.blob.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.blob.tier.Rehydration;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.storage.Bytes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BlobCodecsTest {
  private static final UUID ID = new UUID(0x0123456789abcdefL, -1);
  private static final Lease BROKEN = new Lease(ID, true, Lease.INFINITE, Long.MAX_VALUE);
  private static final Lease HELD = new Lease(ID, false, 15, 42);

  private static final BlobProperties FULL =
      new BlobProperties(
          BlobType.APPEND,
          11,
          12,
          new BlobContent(13, 5_000L << 20, 50_000, true),
          new HttpProperties(
              "text/plain", "gzip", "de", "inline; filename=\"ü.txt\"", "no-cache", "1B2M2Y8Asg=="),
          ordered("Owner", "änn", "b", "", "a", "x".repeat(8_000)),
          new BlobTags(ordered("z", "1", "a", "")),
          new TierChoice(AccessTier.ARCHIVE, 14),
          BROKEN,
          new CopyProperties(ID, "http://host/a/b?snapshot=1", CopyStatus.FAILED, 1, 2, 15),
          new Upload(16, 64, 100_000, 19),
          new SnapshotCount(17, 18),
          OptionalProperties.NONE);

  private static final OptionalProperties OPTIONAL =
      new OptionalProperties(
          20,
          new SoftDeletion(21, 22),
          new ImmutabilityPolicy(23, true),
          true,
          24,
          new Rehydration(AccessTier.COLD, RehydratePriority.HIGH, 25),
          26,
          true,
          "404 BlobNotFound");

  private static final List<Block> BLOCKS =
      List.of(
          new Block(BlockId.NONE, 1, new BlockPlace(false, 1)),
          new Block(
              new BlockId(Bytes.of(new byte[64])),
              4_000L << 20,
              new BlockPlace(true, Long.MAX_VALUE)));

  private static final UncommittedBlock UNCOMMITTED =
      new UncommittedBlock(new BlockPlace(true, 7), 4_000L << 20, 9);

  private static final ContainerProperties CONTAINER =
      new ContainerProperties(5, ordered("b", "1", "a", "2"), PublicAccess.CONTAINER, HELD);

  @Test
  void everythingOfABlobRoundTrips() {
    assertThat(roundTrip(FULL)).isEqualTo(FULL);
    assertThat(roundTrip(BlobProperties.UNCOMMITTED)).isEqualTo(BlobProperties.UNCOMMITTED);
    assertThat(roundTrip(FULL.asSnapshot())).isEqualTo(FULL.asSnapshot());
    assertThat(roundTrip(FULL).metadata().keySet()).containsExactly("Owner", "b", "a");
    assertThat(roundTrip(FULL).tags().values().keySet()).containsExactly("z", "a");
  }

  @Test
  void optionalPropertiesRoundTripEachAloneAndAllTogether() {
    OptionalProperties none = OptionalProperties.NONE;
    for (OptionalProperties some :
        List.of(
            OPTIONAL,
            none.withVersionTicks(1),
            none.withDeletion(OPTIONAL.deletion()),
            none.withImmutability(OPTIONAL.immutability()),
            none.withLegalHold(true),
            none.withExpiryTicks(1),
            none.withRehydration(OPTIONAL.rehydration()),
            none.withSequenceNumber(Long.MAX_VALUE))) {
      assertThat(roundTrip(FULL.withOptional(some)).optional()).isEqualTo(some);
    }
  }

  @Test
  void aBlobWithoutOptionalPropertiesIsStoredAsBefore() {
    byte[] plain = BlobPropertiesCodec.encode(FULL);
    byte[] withOne =
        BlobPropertiesCodec.encode(FULL.withOptional(OptionalProperties.NONE.withVersionTicks(1)));
    assertThat(plain[0]).isEqualTo((byte) 1);
    assertThat(withOne[0]).isEqualTo((byte) 2);
    assertThat(Arrays.copyOfRange(withOne, 1, plain.length))
        .isEqualTo(Arrays.copyOfRange(plain, 1, plain.length));
  }

  @Test
  void anUnknownOptionalPropertyIsRefused() {
    byte[] record = BlobPropertiesCodec.encode(FULL.withOptional(OPTIONAL));
    byte[] newer = Arrays.copyOf(record, record.length + 1);
    newer[record.length] = 99;
    assertThatThrownBy(() -> BlobPropertiesCodec.decode(newer))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(AccessTier.class)
  void tiersRoundTrip(AccessTier tier) {
    TierChoice choice = new TierChoice(tier, 1);
    assertThat(roundTrip(FULL.withTier(new TierState(choice, null))).tier()).isEqualTo(choice);
  }

  @Test
  void leasesRoundTrip() {
    for (Lease lease : List.of(Lease.NONE, BROKEN, HELD)) {
      assertThat(roundTrip(FULL.withLease(lease)).lease()).isEqualTo(lease);
    }
  }

  @ParameterizedTest
  @EnumSource(PublicAccess.class)
  void containersRoundTrip(PublicAccess access) {
    ContainerProperties container = CONTAINER.withPublicAccess(access, 6);
    byte[] record = ContainerPropertiesCodec.encode(container);
    assertThat(ContainerPropertiesCodec.decode(record)).isEqualTo(container);
    ContainerProperties guarded = container.withGuard(7);
    assertThat(ContainerPropertiesCodec.decode(ContainerPropertiesCodec.encode(guarded)))
        .isEqualTo(guarded);
  }

  @Test
  void segmentsOfOneToAThousandBlocksRoundTrip() {
    assertThat(BlockSegmentCodec.decode(BlockSegmentCodec.encode(BLOCKS))).isEqualTo(BLOCKS);
    List<Block> full =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Block(id(i), i, new BlockPlace(i % 2 == 0, i)))
            .toList();
    assertThat(BlockSegmentCodec.decode(BlockSegmentCodec.encode(full))).isEqualTo(full);
    List<Block> tooMany = Stream.concat(full.stream(), BLOCKS.stream()).toList();
    assertThatThrownBy(() -> BlockSegmentCodec.encode(tooMany))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void uncommittedBlocksRoundTrip() {
    byte[] record = UncommittedBlockCodec.encode(UNCOMMITTED);
    assertThat(UncommittedBlockCodec.decode(record)).isEqualTo(UNCOMMITTED);
  }

  /** The examples of docs/formats.md. */
  @Test
  void recordsAreWhatTheDocumentSays() {
    assertThat(
            hex(UncommittedBlockCodec.encode(new UncommittedBlock(new BlockPlace(false, 2), 3, 4))))
        .isEqualTo("01" + "00" + "0000000000000002" + "0000000000000003" + "0000000000000004");
    assertThat(
            hex(BlockSegmentCodec.encode(List.of(new Block(id(65), 3, new BlockPlace(true, 2))))))
        .isEqualTo(
            "01" + "0001" + "04" + "00000041" + "0000000000000003" + "01" + "0000000000000002");
    assertThat(
            hex(
                ContainerPropertiesCodec.encode(
                    new ContainerProperties(5, Map.of("a", "b"), PublicAccess.BLOB, Lease.NONE))))
        .isEqualTo("01" + "0000000000000005" + "01" + "0001" + "000161" + "000162" + "00");
    assertThat(
            hex(
                ContainerPropertiesCodec.encode(
                    new ContainerProperties(5, Map.of(), PublicAccess.NONE, Lease.NONE, 3))))
        .isEqualTo("02" + "0000000000000005" + "00" + "0000" + "00" + "0000000000000003");
  }

  static Stream<Damaged> damaged() {
    return Stream.of(
        new Damaged("blob", BlobPropertiesCodec.encode(FULL), BlobPropertiesCodec::decode),
        new Damaged("segment", BlockSegmentCodec.encode(BLOCKS), BlockSegmentCodec::decode),
        new Damaged(
            "block", UncommittedBlockCodec.encode(UNCOMMITTED), UncommittedBlockCodec::decode),
        new Damaged(
            "container",
            ContainerPropertiesCodec.encode(CONTAINER),
            ContainerPropertiesCodec::decode));
  }

  @ParameterizedTest
  @MethodSource("damaged")
  void recordsThatAreCutOffOrLongerAreRefused(Damaged record) {
    for (int length = 0; length < record.bytes.length; length++) {
      record.requireRefused(Arrays.copyOf(record.bytes, length));
    }
    record.requireRefused(Arrays.copyOf(record.bytes, record.bytes.length + 1));
  }

  @ParameterizedTest
  @MethodSource("damaged")
  void recordsOfAnotherVersionAreRefused(Damaged record) {
    for (int version : new int[] {0, 2, 255}) {
      byte[] other = record.bytes.clone();
      other[0] = (byte) version;
      record.requireRefused(other);
    }
  }

  /** Any bytes give a value or the expected exception, nothing else. */
  @ParameterizedTest
  @MethodSource("damaged")
  void damagedBytesNeverEndInAnythingElse(Damaged record) {
    Random random = new Random(8);
    for (int round = 0; round < 5_000; round++) {
      byte[] bytes = record.bytes.clone();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        bytes[random.nextInt(Math.min(bytes.length, 400))] = (byte) random.nextInt();
      }
      try {
        assertThat(record.decoder.apply(bytes)).isNotNull();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("blob record");
      }
    }
  }

  private record Damaged(String name, byte[] bytes, Function<byte[], Object> decoder) {
    void requireRefused(byte[] other) {
      assertThatThrownBy(() -> decoder.apply(other))
          .as("%s of %d bytes", name, other.length)
          .isInstanceOf(IllegalStateException.class);
    }
  }

  private static BlobProperties roundTrip(BlobProperties blob) {
    return BlobPropertiesCodec.decode(BlobPropertiesCodec.encode(blob));
  }

  private static BlockId id(int number) {
    return new BlockId(Bytes.of(new byte[] {0, 0, (byte) (number >> 8), (byte) number}));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
