package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Uploads large blobs like the SDKs: stages blocks in parallel and, when all blocks of a blob are
 * staged, commits the block list. A connection does not wait for the others: it continues with the
 * next blob. All scripts of one upload belong to one load.
 */
public final class BlobUploads implements Script {
  /** The block size that the SDKs use for blobs of this size. */
  public static final int BLOCK_BYTES = 8 << 20;

  /**
   * The number of names: large enough that a blob is committed long before its name is used again.
   */
  private static final int NAMES = 4;

  private final Work work;
  private final Payload payload = new Payload(BLOCK_BYTES);
  private long current = -1;
  private boolean committing;

  private BlobUploads(Work work) {
    this.work = work;
  }

  /**
   * Returns one script per connection; they share the work.
   *
   * @param prefix the prefix of the names, which are used in turn, from 0 on
   * @param blobs the number of blobs to upload
   */
  public static List<BlobUploads> of(
      int connections,
      BlobRequests requests,
      String container,
      String prefix,
      int blocks,
      long blobs) {
    Work work = new Work(requests, container, prefix, blocks, blobs);
    return IntStream.range(0, connections).mapToObj(i -> new BlobUploads(work)).toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    if (committing) {
      return Optional.of(work.commit(current));
    }
    Optional<Long> block = work.nextBlock();
    block.ifPresent(number -> current = number / work.blocks);
    return block.map(number -> work.put(number, payload));
  }

  @Override
  public boolean accept(ResponseReader answer) {
    committing = !committing && work.staged(current);
    return answer.succeeded();
  }

  /** The state that the connections share; blocks are numbered across all blobs. */
  private static final class Work {
    private final BlobRequests requests;
    private final String container;
    private final String prefix;
    private final int blocks;
    private final long blobs;
    private final Map<Long, Integer> staged = new HashMap<>();
    private long next;

    Work(BlobRequests requests, String container, String prefix, int blocks, long blobs) {
      this.requests = requests;
      this.container = container;
      this.prefix = prefix;
      this.blocks = blocks;
      this.blobs = blobs;
    }

    Optional<Long> nextBlock() {
      return next / blocks < blobs ? Optional.of(next++) : Optional.empty();
    }

    /** Counts a staged block. Returns true for the last block of a blob. */
    boolean staged(long blob) {
      boolean all = staged.merge(blob, 1, Integer::sum) == blocks;
      if (all) {
        staged.remove(blob);
      }
      return all;
    }

    ByteBuffer put(long block, Payload payload) {
      return requests.putBlock(container, name(block / blocks), (int) (block % blocks), payload);
    }

    ByteBuffer commit(long blob) {
      return requests.commit(container, name(blob), blocks);
    }

    private String name(long blob) {
      return prefix + blob % NAMES;
    }
  }
}
